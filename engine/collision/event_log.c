#include "collision/event_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "collision/touches.h"

// as many touches as there are particles, within these, where nothing else is asked for
#define LEAST_TOUCHES 1024u
#define MOST_TOUCHES (1u << 18)

// ---- making and destroying ----

static uint32_t usual_touches(uint32_t particle_count) {
  if (particle_count < LEAST_TOUCHES) return LEAST_TOUCHES;
  return particle_count < MOST_TOUCHES ? particle_count : MOST_TOUCHES;
}

static bool create_lists(weft__contact_log* log) {
  log->lists = weft__alloc_zeroed(log->worker_count, sizeof(*log->lists));
  log->heap = weft__alloc((size_t)2 * log->worker_count, sizeof(*log->heap));
  if (log->lists == NULL || log->heap == NULL) return false;
  log->bytes += log->worker_count * (sizeof(*log->lists) + 2 * sizeof(*log->heap));
  for (uint32_t worker = 0; worker < log->worker_count; ++worker) {
    if (!weft__touch_list_create(&log->lists[worker], log->max_touches)) return false;
    log->bytes += weft__touch_list_bytes(&log->lists[worker]);
  }
  return true;
}

static bool create_room(weft__contact_log* log) {
  log->now = weft__alloc(log->touch_room, sizeof(*log->now));
  log->last = weft__alloc(log->touch_room, sizeof(*log->last));
  log->events = weft__alloc(log->max_events, sizeof(*log->events));
  if (log->now == NULL || log->last == NULL || log->events == NULL) return false;
  log->bytes += (size_t)2 * log->touch_room * sizeof(*log->now) +
                (size_t)log->max_events * sizeof(*log->events);
  return create_lists(log);
}

static void free_room(weft__contact_log* log) {
  for (uint32_t worker = 0; log->lists != NULL && worker < log->worker_count; ++worker) {
    weft__touch_list_destroy(&log->lists[worker]);
  }
  free(log->lists);
  free(log->heap);
  free(log->now);
  free(log->last);
  free(log->events);
}

// what the old log knows: the oldest events, and all that touches, so that what ends is told
static void move_in(weft__contact_log* log, weft__contact_log* old) {
  if (log->on) {
    log->event_count = weft__contact_log_take(old, log->max_events, log->events);
    log->now_count = old->now_count;
    if (old->now_count > 0) memcpy(log->now, old->now, old->now_count * sizeof(*log->now));
  }
  log->lost_events += old->event_count;
}

bool weft__contact_log_prepare(weft__contact_log* log, const weft_contact_limits* limits,
                               uint32_t particle_count, uint32_t worker_count) {
  weft__contact_log made = {
      .on = limits->max_events > 0,
      .with_stays = limits->with_stays,
      .worker_count = worker_count,
      .max_touches = limits->max_touches > 0 ? limits->max_touches : usual_touches(particle_count),
      .max_events = limits->max_events,
      .step = log->step,
      .lost_touches = log->lost_touches,
      .lost_events = log->lost_events,
  };
  made.touch_room = made.max_touches > log->now_count ? made.max_touches : log->now_count;
  if (made.on && !create_room(&made)) {
    free_room(&made);
    return false;
  }
  move_in(&made, log);
  free_room(log);
  *log = made;
  return true;
}

void weft__contact_log_destroy(weft__contact_log* log) {
  free_room(log);
  *log = (weft__contact_log){0};
}

// ---- in a step ----

void weft__contact_log_note(weft__contact_log* log, uint32_t worker,
                            const weft__contact_note* note) {
  const uint64_t pair = weft__pair_of(note->particle, note->other, note->is_collider);
  weft__touch_list_add(&log->lists[worker], pair, note->substep, note->impulse, note->normal);
}

static void tell(weft__contact_log* log, weft_contact_event_kind kind, const weft__touching* two) {
  if (log->event_count == log->max_events) {
    ++log->lost_events;
    return;
  }
  const uint64_t at = (uint64_t)log->first_event + log->event_count++;
  weft_contact_event* event = &log->events[at % log->max_events];
  *event = (weft_contact_event){
      .kind = kind,
      .particle = (uint32_t)(two->pair >> 32),
      .other = (uint32_t)two->pair & INT32_MAX,
      .is_collider = (two->pair >> 31 & 1) == 0,
      .step = log->step,
  };
  if (kind == WEFT_CONTACT_END) return;
  event->impulse = two->impulse;
  memcpy(event->normal, two->normal, sizeof(event->normal));
}

