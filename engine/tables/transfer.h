/* Prolongation and restriction between multigrid levels: for runs of consecutive particles of the
 * finer level, the coarse parents whose weighted correction they take. */
#ifndef WEFT_TABLES_TRANSFER_H
#define WEFT_TABLES_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/range.h"

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

/* Displacements of a level's particles in this substep, before any sweep, in solver order. */
typedef struct weft__displacements {
  float* start[3];      /* metres: previous position; the mean of the followers' on coarse levels */
  float* pos[3];        /* metres: position; read only on the cloth */
  float* moved[3];      /* metres: displacement; NULL on the cloth, where it is pos - start */
  float* unswept[3];    /* metres: on a coarse level, a copy of pos before its sweeps */
  const float* follows; /* flags of the next coarser level's corrections */
} weft__displacements;

/* No second range of a restriction run. */
#define WEFT__ONE_RANGE UINT32_MAX

/* Coarse particles in solver order: [first, first + count), with any followers; or, in a row of a
 * lattice, `count` particles in turn from ranges at `first` and at `second`, as a row's even and
 * odd columns are apart in solver order. The follower lists of the latter are equally long, and
 * each entry of the k-th names the particle of `first`'s entry plus k. */
typedef struct weft__restriction_run {
  uint32_t first;
  uint32_t second; /* or WEFT__ONE_RANGE */
  uint32_t count;
  uint32_t share;  /* its first one */
  bool is_uniform; /* two ranges: all particles have the shares of the first one */
} weft__restriction_run;

/* Particles of a run's range: 0, or 1 for the second. */
static inline weft__range weft__restriction_range(const weft__restriction_run* run, int which) {
  const bool has_two = run->second != WEFT__ONE_RANGE;
  if (which == 1) return (weft__range){run->second, run->second + run->count / 2};
  return (weft__range){run->first, run->first + (has_two ? (run->count + 1) / 2 : run->count)};
}

/* Particles of the finer level that follow each coarse particle, both in solver order: entries
 * [first[i], first[i + 1]) for particle i. */
typedef struct weft__restriction {
  uint32_t particle_count, follower_count;
  uint32_t* first; /* [particle_count + 1] */
  uint32_t* of;    /* particle of the finer level [first[particle_count]] */
  float* weight;   /* prolongation's, as `of` */
  /* share of the coarse particle's mass, 0 if either is pinned [first[particle_count]]. One range:
   * entry by entry. Two ranges: the first entries of all particles, then the second ones, ..; if
   * uniform, only the first particle's */
  float* share;
  float* share_sums;           /* sums over free followers not next to a tear [particle_count] */
  weft__restriction_run* runs; /* runs of all particles [run_count] */
  uint32_t run_count;
} weft__restriction;

/* No coarse lane that a multiplier starts from. */
#define WEFT__NO_ORIGIN UINT32_MAX

/* Lanes of a group whose multipliers start from two rows of coarse lanes: lane 2 k from even + k,
 * lane 2 k + 1 from odd + k, all with the same share. */
typedef struct weft__origin_rows {
  uint32_t even; /* or WEFT__NO_ORIGIN */
  uint32_t odd;
  float share;
} weft__origin_rows;

/* Lanes of a coarse level from whose Lagrange multipliers the finer level's start; empty without
 * compliance. */
typedef struct weft__multiplier_origins {
  uint32_t* of;            /* coarse lane, or WEFT__NO_ORIGIN [finer groups x WEFT__LANES] */
  float* share;            /* share of its multiplier [as `of`] */
  weft__origin_rows* rows; /* read in place of the above where both agree [finer groups] */
} weft__multiplier_origins;

#endif
