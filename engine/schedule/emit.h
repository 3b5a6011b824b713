/* Appends lane groups to a schedule under construction. */
#ifndef WEFT_SCHEDULE_EMIT_H
#define WEFT_SCHEDULE_EMIT_H

#include <stdbool.h>

#include "scene/scene.h"
#include "schedule/lane_pool.h"
#include "tables/schedule.h"

#define WEFT__NO_LINK WEFT__EMPTY_LANE

/* One lane group, or the two groups of a fan's slot, before it is emitted. */
typedef struct weft__lanes {
  uint32_t kind;                   /* weft__run_kind */
  uint32_t a, b;                   /* contiguous: particles of lane 0; fan: as in weft__run */
  uint32_t lane_count;             /* whole groups; more than one only in a fan */
  uint32_t link[WEFT__FAN_LANES];  /* the caller's numbers, WEFT__NO_LINK in empty lanes */
  uint16_t local[WEFT__FAN_LANES]; /* fan: records of the other ends */
} weft__lanes;

/* Growing columns of a schedule. */
typedef struct weft__emitter {
  weft__schedule* schedule;
  const weft__links* links;
  size_t run_capacity, batch_capacity, group_capacity, segment_capacity, structural_capacity;
  size_t index_a_capacity, index_b_capacity, local_capacity;
  size_t index_count, local_count;
  weft__lane_pool rest, stiffness, compliance, tear_ratio, slack_below, slack_above;
  uint32_t batch_first_group; /* runs do not extend across batches */
  uint32_t fan_centers;       /* first element of the last fan's centres in index_local */
} weft__emitter;

/* These return false if out of memory. */
bool weft__emit_batch_begin(weft__emitter* emitter);
bool weft__emit_lanes(weft__emitter* emitter, const weft__lanes* lanes);

/* Starts a fan: records of its centres, the record of empty lanes past them. Its slots follow. */
bool weft__emit_centers(weft__emitter* emitter, const uint16_t centers[WEFT__FAN_LANES]);

/* Rolls back to the state copied to `mark`, with the schedule's counts in `counts`; grown memory
 * stays. */
void weft__emit_rewind(weft__emitter* emitter, const weft__emitter* mark,
                       const weft__schedule* counts);

/* Moves the columns to aligned memory of their final size. */
bool weft__emit_finish(weft__emitter* emitter);

#endif
