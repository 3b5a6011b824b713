/* Frozen schedule of the membrane elements: every triangle of a scene's membranes in solver order.
 * A patch's sweep solves its links, its bend elements, then these. All of them are in pieces,
 * solved on records: see tables/hinge_schedule.h. No two triangles of a group share a particle. */
#ifndef WEFT_TABLES_MEMBRANE_SCHEDULE_H
#define WEFT_TABLES_MEMBRANE_SCHEDULE_H

#include "tables/hinge_schedule.h"
#include "tables/membranes.h"

/* One group of a piece: see weft__membrane. The gradients of empty lanes are 0, their compliances 1
 * and their index is the record past all others. */
typedef struct weft__membrane_lanes {
  float gradient_u[2][WEFT__LANES];
  float gradient_v[2][WEFT__LANES];
  float compliance[WEFT__MEMBRANE_COMPLIANCES][WEFT__LANES];
  uint16_t index[3][WEFT__LANES]; /* records, in units of 8 bytes */
} weft__membrane_lanes;

/* Lagrange multipliers of a group's strains in this substep, in joule seconds squared. */
typedef struct weft__membrane_multiplier {
  float warp[WEFT__LANES];
  float weft[WEFT__LANES];
  float shear[WEFT__LANES];
} weft__membrane_multiplier;

typedef struct weft__membrane_schedule {
  uint32_t membrane_count; /* 0: there are no columns */
  uint32_t piece_count;
  uint32_t lanes_count;
  uint32_t segment_count;

  uint32_t* patch_first_piece; /* [patch_count + 1] */
  uint32_t* patch_first_lanes; /* [patch_count + 1] */
  weft__piece* pieces;         /* [piece_count] */
  weft__segment* segments;     /* [segment_count] */
  weft__membrane_lanes* lanes; /* [lanes_count] */

  weft__membrane_multiplier* multipliers; /* written by steps [lanes_count] */
  float rate_squared;                     /* 1 / substep^2 in 1/seconds^2, set by the stepper */
} weft__membrane_schedule;

/* Removes the triangle of a lane: it resists nothing from now on. */
void weft__membrane_clear_lane(weft__membrane_lanes* lanes, uint32_t lane);

static inline bool weft__membrane_is_empty(const weft__membrane_lanes* lanes, uint32_t lane) {
  return lanes->gradient_u[0][lane] == 0.0f && lanes->gradient_v[0][lane] == 0.0f;
}

/* Cost of a sweep over a patch's triangles, in lane groups of links. */
uint32_t weft__membrane_cost(const weft__membrane_schedule* membranes, uint32_t patch);

/* Begins a substep: clears the multipliers of a patch's triangles. */
void weft__membranes_start(const weft__membrane_schedule* membranes, uint32_t patch);

/* Removes the triangles of a patch that contain both particles, in solver order, whose link has
 * torn. */
void weft__membranes_tear(const weft__membrane_schedule* membranes, uint32_t patch, uint32_t a,
                          uint32_t b);

/* Removes the triangles of a patch whose particles are released. */
void weft__membranes_release(const weft__membrane_schedule* membranes, uint32_t patch,
                             weft__is_released* lets_go, const void* context);

#endif
