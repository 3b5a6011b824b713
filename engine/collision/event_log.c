#include "collision/event_log.h"

#include <string.h>

// Default capacity: one touch for each particle, within bounds.
#define MIN_DEFAULT_TOUCHES 1024u
#define MAX_DEFAULT_TOUCHES (1u << 18)

static const weft__column columns[] = {
    WEFT__MEMBER(weft__contact_log, step),
    WEFT__MEMBER(weft__contact_log, lost_touches),
    WEFT__MEMBER(weft__contact_log, lost_events),
    WEFT__MEMBER(weft__contact_log, now_count),
    WEFT__MEMBER(weft__contact_log, first_event),
    WEFT__MEMBER(weft__contact_log, event_count),
    WEFT__LIST(weft__contact_log, now, now_count, touch_capacity, WEFT__STATE),
    WEFT__COLUMN(weft__contact_log, last, touch_capacity, WEFT__SCRATCH),
    WEFT__COLUMN(weft__contact_log, events, max_events, 0),  // a ring, saved in its order
    WEFT__COLUMN(weft__contact_log, lists, worker_count, WEFT__SCRATCH),
    WEFT__COLUMN_TIMES(weft__contact_log, heap, 2, worker_count, 0, WEFT__SCRATCH),
};

static bool is_sound(const void* table) {
  const weft__contact_log* log = table;
  return log->first_event <= log->max_events && log->event_count <= log->max_events;
}

const weft__table weft__contact_log_table = {
    .columns = columns, .count = WEFT__COUNT_OF(columns), .is_sound = is_sound};

static uint32_t default_touches(uint32_t particle_count) {
  if (particle_count < MIN_DEFAULT_TOUCHES) return MIN_DEFAULT_TOUCHES;
  return particle_count < MAX_DEFAULT_TOUCHES ? particle_count : MAX_DEFAULT_TOUCHES;
}

static bool create_buffers(weft__contact_log* log) {
  if (!weft__columns_add(log, &weft__contact_log_table, 0, &log->bytes)) return false;
  for (uint32_t worker = 0; worker < log->worker_count; ++worker) {
    if (!weft__touch_list_create(&log->lists[worker], log->max_touches)) return false;
    log->bytes += weft__touch_list_bytes(&log->lists[worker]);
  }
  return true;
}

static void free_buffers(weft__contact_log* log) {
  for (uint32_t worker = 0; log->lists != NULL && worker < log->worker_count; ++worker) {
    weft__touch_list_destroy(&log->lists[worker]);
  }
  weft__columns_free(log, &weft__contact_log_table);
}

// Keeps the oldest events, and the pairs in contact, so that their end is reported.
static void carry_over(weft__contact_log* log, weft__contact_log* old) {
  if (log->on) {
    log->event_count = weft__contact_log_take(old, log->max_events, log->events);
    log->now_count = old->now_count;
    if (old->now_count > 0) memcpy(log->now, old->now, old->now_count * sizeof(*log->now));
  }
  log->lost_events += old->event_count;
}

bool weft__contact_log_prepare(weft__contact_log* log, const weft_contact_limits_def* limits,
                               uint32_t particle_count, uint32_t worker_count) {
  weft__contact_log made = {
      .on = limits->max_events > 0,
      .with_stays = limits->with_stays,
      .worker_count = worker_count,
      .max_touches =
          limits->max_touches > 0 ? limits->max_touches : default_touches(particle_count),
      .max_events = limits->max_events,
      .step = log->step,
      .lost_touches = log->lost_touches,
      .lost_events = log->lost_events,
  };
  made.touch_capacity = made.max_touches > log->now_count ? made.max_touches : log->now_count;
  if (made.on && !create_buffers(&made)) {
    free_buffers(&made);
    return false;
  }
  carry_over(&made, log);
  free_buffers(log);
  *log = made;
  return true;
}

void weft__contact_log_destroy(weft__contact_log* log) {
  free_buffers(log);
  *log = (weft__contact_log){0};
}

void weft__contact_log_note(weft__contact_log* log, uint32_t worker,
                            const weft__contact_note* note) {
  const uint64_t pair = weft__pair_of(note->particle, note->other, note->generation != 0);
  weft__touch_list_add(&log->lists[worker], pair, note->generation, note->substep, note->impulse,
                       &note->place);
}

static void push_event(weft__contact_log* log, weft_contact_event_kind kind,
                       const weft__touching* touching) {
  if (log->event_count == log->max_events) {
    ++log->lost_events;
    return;
  }
  const uint64_t at = (uint64_t)log->first_event + log->event_count++;
  weft_contact_event* event = &log->events[at % log->max_events];
  const uint32_t other = (uint32_t)touching->pair & INT32_MAX;
  const bool is_collider = touching->generation != 0;
  *event = (weft_contact_event){
      .kind = kind,
      .particle = (uint32_t)(touching->pair >> 32),
      .other = is_collider ? 0 : other,
      .collider = {is_collider ? other : 0, touching->generation},
      .step = log->step,
  };
  if (kind == WEFT_CONTACT_EVENT_END) return;
  const weft__touch_impulse* impulse = &touching->impulse;
  event->impulse = impulse->along;
  memcpy(event->normal, impulse->normal, sizeof(event->normal));
  memcpy(event->friction, impulse->friction, sizeof(event->friction));
  memcpy(event->point, touching->point, sizeof(event->point));
}

