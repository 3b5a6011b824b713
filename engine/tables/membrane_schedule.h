/* Frozen schedule of membrane elements, in pieces like hinges (hinge_schedule.h), solved last. */
#ifndef WEFT_TABLES_MEMBRANE_SCHEDULE_H
#define WEFT_TABLES_MEMBRANE_SCHEDULE_H

#include "tables/hinge_schedule.h"
#include "tables/membranes.h"

/* One group: weft__membrane. Empty lanes: gradients 0, compliances 1, the record past all. */
typedef struct weft__membrane_lanes {
  float gradient_u[2][WEFT__LANES];
  float gradient_v[2][WEFT__LANES];
  float compliance[WEFT__MEMBRANE_COMPLIANCES][WEFT__LANES];
  uint16_t index[3][WEFT__LANES]; /* records, in units of 8 bytes */
} weft__membrane_lanes;

/* Lagrange multipliers of this substep, joule seconds squared. */
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
  float rate_squared;                     /* 1/seconds^2: 1 / substep^2 */
} weft__membrane_schedule;

void weft__membrane_clear_lane(weft__membrane_lanes* lanes, uint32_t lane);

static inline bool weft__membrane_is_empty(const weft__membrane_lanes* lanes, uint32_t lane) {
  return lanes->gradient_u[0][lane] == 0.0f && lanes->gradient_v[0][lane] == 0.0f;
}

/* In lane groups of links. */
uint32_t weft__membrane_cost(const weft__membrane_schedule* membranes, uint32_t patch);

void weft__membranes_start(const weft__membrane_schedule* membranes, uint32_t patch);

/* Ends of a torn link, solver order. */
void weft__membranes_tear(const weft__membrane_schedule* membranes, uint32_t patch, uint32_t a,
                          uint32_t b);

void weft__membranes_release(const weft__membrane_schedule* membranes, uint32_t patch,
                             weft__is_released* lets_go, const void* context);

#endif
