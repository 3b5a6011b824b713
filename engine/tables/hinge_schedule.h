/* Frozen schedule of the bend elements of meshes; sheets' are in modules/bending/lines.h. A sweep
 * solves a patch's links, then its hinges, in pieces (schedule/pieces.h): groups of 16 on records,
 * like fans (tables/runs.h), no two of which share a particle. Particles of segments without a
 * hinge are stored back unchanged, and count as touched by the patch. */
#ifndef WEFT_TABLES_HINGE_SCHEDULE_H
#define WEFT_TABLES_HINGE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/columns.h"
#include "tables/runs.h"

/* Empty lanes are 0; their index, and a three-particle hinge's fourth, is past all records. */
typedef struct weft__hinge_lanes {
  float coefficient[4][WEFT__LANES];
  float rest_length[WEFT__LANES]; /* metres */
  float compliance[WEFT__LANES];  /* metres per newton */
  uint16_t index[4][WEFT__LANES]; /* records, in units of 8 bytes */
} weft__hinge_lanes;

/* Elastic lanes have an infinite yield: weft__hinge. */
typedef struct weft__hinge_yield {
  float yield[WEFT__LANES];           /* metres */
  float max_rest_length[WEFT__LANES]; /* metres */
} weft__hinge_yield;

/* Lagrange multipliers of this substep, kilogram metres: each change times its direction. */
typedef struct weft__hinge_multiplier {
  float x[WEFT__LANES];
  float y[WEFT__LANES];
  float z[WEFT__LANES];
} weft__hinge_multiplier;

typedef struct weft__hinge_schedule {
  uint32_t hinge_count; /* 0: there are no columns */
  uint32_t piece_count;
  uint32_t lanes_count;
  uint32_t segment_count;

  uint32_t* patch_first_piece; /* [patch_count + 1] */
  weft__piece* pieces;         /* [piece_count] */
  weft__segment* segments;     /* [segment_count] */
  /* rest lengths of plastic lanes are written by steps */
  weft__hinge_lanes* lanes; /* [lanes_count] */
  bool is_plastic;          /* some hinges yield */
  weft__hinge_yield* yield; /* undefined if none does [lanes_count] */

  weft__hinge_multiplier* multipliers; /* written by steps [lanes_count] */
  uint32_t tracked_count;              /* read after steps */
  uint32_t* patch_first_lanes;         /* [patch_count + 1] */
  float rate_squared;                  /* 1/seconds^2: 1 / substep^2 */
} weft__hinge_schedule;

/* In lane groups of links. */
uint32_t weft__hinge_cost(const weft__hinge_schedule* hinges, uint32_t patch);

void weft__hinges_start(const weft__hinge_schedule* hinges, uint32_t patch);

/* Removes a patch's hinges with both ends, in solver order, of a torn link. */
void weft__hinges_tear(const weft__hinge_schedule* hinges, uint32_t patch, uint32_t a, uint32_t b);

typedef bool weft__is_released(const void* context, uint32_t particle);

/* Particles of a hinge are of one body. */
void weft__hinges_release(const weft__hinge_schedule* hinges, uint32_t patch,
                          weft__is_released* lets_go, const void* context);

#endif
