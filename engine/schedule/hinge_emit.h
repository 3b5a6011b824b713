/* Appends hinges to a schedule under construction. */
#ifndef WEFT_SCHEDULE_HINGE_EMIT_H
#define WEFT_SCHEDULE_HINGE_EMIT_H

#include <stdbool.h>

#include "base/sort.h"
#include "scene/scene.h"
#include "schedule/lane_pool.h"
#include "schedule/order.h"
#include "tables/schedule.h"

#define WEFT__NO_HINGE WEFT__EMPTY_LANE

/* One lane group of a run, before it is emitted. */
typedef struct weft__hinge_window {
  uint32_t kind;                     /* weft__hinge_kind */
  uint32_t first[3];                 /* as in weft__hinge_run */
  uint32_t hinge[WEFT__HINGE_LANES]; /* the scene's numbers, WEFT__NO_HINGE in empty lanes */
} weft__hinge_window;

/* Growing columns of a schedule, and the piece being filled. */
typedef struct weft__hinge_emitter {
  weft__schedule* schedule;
  const weft__order* order;
  const weft__hinges* hinges;
  size_t run_capacity, mask_capacity;
  weft__lane_pool compliance;
  size_t piece_capacity, segment_capacity, lanes_capacity;
  uint32_t* pending; /* hinges of the piece, WEFT__NO_HINGE in empty lanes [pending_count] */
  size_t pending_count, pending_capacity;
  uint32_t* touched_by;     /* last piece, plus 1, that touches a particle [particle_count] */
  uint32_t* local_of;       /* its record in that piece [particle_count] */
  weft__sort_item* touched; /* particles of the piece, and scratch to sort them */
  uint32_t touched_count;
} weft__hinge_emitter;

/* These return false if out of memory; the caller destroys the emitter, and the schedule's hinges,
 * in either case. */
bool weft__hinge_emitter_create(weft__hinge_emitter* emitter, weft__schedule* schedule,
                                const weft__order* order, const weft__hinges* hinges);
void weft__hinge_emitter_destroy(weft__hinge_emitter* emitter);

/* Bracket the hinges of a patch: windows first, then groups of pieces. */
void weft__hinge_emit_patch_begin(weft__hinge_emitter* emitter, uint32_t patch);
bool weft__hinge_emit_patch_end(weft__hinge_emitter* emitter);

bool weft__hinge_emit_window(weft__hinge_emitter* emitter, uint32_t patch,
                             const weft__hinge_window* window);

/* Emits up to WEFT__HINGE_LANES hinges that share no particle: the values of `items`. */
bool weft__hinge_emit_group(weft__hinge_emitter* emitter, const weft__sort_item* items,
                            uint32_t count);

/* Moves the columns to aligned memory of their final size, and allocates the multipliers. */
bool weft__hinge_emit_finish(weft__hinge_emitter* emitter);

#endif
