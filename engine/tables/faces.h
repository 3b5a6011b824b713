#ifndef WEFT_TABLES_FACES_H
#define WEFT_TABLES_FACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables/schedule.h"

typedef struct weft__faces {
  uint32_t count;
  uint32_t (*corner)[3]; /* particles in solver order [count] */
  /* on the edge from each corner to the next, by the caller's number, or WEFT__NONE [count] */
  uint32_t (*link)[3];
  /* prefix offsets into use; one more to build them [particle_count + 2] */
  uint32_t* first_use;
  uint32_t* use; /* faces of each particle, ascending [3 x count] */
  /* strands, of corners a b b, come last: only in the table of CCD (modules/ccd/strands.h) */
  uint32_t strand_count;

  float* place[3]; /* metres: particles in the scene [particle_count] */

  void* block;
  size_t bytes;
} weft__faces;

/* A link of the face is gone; a removed particle has no links left. */
static inline bool weft__face_is_torn(const weft__faces* faces, const weft__schedule* schedule,
                                      uint32_t face) {
  for (int k = 0; k < 3; ++k) {
    const uint32_t link = faces->link[face][k];
    if (link != WEFT__NONE && weft__link_is_gone(&schedule->links, link)) return true;
  }
  return false;
}

static inline uint32_t weft__face_count_of(const weft__faces* faces, uint32_t particle) {
  return faces->first_use[particle + 1] - faces->first_use[particle];
}

/* first_use must be all 0; a strand is a use of its two corners. */
void weft__faces_list_uses(const weft__faces* faces, uint32_t particle_count);

/* Distance of a point of the face from its nearest corner in the scene, metres, a bound: its
 * circumradius, or, where an angle is obtuse, the equilateral triangle's with its longest edge. */
float weft__face_range(const weft__faces* faces, uint32_t face);

void weft__faces_destroy(weft__faces* faces);

#endif
