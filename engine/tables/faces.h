/* The faces of a frozen world: triangles between particles in solver order, in the order of the scene. */
#ifndef WEFT_TABLES_FACES_H
#define WEFT_TABLES_FACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables/schedule.h"

typedef struct weft__faces {
  uint32_t count;
  uint32_t (*corner)[3]; /* particles in solver order [count] */
  /* by the caller's number, on the edge from each corner to the next; WEFT__NONE where no link is [count] */
  uint32_t (*link)[3];
  uint32_t* first_use; /* in use, of each particle in solver order [particle_count + 1] */
  uint32_t* use;       /* the faces of each particle, ascending [3 x count] */

  /* what a step changes */
  float (*push)[3]; /* newtons: the force that each of its corners gets [count] */

  void* block; /* the one allocation behind all columns */
  size_t bytes;
} weft__faces;

/* Whether a face went with one of its links: all links of a particle that is removed are gone. */
static inline bool weft__face_is_gone(const weft__faces* faces, const weft__schedule* schedule,
                                      uint32_t face) {
  for (int k = 0; k < 3; ++k) {
    const uint32_t link = faces->link[face][k];
    if (link != WEFT__NONE && weft__link_is_gone(schedule, link)) return true;
  }
  return false;
}

/* How many faces a particle has, those that are gone among them. */
static inline uint32_t weft__face_count_of(const weft__faces* faces, uint32_t particle) {
  return faces->first_use[particle + 1] - faces->first_use[particle];
}

void weft__faces_destroy(weft__faces* faces);

#endif
