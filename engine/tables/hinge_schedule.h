/* Frozen schedule of the bend elements: every hinge of a scene in solver order and layout. A
 * patch's sweep solves its links, then its hinges: runs first, then pieces.
 *
 *   run      groups of 16 sheet hinges, c = (1, -2, 1), whose particles are consecutive in memory:
 *            see tables/runs.h
 *
 *   piece    groups of 16 hinges of any kind, solved on records like fans: see tables/runs.h.
 *            A patch has several pieces only if its hinges touch too many particles for one
 *
 * No two hinges of a group share a particle. Particles in a run's windows that belong to no hinge
 * are stored back unchanged, and count as touched by the patch, as those of segments do. */
#ifndef WEFT_TABLES_HINGE_SCHEDULE_H
#define WEFT_TABLES_HINGE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"
#include "tables/runs.h"

/* One group of a piece. Empty lanes are all 0 and their index is the record past all others; so is
 * that of the missing particle of a three-particle hinge. */
typedef struct weft__hinge_lanes {
  float coefficient[4][WEFT__LANES];
  float rest_length[WEFT__LANES]; /* metres */
  float compliance[WEFT__LANES];  /* metres per newton */
  uint16_t index[4][WEFT__LANES]; /* records, in units of 8 bytes */
} weft__hinge_lanes;

typedef struct weft__hinge_piece {
  uint32_t first_lanes; /* elements [first_lanes, first_lanes + group_count) of lanes */
  uint32_t group_count;
  uint32_t first_segment;
  uint32_t segment_count;
} weft__hinge_piece;

/* Lagrange multipliers of a group's lanes in this substep, in kilogram metres: as vectors, each
 * change times the direction in which it acted. */
typedef struct weft__hinge_multiplier {
  float x[WEFT__LANES];
  float y[WEFT__LANES];
  float z[WEFT__LANES];
} weft__hinge_multiplier;

typedef struct weft__hinge_schedule {
  uint32_t hinge_count; /* 0: there are no columns */
  uint32_t run_count;
  uint32_t group_count; /* in runs */
  uint32_t piece_count;
  uint32_t lanes_count; /* groups in pieces */
  uint32_t segment_count;

  uint32_t* patch_first_run;   /* [patch_count + 1] */
  uint32_t* patch_first_piece; /* [patch_count + 1] */
  weft__run* runs;             /* [run_count] */
  uint16_t* lane_mask;         /* lanes of runs that hold a hinge [group_count] */
  float* compliance;           /* metres per newton, whole lane groups */
  weft__hinge_piece* pieces;   /* [piece_count] */
  weft__segment* segments;     /* [segment_count] */
  weft__hinge_lanes* lanes;    /* [lanes_count] */

  /* the only column that steps write: runs first, then pieces */
  weft__hinge_multiplier* multipliers; /* [group_count + lanes_count] */
  uint32_t* patch_first_group;         /* prefix offsets into those of runs [patch_count + 1] */
  uint32_t* patch_first_lanes;         /* prefix offsets into those of pieces [patch_count + 1] */
  float rate_squared;                  /* 1 / substep^2 in 1/seconds^2, set by the stepper */
} weft__hinge_schedule;

/* Particles of a lane of a run, lanes counted through all of its groups: outer ones first and last,
 * no fourth. */
static inline void weft__hinge_run_lane(const weft__run* run, uint32_t lane, uint32_t particle[4]) {
  const uint32_t along = lane * (weft__group_stride(run->kind) / WEFT__LANES);
  for (int k = 0; k < 3; ++k) particle[k] = run->first[k] + along;
  particle[3] = UINT32_MAX;
}

/* Cost of a sweep over a patch's hinges, in lane groups of links. */
uint32_t weft__hinge_cost(const weft__hinge_schedule* hinges, uint32_t patch);

/* Begins a substep: clears the multipliers of a patch's hinges. */
void weft__hinges_start(const weft__hinge_schedule* hinges, uint32_t patch);

/* Removes the hinges of a patch that contain both particles, in solver order, whose link has
 * torn. */
void weft__hinges_tear(const weft__hinge_schedule* hinges, uint32_t patch, uint32_t a, uint32_t b);

/* True if a particle, in solver order, is being released. */
typedef bool weft__is_released(const void* context, uint32_t particle);

/* Removes the hinges of a patch whose particles are released; the particles of a hinge are all of
 * one body. */
void weft__hinges_release(const weft__hinge_schedule* hinges, uint32_t patch,
                          weft__is_released* lets_go, const void* context);

/* Visits the state: which hinges are removed. */
void weft__hinges_visit(weft__hinge_schedule* hinges, weft__archive* archive);

void weft__hinge_schedule_destroy(weft__hinge_schedule* hinges);

#endif
