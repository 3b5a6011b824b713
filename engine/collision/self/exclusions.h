/* Who is too near along links for contacts to matter: two that links join over a way of at most 1.5 times the
 * sum of their radii touch where the cloth is as it should be.
 *
 * For each particle the others within some way are listed, by number, with how far they are. The list depends on
 * links and on the largest radius alone, so that contacts can be given and taken without making it anew. Links
 * that have torn still count, and so do those that are switched off.
 *
 * Ways are followed nearest first, and at most WEFT__EXCLUSION_MOST others are listed of each: this many are within 2.8
 * times the spacing of a sheet of all families, and a cloth that is thicker than that for its links has more on
 * its mind. Two are kin where either lists the other, so it is mutual all the same. */
#ifndef WEFT_COLLISION_SELF_EXCLUSIONS_H
#define WEFT_COLLISION_SELF_EXCLUSIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables/schedule.h"

#define WEFT__EXCLUSION_MOST 128u

typedef struct weft__exclusions {
  float reach;     /* metres: ways up to this are listed */
  uint32_t* first; /* [particle_count + 1] */
  uint32_t* of;    /* ascending for each particle [first[particle_count]] */
  float* way;      /* metres along links [first[particle_count]] */
  size_t bytes;
} weft__exclusions;

/* Lists ways up to `reach`. False when memory cannot be had, and nothing made. */
bool weft__exclusions_create(weft__exclusions* exclusions, const weft__schedule* schedule,
                             float reach);

void weft__exclusions_destroy(weft__exclusions* exclusions);

static inline bool weft__exclusion_lists(const weft__exclusions* exclusions, uint32_t a, uint32_t b,
                                         float most) {
  const uint32_t first = exclusions->first[a];
  const uint32_t end = exclusions->first[a + 1];
  if (first == end || b < exclusions->of[first] || b > exclusions->of[end - 1]) return false;
  for (uint32_t e = first; e < end; ++e) {
    if (exclusions->of[e] == b) return exclusions->way[e] <= most;
  }
  return false;
}

/* Whether a way of at most `most` metres joins two. A list that is not full has all that there are. */
static inline bool weft__are_excluded(const weft__exclusions* exclusions, uint32_t a, uint32_t b,
                                      float most) {
  if (weft__exclusion_lists(exclusions, a, b, most)) return true;
  return exclusions->first[a + 1] - exclusions->first[a] >= WEFT__EXCLUSION_MOST &&
         weft__exclusion_lists(exclusions, b, a, most);
}

#endif
