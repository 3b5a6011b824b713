/* Frozen schedule of the bend elements: every hinge of a scene in solver order and layout. A
 * patch's sweep solves its links, then its hinges: runs first, then pieces.
 *
 *   run      groups of 16 sheet hinges, c = (1, -2, 1), whose particles are consecutive in memory:
 *            a group is plain vector loads and stores on the particle columns. Lane l of group g
 *            has, by kind,
 *
 *              apart    particles first[0] + 16 g + l, first[1] + 16 g + l, first[2] + 16 g + l:
 *                       hinges across the rows of a tile
 *              paired   particles first[0] + 32 g + 2 l, first[1] + 32 g + 2 l and the one after
 *                       the first of these: hinges along a row, whose outer particles are one class
 *                       of the tile and its middle ones another
 *
 *                           x0  x2  x0  x2       lanes 0 1 ..; the hinges x2 o x0 in between
 *                             x1  o   x1  o      are another group's
 *
 *   piece    groups of 16 hinges of any kind, solved on records like fans: see tables/schedule.h.
 *            A patch has several pieces only if its hinges touch too many particles for one
 *
 * No two hinges of a group share a particle. Particles in a run's windows that belong to no hinge
 * are stored back unchanged, and count as touched by the patch, as those of segments do. */
#ifndef WEFT_TABLES_HINGE_SCHEDULE_H
#define WEFT_TABLES_HINGE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT__HINGE_LANES 16u

typedef enum weft__hinge_kind { WEFT__HINGES_SEPARATE, WEFT__HINGES_PAIRED } weft__hinge_kind;

typedef struct weft__hinge_run {
  uint32_t kind;        /* weft__hinge_kind */
  uint32_t first_group; /* groups [first_group, first_group + group_count) */
  uint32_t group_count;
  uint32_t first[3];          /* particles of lane 0 of the first group; paired: two */
  uint32_t compliance;        /* first element of the first group in compliance */
  uint32_t compliance_stride; /* WEFT__HINGE_LANES, or 0 if the whole run has the same compliance */
} weft__hinge_run;

/* One group of a piece. Empty lanes are all 0 and their index is the record past all others; so is
 * that of the missing particle of a three-particle hinge. */
typedef struct weft__hinge_lanes {
  float coefficient[4][WEFT__HINGE_LANES];
  float rest_length[WEFT__HINGE_LANES]; /* metres */
  float compliance[WEFT__HINGE_LANES];  /* metres per newton */
  uint16_t index[4][WEFT__HINGE_LANES]; /* records, in units of 8 bytes */
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
  float x[WEFT__HINGE_LANES];
  float y[WEFT__HINGE_LANES];
  float z[WEFT__HINGE_LANES];
} weft__hinge_multiplier;

struct weft__segment; /* tables/schedule.h */

typedef struct weft__hinge_schedule {
  uint32_t hinge_count; /* 0: there are no columns */
  uint32_t run_count;
  uint32_t group_count; /* in runs */
  uint32_t piece_count;
  uint32_t lanes_count; /* groups in pieces */
  uint32_t segment_count;

  uint32_t* patch_first_run;      /* [patch_count + 1] */
  uint32_t* patch_first_piece;    /* [patch_count + 1] */
  weft__hinge_run* runs;          /* [run_count] */
  uint16_t* lane_mask;            /* lanes of runs that hold a hinge [group_count] */
  float* compliance;              /* metres per newton, whole lane groups */
  weft__hinge_piece* pieces;      /* [piece_count] */
  struct weft__segment* segments; /* [segment_count] */
  weft__hinge_lanes* lanes;       /* [lanes_count] */

  /* the only column that steps write: runs first, then pieces */
  weft__hinge_multiplier* pulls; /* [group_count + lanes_count] */
  uint32_t* patch_first_group;   /* prefix offsets into those of runs [patch_count + 1] */
  uint32_t* patch_first_lanes;   /* prefix offsets into those of pieces [patch_count + 1] */
  float rate_squared;            /* 1 / substep^2 in 1/seconds^2, set by the stepper */

  size_t bytes;
} weft__hinge_schedule;

/* Particle stride between groups of a run. */
static inline uint32_t weft__hinge_step(const weft__hinge_run* run) {
  return run->kind == WEFT__HINGES_PAIRED ? 2 * WEFT__HINGE_LANES : WEFT__HINGE_LANES;
}

/* Particles of a lane of a run, lanes counted through all of its groups: outer ones first and last,
 * no fourth. */
static inline void weft__hinge_run_lane(const weft__hinge_run* run, uint32_t lane,
                                        uint32_t particle[4]) {
  const bool is_paired = run->kind == WEFT__HINGES_PAIRED;
  const uint32_t along = is_paired ? 2 * lane : lane;
  particle[0] = run->first[0] + along;
  particle[1] = run->first[1] + along;
  particle[2] = is_paired ? particle[0] + 1 : run->first[2] + lane;
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

void weft__hinge_schedule_destroy(weft__hinge_schedule* hinges);

#endif