static uint64_t count_notes(const weft__contact_log* log, uint32_t substep) {
  uint64_t count = 0;
  for (uint32_t worker = 0; worker < log->worker_count; ++worker) {
    const weft__touch_list* list = &log->lists[worker];
    if (list->substep == substep) count += list->note_count;
  }
  return count;
}

// What touched in the last substep becomes what touches now, and that what touched before.
static void merge(weft__contact_log* log, uint32_t last_substep) {
  weft__touching* swap = log->last;
  log->last = log->now;
  log->now = swap;
  weft__touch_merge merge = weft__touch_merge_begin(log->lists, log->worker_count, log->heap,
                                                    log->heap + log->worker_count);
  uint64_t left_out = count_notes(log, last_substep);
  weft__touch touch;
  uint32_t now_count = 0;
  for (uint32_t i = 0; i < log->max_touches && weft__touch_merge_next(&merge, &touch); ++i) {
    if (touch.substep != last_substep) continue;
    left_out -= touch.note_count;
    weft__touching* two = &log->now[now_count++];
    *two = (weft__touching){.pair = touch.pair, .impulse = weft__touch_impulse(&touch)};
    memcpy(two->normal, touch.normal, sizeof(two->normal));
  }
  log->now_count = now_count;
  log->lost_touches += left_out;
}

// both lists are ascending
static void compare(weft__contact_log* log, uint32_t last_count) {
  uint32_t before = 0;
  for (uint32_t i = 0; i < log->now_count; ++i) {
    const weft__touching* two = &log->now[i];
    for (; before < last_count && log->last[before].pair < two->pair; ++before) {
      tell(log, WEFT_CONTACT_END, &log->last[before]);
    }
    const bool was_there = before < last_count && log->last[before].pair == two->pair;
    const bool has_ended = was_there && log->last[before].is_gone;
    if (has_ended) tell(log, WEFT_CONTACT_END, &log->last[before]);
    if (was_there) ++before;
    if (!was_there || has_ended) {
      tell(log, WEFT_CONTACT_BEGIN, two);
    } else if (log->with_stays) {
      tell(log, WEFT_CONTACT_STAY, two);
    }
  }
  for (; before < last_count; ++before) tell(log, WEFT_CONTACT_END, &log->last[before]);
}

typedef struct step_end {
  weft__contact_log* log;
  uint32_t substeps;
} step_end;

// completion
static uint32_t write_events(void* context) {
  const step_end* end = context;
  weft__contact_log* log = end->log;
  const uint32_t last_count = log->now_count;
  merge(log, end->substeps - 1);
  compare(log, last_count);
  for (uint32_t i = 0; i < log->worker_count; ++i) weft__touch_list_clear(&log->lists[i]);
  return 0;
}

void weft__contact_log_end_step(weft__contact_log* log, uint32_t substeps, weft__worker_pool* pool,
                                uint32_t worker) {
  weft__touch_list_settle(&log->lists[worker]);
  step_end end = {log, substeps};
  (void)weft__worker_pool_decide(pool, write_events, &end);
}

// ---- between steps ----

void weft__contact_log_forget_collider(weft__contact_log* log, uint32_t collider) {
  for (uint32_t i = 0; i < log->now_count; ++i) {
    // colliders have the lower half of the numbers
    if ((uint32_t)log->now[i].pair == collider) log->now[i].is_gone = true;
  }
}

uint32_t weft__contact_log_take(weft__contact_log* log, uint32_t capacity,
                                weft_contact_event* events) {
  const uint32_t count = capacity < log->event_count ? capacity : log->event_count;
  for (uint32_t i = 0; i < count; ++i) {
    events[i] = log->events[log->first_event];
    if (++log->first_event == log->max_events) log->first_event = 0;
  }
  log->event_count -= count;
  return count;
}
