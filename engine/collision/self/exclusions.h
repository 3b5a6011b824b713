/* Exclusion lists: particles joined by a path of links no longer than 1.5 times the sum of their
 * radii do not collide: they touch, or nearly do, in the undeformed cloth.
 *
 * Each particle lists the others within some path length, with that length. Lists depend only on
 * links, torn ones included, and on the largest radius, so contacts can be set and removed without
 * rebuilding them. Paths are followed nearest first, up to WEFT__MAX_EXCLUSIONS entries: 2.8 times
 * the spacing of a sheet with all link families. A pair is excluded if either end lists it. */
#ifndef WEFT_COLLISION_SELF_EXCLUSIONS_H
#define WEFT_COLLISION_SELF_EXCLUSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables/schedule.h"

#define WEFT__MAX_EXCLUSIONS 128u

typedef struct weft__exclusions {
  float max_path;     /* metres: longest that is listed */
  uint32_t* first;    /* prefix offsets [particle_count + 1] */
  uint32_t* other;    /* ascending in each row [first[particle_count]] */
  float* path_length; /* metres along links [first[particle_count]] */
  size_t bytes;
} weft__exclusions;

/* Lists paths of up to `max_path` metres. On failure to allocate returns false and leaves
 * nothing. */
bool weft__exclusions_create(weft__exclusions* exclusions, const weft__schedule* schedule,
                             float max_path);

/* Lanes of each group that hold or held a link; the caller frees them. NULL when out of memory. */
uint16_t* weft__exclusions_link_lanes(const weft__schedule* schedule);

void weft__exclusions_destroy(weft__exclusions* exclusions);

static inline bool weft__exclusions_contain(const weft__exclusions* exclusions, uint32_t a,
                                            uint32_t b, float max_path) {
  const uint32_t first = exclusions->first[a];
  const uint32_t end = exclusions->first[a + 1];
  if (first == end || b < exclusions->other[first] || b > exclusions->other[end - 1]) return false;
  for (uint32_t e = first; e < end; ++e) {
    if (exclusions->other[e] == b) return exclusions->path_length[e] <= max_path;
  }
  return false;
}

/* Path of at most `max_path` metres. A row that is not full is complete: the other end need not be
 * searched. */
static inline bool weft__are_excluded(const weft__exclusions* exclusions, uint32_t a, uint32_t b,
                                      float max_path) {
  if (weft__exclusions_contain(exclusions, a, b, max_path)) return true;
  return exclusions->first[a + 1] - exclusions->first[a] >= WEFT__MAX_EXCLUSIONS &&
         weft__exclusions_contain(exclusions, b, a, max_path);
}

#endif
