/* Prolongation and restriction between multigrid levels: for runs of consecutive particles of the
 * finer level, the coarse parents whose weighted correction they take. */
#ifndef WEFT_TABLES_TRANSFER_H
#define WEFT_TABLES_TRANSFER_H

#include <stdint.h>

/* Particles first + k, for k below count, take the parents of[j] + k with weight[j]. */
typedef struct weft__prolongation {
  uint32_t first;
  uint32_t count;
  uint32_t of[4]; /* particles of the coarse level, in the order of its scene */
  float weight[4];
} weft__prolongation;

/* Corrections of a level's particles in this step, in the order of its scene, and their targets. */
typedef struct weft__coarse_corrections {
  float* x; /* metres [particle_count] */
  float* y; /* behind x, in the same block */
  float* z;
  /* 0 for particles of the finer level next to a tear, which no longer follow, else 1, in its
   * solver order; NULL until links may tear */
  float* follows;
  weft__prolongation* blends;  /* runs of the finer level's particles, in its solver order */
  uint32_t* patch_first_blend; /* first blend of the finer level's patches, and the end */
} weft__coarse_corrections;

/* Floats of a displacement record for the next coarser level, in metres: x y z and 1, then the
 * previous position and 0; all zeros if the particle is pinned or next to a tear. */
#define WEFT__DISPLACEMENT_FLOATS 8u

/* Particles of the finer level that follow each coarse particle, both in solver order: entries
 * [first[i], first[i + 1]) for particle i. */
typedef struct weft__restriction {
  uint32_t* first; /* [particle_count + 1] */
  uint32_t* of;    /* particle of the finer level [first[particle_count]] */
  float* share;    /* share of the coarse particle's mass; 0 if either is pinned */
} weft__restriction;

#endif
