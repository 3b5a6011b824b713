/* Who is too near along links for contacts to matter: two that links join over a way of at most 1.5 times the
 * sum of their radii touch where the cloth is as it should be.
 *
 * For each particle the others within some way are listed, by number, with how far they are. The list depends on
 * links and on the largest radius alone, so that contacts can be given and taken without making it anew. Links
 * that have torn still count, and so do those that are switched off.
 *
 * Ways are followed nearest first, and at most WEFT__KIN_MOST others are listed of each: this many are within 2.8
 * times the spacing of a sheet of all families, and a cloth that is thicker than that for its links has more on
 * its mind. Two are kin where either lists the other, so it is mutual all the same. */
#ifndef WEFT_CLOTH_KIN_H
#define WEFT_CLOTH_KIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables/schedule.h"

#define WEFT__KIN_MOST 128u

typedef struct weft__kin {
  float reach;     /* metres: ways up to this are listed */
  uint32_t* first; /* [particle_count + 1] */
  uint32_t* of;    /* ascending for each particle [first[particle_count]] */
  float* way;      /* metres along links [first[particle_count]] */
  size_t bytes;
} weft__kin;

/* Lists ways up to `reach`. False when memory cannot be had, and nothing made. */
bool weft__kin_create(weft__kin* kin, const weft__schedule* schedule, float reach);

void weft__kin_destroy(weft__kin* kin);

static inline bool weft__kin_lists(const weft__kin* kin, uint32_t a, uint32_t b, float most) {
  const uint32_t first = kin->first[a];
  const uint32_t end = kin->first[a + 1];
  if (first == end || b < kin->of[first] || b > kin->of[end - 1]) return false;
  for (uint32_t e = first; e < end; ++e) {
    if (kin->of[e] == b) return kin->way[e] <= most;
  }
  return false;
}

/* Whether a way of at most `most` metres joins two. A list that is not full has all that there are. */
static inline bool weft__are_kin(const weft__kin* kin, uint32_t a, uint32_t b, float most) {
  if (weft__kin_lists(kin, a, b, most)) return true;
  return kin->first[a + 1] - kin->first[a] >= WEFT__KIN_MOST && weft__kin_lists(kin, b, a, most);
}

#endif
