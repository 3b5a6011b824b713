/* Contact events: contacts that stages note in each substep become events at the end of the step.
 *
 * Each worker appends notes to its own list; neither worker nor order may show in the events. Notes
 * of a pair are merged into one *touch*, with impulses summed in fixed point. A full list is
 * sorted, keeps the first touches (by particle, then colliders before particles, then by number)
 * and drops the rest: touches first in the step are first in their list, so the same ones remain
 * for any number of workers.
 *
 * At the end of the step the sorted lists are merged and compared with the previous step's. Where a
 * slot has another generation than then, the contact with the former one has ended. */
#ifndef WEFT_COLLISION_EVENT_LOG_H
#define WEFT_COLLISION_EVENT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"
#include "collision/materials.h"
#include "collision/touches.h"
#include "parallel/step_context.h"
#include "weft/weft.h"

static inline weft__contact_place weft__contact_place_of(const weft__material* material,
                                                         weft__vec3 position, weft__vec3 normal) {
  const double reach = weft__material_support(material, normal);
  const weft__vec3 point = weft__minus(position, weft__scaled(reach, normal));
  return (weft__contact_place){{(float)normal.x, (float)normal.y, (float)normal.z},
                               {(float)point.x, (float)point.y, (float)point.z}};
}

typedef struct weft__contact_note {
  uint32_t particle;   /* caller's number */
  uint32_t other;      /* slot of a collider, or higher particle number */
  uint32_t generation; /* 0: `other` is a particle */
  uint32_t substep;
  weft__vec3 impulse; /* newton seconds on the particle */
  weft__contact_place place;
} weft__contact_note;

typedef struct weft__touching {
  uint64_t pair;       /* as in weft__touch */
  uint32_t generation; /* collider's; 0: two particles */
  /* sum of its particles' generations, which only grow: another sum is another pair */
  uint32_t life;
  weft__touch_impulse impulse;
  float point[3];
} weft__touching; /* without padding: rows are saved as they are */

typedef struct weft__contact_log {
  bool on; /* events are requested; otherwise notes must not be written */
  bool with_stays;
  uint32_t worker_count;
  uint32_t max_touches;
  weft__touch_list* lists; /* [worker_count] */
  uint32_t* heap;          /* scratch [2 x worker_count] */

  weft__touching* now; /* in the last step, by pair [touch_capacity] */
  weft__touching* last;
  uint32_t now_count;
  uint32_t touch_capacity; /* max_touches, or the pairs when limits were set */

  weft_contact_event* events; /* ring [max_events] */
  uint32_t max_events;
  uint32_t first_event;
  uint32_t event_count;

  uint64_t step; /* completed */
  uint64_t lost_touches;
  uint64_t lost_events;
  size_t bytes;
} weft__contact_log;

extern const weft__table weft__contact_log_table;

/* Keeps the oldest pending events that fit; on if limits.max_events > 0. False, with nothing
 * changed, if out of memory. */
bool weft__contact_log_prepare(weft__contact_log* log, const weft_contact_limits_def* limits,
                               uint32_t particle_count, uint32_t worker_count);

void weft__contact_log_destroy(weft__contact_log* log);

/* Notes a contact in the list of `worker`, in any order. Only while the log is on. */
void weft__contact_log_note(weft__contact_log* log, uint32_t worker,
                            const weft__contact_note* note);

/* Turns the notes of a step into events. Only while the log is on. */
void weft__contact_log_end_step(weft__contact_log* log, const weft__step_context* step);

/* Removes the oldest events, at most `capacity`; returns their number. */
uint32_t weft__contact_log_take(weft__contact_log* log, uint32_t capacity,
                                weft_contact_event* events);

/* Visits the state between steps. A check replaces a log of other limits, and leaves the memory of
 * the former one to the caller. */
void weft__contact_log_visit(weft__contact_log* log, weft__archive* archive, uint32_t worker_count);

#endif
