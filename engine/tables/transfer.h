/* Prolongation and restriction between multigrid levels: runs of consecutive finer particles, and
 * the coarse parents whose weighted corrections they take. */
#ifndef WEFT_TABLES_TRANSFER_H
#define WEFT_TABLES_TRANSFER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/range.h"

/* Particle first + k takes of[j] + k with weight[j]. */
typedef struct weft__prolongation {
  uint32_t first;
  uint32_t count;
  uint32_t of[4]; /* coarse particles, in their scene's order */
  float weight[4];
} weft__prolongation;

/* A level's particles in this step, in its scene's order, and their targets. */
typedef struct weft__coarse_corrections {
  float* x; /* metres [particle_count] */
  float* y;
  float* z;
  /* 0 next to a tear, where none follows, else 1; NULL until links tear [finer, solver order] */
  float* follows;
  weft__prolongation* blends;  /* runs of finer particles in solver order */
  uint32_t* patch_first_blend; /* by finer patch, and the end */
} weft__coarse_corrections;

/* In this substep, before any sweep, in solver order. */
typedef struct weft__displacements {
  float* start[3];   /* metres: previous position; on coarse levels the followers' mean */
  float* pos[3];     /* metres; read only on the cloth */
  float* moved[3];   /* metres; NULL on the cloth, where it is pos - start */
  float* unswept[3]; /* metres: pos before sweeps, on coarse levels */
  const float* follows;
} weft__displacements;

#define WEFT__ONE_RANGE UINT32_MAX

/* Coarse particles [first, first + count), with any followers; or, in a row of a lattice, `count`
 * in turn from ranges at `first` and `second` (even and odd columns). The latter's follower lists
 * are equally long: entries of the k-th name the particles of `first`'s entries plus k. */
typedef struct weft__restriction_run {
  uint32_t first;
  uint32_t second; /* or WEFT__ONE_RANGE */
  uint32_t count;
  uint32_t share;
  weft__range patches; /* from its first one to its last */
  bool is_uniform;     /* two ranges: all have the first particle's shares */
} weft__restriction_run;

/* `which`: 0, or 1 for the second range. */
static inline weft__range weft__restriction_range(const weft__restriction_run* run, int which) {
  const bool has_two = run->second != WEFT__ONE_RANGE;
  if (which == 1) return (weft__range){run->second, run->second + run->count / 2};
  return (weft__range){run->first, run->first + (has_two ? (run->count + 1) / 2 : run->count)};
}

/* Finer particles that follow coarse particle i: entries [first[i], first[i + 1]). */
typedef struct weft__restriction {
  uint32_t particle_count, follower_count;
  uint32_t* first; /* [particle_count + 2] */
  uint32_t* of;    /* finer particles [first[particle_count]] */
  float* weight;   /* the prolongation's [as of] */
  /* share of the coarse particle's mass, 0 if either is pinned [as of]. Two ranges: first entries
   * of all particles, then second ones, ..; if uniform, only the first particle's */
  float* share;
  float* share_sums; /* over free followers not next to a tear [particle_count] */
  weft__restriction_run* runs;
  uint32_t run_count;
  /* in clusters: the runs that this process computes; NULL: all */
  const uint32_t* own_runs;
  uint32_t own_run_count;
} weft__restriction;

#define WEFT__NO_ORIGIN UINT32_MAX

/* Lane 2 k starts from even + k, lane 2 k + 1 from odd + k, all with the same share. */
typedef struct weft__origin_rows {
  uint32_t even; /* or WEFT__NO_ORIGIN */
  uint32_t odd;
  float share;
} weft__origin_rows;

/* Coarse lanes from whose Lagrange multipliers the finer ones start; empty without compliance. */
typedef struct weft__multiplier_origins {
  uint32_t* of;            /* or WEFT__NO_ORIGIN [finer groups x WEFT__LANES] */
  float* share;            /* [as of] */
  weft__origin_rows* rows; /* in place of the above where both agree [finer groups] */
} weft__multiplier_origins;

#endif
