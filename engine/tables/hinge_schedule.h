/* The frozen bend elements: every hinge of a scene in the order and the shape in which the solver meets
 * it. A patch's sweep solves its links, and then its hinges: first its runs, then its pieces.
 *
 *   run      groups of 16 sheet hinges, c = (1, -2, 1), whose particles are consecutive in memory, so
 *            that a group is plain vector loads and stores on the particle columns. Lane l of its
 *            group g has, by kind,
 *
 *              apart    particles first[0] + 16 g + l, first[1] + 16 g + l, first[2] + 16 g + l:
 *                       hinges across the rows of a tile
 *              paired   particles first[0] + 32 g + 2 l, first[1] + 32 g + 2 l and the one after the
 *                       first of these: hinges along a row, whose outer particles are one class of
 *                       the tile and its middle ones another
 *
 *                           x0  x2  x0  x2       lanes 0 1 ..; the hinges x2 o x0 in between
 *                             x1  o   x1  o      are another group's
 *
 *   piece    groups of 16 hinges of any kind, solved on records, as fans are: see tables/schedule.h.
 *            A patch has more than one piece only if its hinges touch too many particles for one
 *
 * No two hinges of a group share a particle. Particles that lie in a run's windows but belong to no hinge
 * are stored back as they were, and count as touched by the patch, as those of segments do. */
#ifndef WEFT_TABLES_HINGE_SCHEDULE_H
#define WEFT_TABLES_HINGE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT__HINGE_LANES 16u

typedef enum weft__hinge_kind { WEFT__HINGES_APART, WEFT__HINGES_PAIRED } weft__hinge_kind;

typedef struct weft__hinge_run {
  uint32_t kind;        /* weft__hinge_kind */
  uint32_t first_group; /* groups [first_group, first_group + group_count) */
  uint32_t group_count;
  uint32_t first[3];          /* particles of lane 0 of the first group; paired: two */
  uint32_t compliance;        /* of the first group: first element in compliance */
  uint32_t compliance_stride; /* WEFT__HINGE_LANES, or 0 where one serves the whole run */
} weft__hinge_run;

/* One group of a piece. All is 0 in an empty lane, and its index names the record past all others; so
 * does that of the particle which a hinge of three lacks. */
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

/* What the lanes of a group have pulled in this substep, in kilogram metres: their multipliers, each times
 * the direction in which it worked. */
typedef struct weft__hinge_pull {
  float x[WEFT__HINGE_LANES];
  float y[WEFT__HINGE_LANES];
  float z[WEFT__HINGE_LANES];
} weft__hinge_pull;

struct weft__segment; /* of tables/schedule.h */

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
  float* compliance;              /* metres per newton, whole groups of lanes */
  weft__hinge_piece* pieces;      /* [piece_count] */
  struct weft__segment* segments; /* [segment_count] */
  weft__hinge_lanes* lanes;       /* [lanes_count] */

  /* the one thing here that a step changes: those of runs, then those of pieces */
  weft__hinge_pull* pulls;     /* [group_count + lanes_count] */
  uint32_t* patch_first_group; /* among those of runs [patch_count + 1] */
  uint32_t* patch_first_lanes; /* among those of pieces [patch_count + 1] */
  float rate_squared;          /* one over the substep squared, 1/seconds^2: set by whoever steps */

  size_t bytes;
} weft__hinge_schedule;

/* How many particles the next group of a run is further on. */
static inline uint32_t weft__hinge_step(const weft__hinge_run* run) {
  return run->kind == WEFT__HINGES_PAIRED ? 2 * WEFT__HINGE_LANES : WEFT__HINGE_LANES;
}

/* The particles of a lane of a run, the lanes counted through all of its groups: the outer ones first and last,
 * and none fourth. */
static inline void weft__hinge_run_lane(const weft__hinge_run* run, uint32_t lane,
                                        uint32_t particle[4]) {
  const bool is_paired = run->kind == WEFT__HINGES_PAIRED;
  const uint32_t along = is_paired ? 2 * lane : lane;
  particle[0] = run->first[0] + along;
  particle[1] = run->first[1] + along;
  particle[2] = is_paired ? particle[0] + 1 : run->first[2] + lane;
  particle[3] = UINT32_MAX;
}

/* What a sweep over a patch's hinges costs, in lane groups of links. */
uint32_t weft__hinge_cost(const weft__hinge_schedule* hinges, uint32_t patch);

/* Begins a substep: a patch's hinges have pulled nothing yet. */
void weft__hinges_start(const weft__hinge_schedule* hinges, uint32_t patch);

/* Removes those hinges of a patch that both particles belong to, in solver order: a link between them has
 * been torn. */
void weft__hinges_tear(const weft__hinge_schedule* hinges, uint32_t patch, uint32_t a, uint32_t b);

/* Whether a particle, in solver order, is one of those that are let go. */
typedef bool weft__lets_go(const void* context, uint32_t particle);

/* Removes those hinges of a patch whose particles are let go, which are all of one body. */
void weft__hinges_let_go(const weft__hinge_schedule* hinges, uint32_t patch, weft__lets_go* lets_go,
                         const void* context);

void weft__hinge_schedule_destroy(weft__hinge_schedule* hinges);

#endif
