/* Frozen schedule of the bend elements of meshes, in solver order and layout; sheets have theirs in
 * tables/bend_lines.h. A patch's sweep solves its links, then its hinges, in pieces: groups of 16
 * hinges of any kind, solved on records like fans, see tables/runs.h. A patch has several pieces
 * only if its hinges touch too many particles for one.
 *
 * No two hinges of a group share a particle. Particles of segments that belong to no hinge are
 * stored back unchanged, and count as touched by the patch. */
#ifndef WEFT_TABLES_HINGE_SCHEDULE_H
#define WEFT_TABLES_HINGE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/columns.h"
#include "tables/runs.h"

/* One group of a piece. Empty lanes are all 0 and their index is the record past all others, as is
 * the index of the missing particle of a three-particle hinge. */
typedef struct weft__hinge_lanes {
  float coefficient[4][WEFT__LANES];
  float rest_length[WEFT__LANES]; /* metres */
  float compliance[WEFT__LANES];  /* metres per newton */
  uint16_t index[4][WEFT__LANES]; /* records, in units of 8 bytes */
} weft__hinge_lanes;

/* Plasticity of a group's lanes: see weft__hinge. Elastic lanes have an infinite yield. */
typedef struct weft__hinge_yield {
  float yield[WEFT__LANES];           /* metres */
  float max_rest_length[WEFT__LANES]; /* metres */
} weft__hinge_yield;

/* Lagrange multipliers of a group's lanes in this substep, in kilogram metres: as vectors, each
 * change times the direction in which it acted. */
typedef struct weft__hinge_multiplier {
  float x[WEFT__LANES];
  float y[WEFT__LANES];
  float z[WEFT__LANES];
} weft__hinge_multiplier;

typedef struct weft__hinge_schedule {
  uint32_t hinge_count; /* 0: there are no columns */
  uint32_t piece_count;
  uint32_t lanes_count; /* groups */
  uint32_t segment_count;

  uint32_t* patch_first_piece; /* [patch_count + 1] */
  weft__piece* pieces;         /* [piece_count] */
  weft__segment* segments;     /* [segment_count] */
  /* steps write the rest lengths of plastic lanes */
  weft__hinge_lanes* lanes; /* [lanes_count] */
  bool is_plastic;          /* some hinges yield */
  weft__hinge_yield* yield; /* undefined if none does [lanes_count] */

  weft__hinge_multiplier* multipliers; /* written by steps [lanes_count] */
  uint32_t tracked_count;              /* multipliers that are read after steps */
  uint32_t* patch_first_lanes;         /* [patch_count + 1] */
  float rate_squared;                  /* 1 / substep^2 in 1/seconds^2, set by the stepper */
} weft__hinge_schedule;

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

#endif