static uint64_t count_notes(const weft__contact_log* log) {
  uint64_t count = 0;
  for (uint32_t worker = 0; worker < log->worker_count; ++worker)
    count += log->lists[worker].note_count;
  return count;
}

static uint32_t life_of(const weft__reserve* reserve, uint64_t pair, uint32_t generation) {
  const uint32_t life = weft__reserve_generation(reserve, (uint32_t)(pair >> 32));
  if (generation != 0) return life;
  return life + weft__reserve_generation(reserve, (uint32_t)pair & INT32_MAX);
}

// Lists of all workers become the pairs in contact, the previous step's `last`.
static void merge_lists(weft__contact_log* log, const weft__reserve* reserve) {
  weft__touching* swap = log->last;
  log->last = log->now;
  log->now = swap;
  weft__touch_merge merge = weft__touch_merge_begin(log->lists, log->worker_count, log->heap,
                                                    log->heap + log->worker_count);
  uint64_t lost = count_notes(log);
  weft__touch touch;
  uint32_t now_count = 0;
  while (now_count < log->max_touches && weft__touch_merge_next(&merge, &touch)) {
    lost -= touch.note_count;
    weft__touching* touching = &log->now[now_count++];
    *touching = (weft__touching){.pair = touch.pair,
                                 .generation = touch.generation,
                                 .life = life_of(reserve, touch.pair, touch.generation),
                                 .impulse = weft__touch_impulse_of(&touch)};
    memcpy(touching->point, touch.place.point, sizeof(touching->point));
  }
  log->now_count = now_count;
  log->lost_touches += lost;
}

// Reports begin, stay and end of contacts. Both lists are ascending.
static void diff_touches(weft__contact_log* log, uint32_t last_count) {
  uint32_t before = 0;
  for (uint32_t i = 0; i < log->now_count; ++i) {
    const weft__touching* touching = &log->now[i];
    for (; before < last_count && log->last[before].pair < touching->pair; ++before) {
      push_event(log, WEFT_CONTACT_EVENT_END, &log->last[before]);
    }
    const weft__touching* last = before < last_count ? &log->last[before] : NULL;
    const bool is_listed = last != NULL && last->pair == touching->pair;
    const bool was_touching =
        is_listed && last->generation == touching->generation && last->life == touching->life;
    if (is_listed && !was_touching) push_event(log, WEFT_CONTACT_EVENT_END, last);
    if (is_listed) ++before;
    if (!was_touching) {
      push_event(log, WEFT_CONTACT_EVENT_BEGIN, touching);
    } else if (log->with_stays) {
      push_event(log, WEFT_CONTACT_EVENT_STAY, touching);
    }
  }
  for (; before < last_count; ++before) push_event(log, WEFT_CONTACT_EVENT_END, &log->last[before]);
}

static void settle_lists(void* context, weft__range lists, uint32_t worker) {
  (void)worker;
  weft__contact_log* log = context;
  for (uint32_t i = lists.begin; i < lists.end; ++i) weft__touch_list_settle(&log->lists[i]);
}

void weft__contact_log_end_step(weft__contact_log* log, const weft__step_context* step) {
  weft__step_for(step, log->worker_count, 1, settle_lists, log);
  const uint32_t last_count = log->now_count;
  merge_lists(log, &step->particles->reserve);
  diff_touches(log, last_count);
  for (uint32_t i = 0; i < log->worker_count; ++i) weft__touch_list_clear(&log->lists[i]);
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

// Words only: padding would be compared.
typedef struct log_limits {
  uint32_t max_touches, touch_capacity, max_events;
  uint32_t on, with_stays;
} log_limits;

static log_limits limits_of(const weft__contact_log* log) {
  return (log_limits){log->max_touches, log->touch_capacity, log->max_events, log->on,
                      log->with_stays};
}

static bool replace_buffers(weft__contact_log* log, const log_limits* limits,
                            uint32_t worker_count) {
  weft__contact_log made = {.on = limits->on != 0,
                            .with_stays = limits->with_stays != 0,
                            .worker_count = worker_count,
                            .max_touches = limits->max_touches,
                            .touch_capacity = limits->touch_capacity,
                            .max_events = limits->max_events};
  if (made.on && !create_buffers(&made)) {
    free_buffers(&made);
    return false;
  }
  *log = made;
  return true;
}

void weft__contact_log_visit(weft__contact_log* log, weft__archive* archive,
                             uint32_t worker_count) {
  const log_limits own = limits_of(log);
  log_limits limits = own;
  WEFT__ARCHIVE_VALUE(archive, limits);
  if (!weft__archive_is_good(archive)) return;
  if (weft__archive_is_checking(archive) && memcmp(&limits, &own, sizeof(own)) != 0 &&
      !weft__archive_allocated(archive, replace_buffers(log, &limits, worker_count))) {
    return;
  }
  weft__archive_table(archive, log, &weft__contact_log_table);
  if (!weft__archive_is_good(archive) || !log->on) return;
  const uint32_t room = log->max_events - log->first_event;
  const uint32_t count = log->event_count < room ? log->event_count : room;
  WEFT__ARCHIVE_ARRAY(archive, log->events + log->first_event, count);
  WEFT__ARCHIVE_ARRAY(archive, log->events, log->event_count - count);
}
