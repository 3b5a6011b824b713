/* What a coarse level hands down: for runs of consecutive particles of the next finer level, the
 * parents whose mean correction they take. */
#ifndef WEFT_TABLES_BLEND_H
#define WEFT_TABLES_BLEND_H

#include <stdint.h>

/* Particles first + k, k below count, follow the parents of[j] + k with weight[j]. */
typedef struct weft__blend {
  uint32_t first;
  uint32_t count;
  uint32_t of[4]; /* particles of the coarse level, in the order of its scene */
  float weight[4];
} weft__blend;

/* How far the particles of a level were moved in this step, in the order of its scene, and where that
 * goes. */
typedef struct weft__corrections {
  float* x; /* metres [particle_count] */
  float* y; /* behind x, in one block with it */
  float* z;
  /* 0 for particles of the finer level beside a tear, which go their own way, else 1, in its solver order;
   * NULL until links may be torn */
  float* follows;
  weft__blend* blends;         /* of the finer level's particles, in its solver order */
  uint32_t* patch_first_blend; /* of the finer level's patches, and the end */
} weft__corrections;

/* The record of a particle's displacement in a substep, for the next coarser level, in metres: x y z and 1, then where
 * it was and 0; all zeros where it is pinned or beside a tear. */
#define WEFT__DISPLACEMENT_FLOATS 8u

/* The particles of the finer level that follow each of a coarse level, both in solver order: those of particle i
 * are the entries [first[i], first[i + 1]). */
typedef struct weft__followers {
  uint32_t* first; /* [particle_count + 1] */
  uint32_t* of;    /* particle of the finer level [first[particle_count]] */
  float* share;    /* of the coarse particle's mass; 0 where either is pinned */
} weft__followers;

#endif
