/* What touches what: told by the stages of contacts in each substep, made into events at the end of the step.
 *
 * Every worker writes notes into a list of its own. Which worker notes what is up to chance, and so is the order:
 * neither may show. Notes about the same two become one *touch*, and what was done in all substeps is added in
 * fixed point, in which the order makes no difference. A list that is full is sorted, keeps the touches that come
 * first, by particle, then colliders before particles, then by number, and drops the rest: what comes first in the
 * whole step comes first in the list of its worker, too, so that the same touches are left whatever the workers.
 *
 * At the end of the step each worker sorts its list. One merges them, leaves out what no longer touched in the
 * last substep, and compares that, line by line, with what touched a step before. */
#ifndef WEFT_COLLISION_EVENT_LOG_H
#define WEFT_COLLISION_EVENT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "parallel/worker_pool.h"
#include "weft/weft.h"

/* One contact in one substep. */
typedef struct weft__contact_note {
  uint32_t particle; /* by the caller's number */
  uint32_t other;    /* a collider, or a particle with a higher number */
  bool is_collider;
  uint32_t substep;
  float impulse;   /* newton seconds along the normal */
  float normal[3]; /* from `other` to the particle */
} weft__contact_note;

/* Two that touch at the end of a step. */
typedef struct weft__touching {
  uint64_t pair; /* see weft__touch */
  float impulse;
  float normal[3];
  bool is_gone; /* its collider is: it ends, whatever comes in its place */
} weft__touching;

typedef struct weft__touch_list weft__touch_list;

typedef struct weft__contact_log {
  bool on; /* events are wanted: else there is nothing to note */
  bool with_stays;
  uint32_t worker_count;
  uint32_t max_touches;
  weft__touch_list* lists; /* [worker_count] */
  uint32_t* heap;          /* room for merging them: lists [worker_count] */

  weft__touching* now; /* what touches: those of the last step, by pair [touch_room] */
  weft__touching* last;
  uint32_t now_count;
  uint32_t touch_room; /* max_touches, or as many as touched when they were set */

  weft_contact_event* events; /* that wait, a ring [max_events] */
  uint32_t max_events;
  uint32_t first_event;
  uint32_t event_count;

  uint64_t step; /* steps that have ended */
  uint64_t lost_touches;
  uint64_t lost_events;
  size_t bytes;
} weft__contact_log;

/* Makes room as the limits say; events that wait are kept, the oldest that fit. On where limits.max_events > 0.
 * False when memory cannot be had; then all is as before. */
bool weft__contact_log_prepare(weft__contact_log* log, const weft_contact_limits* limits,
                               uint32_t particle_count, uint32_t worker_count);

void weft__contact_log_destroy(weft__contact_log* log);

/* Notes a contact; called by any worker, for its own list, in any order of those in a substep. A stage notes the
 * same two once a substep. Only while the log is on. */
void weft__contact_log_note(weft__contact_log* log, uint32_t worker,
                            const weft__contact_note* note);

/* Makes events of what was noted in a step of so many substeps. Called by all workers, which have met; they meet
 * in it. Only while the log is on. */
void weft__contact_log_end_step(weft__contact_log* log, uint32_t substeps, weft__worker_pool* pool,
                                uint32_t worker);

/* A collider is no more: what touches it ends with the next step, though another may get its number. */
void weft__contact_log_forget_collider(weft__contact_log* log, uint32_t collider);

/* Takes the oldest events out, at most `capacity`; returns how many. */
uint32_t weft__contact_log_take(weft__contact_log* log, uint32_t capacity,
                                weft_contact_event* events);

#endif
