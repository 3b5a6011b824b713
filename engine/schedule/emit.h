/* Appends lane groups to a schedule under construction, which the caller destroys. */
#ifndef WEFT_SCHEDULE_EMIT_H
#define WEFT_SCHEDULE_EMIT_H

#include <stdbool.h>

#include "base/sort.h"
#include "schedule/constraints.h"
#include "tables/schedule.h"

#define WEFT__EMPTY_LANE UINT32_MAX

/* Particles closer than this share a segment with those between: long vectors copy it. */
#define WEFT__SEGMENT_GAP 8u

typedef struct weft__lanes {
  uint16_t kind;                   /* weft__run_kind */
  uint32_t first[2];               /* a and b of weft__run */
  uint32_t lane_count;             /* whole groups; more than one in fans */
  uint32_t item[WEFT__FAN_LANES];  /* constraints, or WEFT__EMPTY_LANE */
  uint16_t local[WEFT__FAN_LANES]; /* fan: records of the other ends */
} weft__lanes;

typedef struct weft__emitter {
  weft__schedule* schedule;
  const weft__constraints* constraints;
  size_t count[WEFT__EMIT_COLUMNS];
  size_t capacity[WEFT__EMIT_COLUMNS];
  size_t batch_first_run; /* runs do not extend across batches */
  uint32_t fan_centers;   /* last fan's, in index_local */
} weft__emitter;

bool weft__emit_start(weft__emitter* emitter, uint32_t patch_count);

/* Undefined elements. */
void* weft__emit_append(weft__emitter* emitter, weft__emitted column, size_t count);

void weft__emit_patch(const weft__emitter* emitter, uint32_t patch);

bool weft__emit_batch_begin(weft__emitter* emitter);
bool weft__emit_lanes(weft__emitter* emitter, const weft__lanes* lanes);

/* Covers particles, ascending keys, and numbers their records from *record_count. */
bool weft__emit_segments(weft__emitter* emitter, const weft__sort_item* particles, uint32_t count,
                         uint32_t* local_of, uint32_t* record_count);

/* Centres of a fan, whose slots follow; the record of empty lanes past them. */
bool weft__emit_centers(weft__emitter* emitter, const uint16_t centers[WEFT__FAN_LANES]);

/* Back to the state copied to `mark`; grown memory stays. */
void weft__emit_rewind(weft__emitter* emitter, const weft__emitter* mark);

/* Moves columns to memory of their final size, and allocates those that steps write. */
bool weft__emit_finish(weft__emitter* emitter, uint32_t patch_count);

#endif
