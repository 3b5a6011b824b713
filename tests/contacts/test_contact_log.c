/* The event log, against a reference that keeps every note of a step and searches all of them. */
#include "collision/event_log.h"

#include "support/handles.h"
#include "support/test.h"

enum { MOST_NOTES = 4000, MOST_PAIRS = 2000, MOST_EVENTS = 20000, MOST_WORKERS = 7 };

static const uint32_t worker_counts[] = {1, 2, 3, MOST_WORKERS};
enum { POOLS = sizeof worker_counts / sizeof worker_counts[0] };

// ---- notes of a step ----

enum { COLLIDERS = 3 };

typedef struct step_notes {
  uint32_t substeps;
  uint32_t count;
  uint32_t generations[COLLIDERS];      /* odd */
  weft__contact_note notes[MOST_NOTES]; /* sorted by substep */
} step_notes;

// sums of these are exact; none pulls
static weft__vec3 draw_impulse(random_source* random) {
  const double x = (double)random_below(random, 1000) * 0x1p-8;
  const double y = (double)random_below(random, 1000) * 0x1p-8;
  return (weft__vec3){x - 2.0, y, 0.5};
}

// notes of some pairs in each substep, each pair at most once; some colliders are other ones than
// in the step before
static void draw_step(random_source* random, uint32_t particles, uint32_t substeps,
                      step_notes* step) {
  step->substeps = substeps;
  step->count = 0;
  const uint32_t one_in = random_from(random, 2, 6);
  for (uint32_t k = 0; k < COLLIDERS; ++k) {
    step->generations[k] |= 1;
    if (random_chance(random, 4)) step->generations[k] += 2;
  }
  for (uint32_t substep = 0; substep < substeps; ++substep) {
    for (uint32_t a = 0; a < particles; ++a) {
      for (uint32_t other = 0; other < 6; ++other) {
        if (!random_chance(random, one_in)) continue;
        const bool is_collider = other < COLLIDERS;
        weft__contact_note* note = &step->notes[step->count++];
        *note = (weft__contact_note){
            .particle = a,
            .other = is_collider ? other : a + other - 2,
            .generation = is_collider ? step->generations[other] : 0,
            .substep = substep,
            .impulse = draw_impulse(random),
            .place = {{0.0f, 1.0f, 0.0f}, {(float)other, random_float(random, -1.0f, 1.0f), 1.0f}},
        };
        require(step->count < MOST_NOTES);
      }
    }
  }
}

// ---- reference log ----

typedef struct slow_touch {
  weft__contact_note note; /* note of the last substep */
  uint32_t note_count;
  weft__vec3 impulse;
} slow_touch;

typedef struct slow_log {
  weft_contact_limits_def limits;
  uint64_t step;
  slow_touch now[MOST_PAIRS];
  uint32_t now_count;
  weft_contact_event events[MOST_EVENTS];
  uint32_t event_count;
  uint64_t lost_touches, lost_events;
} slow_log;

static int compare_pairs(const weft__contact_note* a, const weft__contact_note* b) {
  if (a->particle != b->particle) return a->particle < b->particle ? -1 : 1;
  if ((a->generation != 0) != (b->generation != 0)) return a->generation != 0 ? -1 : 1;
  if (a->other != b->other) return a->other < b->other ? -1 : 1;
  return (a->generation > b->generation) - (a->generation < b->generation);
}

static int compare_touches(const void* a, const void* b) {
  return compare_pairs(&((const slow_touch*)a)->note, &((const slow_touch*)b)->note);
}

static slow_touch* find_touch(slow_touch* touches, uint32_t count, const weft__contact_note* note) {
  for (uint32_t i = 0; i < count; ++i) {
    if (compare_pairs(&touches[i].note, note) == 0) return &touches[i];
  }
  return NULL;
}

static void slow_tell(slow_log* log, weft_contact_event_kind kind, const slow_touch* touch) {
  if (log->event_count == log->limits.max_events) {
    ++log->lost_events;
    return;
  }
  const bool is_end = kind == WEFT_CONTACT_EVENT_END;
  const uint32_t generation = touch->note.generation;
  weft_contact_event* event = &log->events[log->event_count++];
  *event = (weft_contact_event){
      .kind = kind,
      .particle = touch->note.particle,
      .other = generation == 0 ? touch->note.other : 0,
      .collider = {generation == 0 ? 0 : touch->note.other, generation},
      .impulse = is_end ? 0.0f : (float)touch->impulse.y,
      .step = log->step,
  };
  if (is_end) return;
  memcpy(event->normal, touch->note.place.normal, sizeof event->normal);
  memcpy(event->point, touch->note.place.point, sizeof event->point);
  event->friction[0] = (float)touch->impulse.x;
  event->friction[2] = (float)touch->impulse.z;
}

// all pairs of the step up to the limit, in order
static uint32_t slow_gather(const slow_log* log, const step_notes* step, slow_touch* touches) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < step->count; ++i) {
    const weft__contact_note* note = &step->notes[i];
    slow_touch* touch = find_touch(touches, count, note);
    if (touch == NULL) {
      touch = &touches[count++];
      *touch = (slow_touch){0};
    }
    touch->note = *note;
    ++touch->note_count;
    touch->impulse = weft__plus(touch->impulse, note->impulse);
  }
  qsort(touches, count, sizeof *touches, compare_touches);
  return count < log->limits.max_touches ? count : log->limits.max_touches;
}

static void slow_end_step(slow_log* log, const step_notes* step) {
  static slow_touch all[MOST_PAIRS], before[MOST_PAIRS];
  ++log->step;
  const uint32_t before_count = log->now_count;
  memcpy(before, log->now, sizeof before);
  const uint32_t count = slow_gather(log, step, all);
  memcpy(log->now, all, sizeof all);
  log->now_count = count;
  log->lost_touches += step->count;
  for (uint32_t i = 0; i < count; ++i) log->lost_touches -= all[i].note_count;
  // merge of both, sorted by pair
  uint32_t a = 0, b = 0;
  while (a < before_count || b < log->now_count) {
    int order = 0;
    if (a == before_count) order = 1;
    if (b == log->now_count) order = -1;
    if (order == 0) order = compare_pairs(&before[a].note, &log->now[b].note);
    if (order < 0) slow_tell(log, WEFT_CONTACT_EVENT_END, &before[a]);
    if (order > 0) slow_tell(log, WEFT_CONTACT_EVENT_BEGIN, &log->now[b]);
    if (order == 0 && log->limits.with_stays) slow_tell(log, WEFT_CONTACT_EVENT_STAY, &log->now[b]);
    if (order <= 0) ++a;
    if (order >= 0) ++b;
  }
}

// ---- the log, by many workers ----

typedef struct log_job {
  weft__contact_log* log;
  const step_notes* step;
  const uint8_t* list_of; /* list of a worker that it goes to [notes] */
  const uint32_t* order;  /* order of the notes [notes] */
} log_job;

// lists are drawn, so that all are in use however many workers join
static void note_lists(void* context, weft__range lists, uint32_t worker) {
  (void)worker;
  const log_job* job = context;
  for (uint32_t list = lists.begin; list < lists.end; ++list) {
    for (uint32_t i = 0; i < job->step->count; ++i) {
      const uint32_t at = job->order[i];
      if (job->list_of[at] == list) {
        weft__contact_log_note(job->log, list, &job->step->notes[at]);
      }
    }
  }
}

// random order within each substep
static void shuffle_within(random_source* random, const step_notes* step, uint32_t* order) {
  for (uint32_t i = 0; i < step->count; ++i) order[i] = i;
  for (uint32_t i = 0; i < step->count; ++i) {
    uint32_t end = i;
    while (end < step->count && step->notes[end].substep == step->notes[i].substep &&
           end < i + 50) {
      ++end;
    }
    const uint32_t k = random_from(random, i, end - 1);
    const weft__contact_note *a = &step->notes[order[i]], *b = &step->notes[order[k]];
    if (a->substep != b->substep) continue;
    const uint32_t swap = order[i];
    order[i] = order[k];
    order[k] = swap;
  }
}

static void run_step(weft__contact_log* log, const step_notes* notes, weft__worker_pool* pool,
                     random_source* random) {
  static uint8_t list_of[MOST_NOTES];
  static uint32_t order[MOST_NOTES];
  shuffle_within(random, notes, order);
  for (uint32_t i = 0; i < notes->count; ++i) {
    list_of[i] = (uint8_t)random_below(random, log->worker_count);
  }
  ++log->step;
  log_job job = {log, notes, list_of, order};
  weft__worker_pool_for(pool, log->worker_count, 1, note_lists, &job);
  weft__particles particles = {0};
  const weft__step_context step = {
      .pool = pool, .substeps = notes->substeps, .particles = &particles};
  weft__contact_log_end_step(log, &step);
}

static bool same_event(const weft_contact_event* a, const weft_contact_event* b) {
  return a->kind == b->kind && a->particle == b->particle && a->other == b->other &&
         SAME_HANDLE(a->collider, b->collider) && a->impulse == b->impulse &&
         memcmp(a->normal, b->normal, sizeof a->normal) == 0 &&
         memcmp(a->friction, b->friction, sizeof a->friction) == 0 &&
         memcmp(a->point, b->point, sizeof a->point) == 0 && a->step == b->step;
}

static void take_both(weft__contact_log* log, slow_log* slow, uint32_t capacity) {
  static weft_contact_event events[MOST_EVENTS];
  const uint32_t count = weft__contact_log_take(log, capacity, events);
  require(count == (capacity < slow->event_count ? capacity : slow->event_count));
  for (uint32_t i = 0; i < count; ++i) require(same_event(&events[i], &slow->events[i]));
  slow->event_count -= count;
  memmove(slow->events, slow->events + count, slow->event_count * sizeof *slow->events);
}

static void compare_logs(const weft__contact_log* log, const slow_log* slow) {
  require(log->event_count == slow->event_count);
  require(log->lost_touches == slow->lost_touches);
  require(log->lost_events == slow->lost_events);
}

static void run_both(random_source* random, weft_contact_limits_def limits, uint32_t worker_count) {
  static slow_log slow;
  static step_notes step;
  slow = (slow_log){.limits = limits};
  weft__worker_pool* pool = weft__worker_pool_create(worker_count, NULL);
  weft__contact_log log = {0};
  require(weft__contact_log_prepare(&log, &limits, 100, worker_count));
  const uint32_t particles = random_from(random, 1, 60);
  const uint32_t substeps = random_from(random, 1, 6);
  for (int round = 0; round < 12; ++round) {
    draw_step(random, particles, substeps, &step);
    slow_end_step(&slow, &step);
    run_step(&log, &step, pool, random);
    compare_logs(&log, &slow);
    if (random_chance(random, 3)) take_both(&log, &slow, random_below(random, 300));
  }
  take_both(&log, &slow, MOST_EVENTS);
  weft__contact_log_destroy(&log);
  weft__worker_pool_destroy(pool);
}

static weft_contact_limits_def limits_of(uint32_t max_touches, uint32_t max_events,
                                         bool with_stays) {
  weft_contact_limits_def limits = event_limits(max_events);
  limits.max_touches = max_touches;
  limits.with_stays = with_stays;
  return limits;
}

RANDOM_TEST(events_are_those_of_a_log_that_keeps_everything, ROUNDS(40, 8)) {
  run_both(&random, limits_of(MOST_PAIRS, MOST_EVENTS, random_chance(&random, 2)),
           worker_counts[_i % POOLS]);
}

LOOP_TEST(what_is_left_out_does_not_depend_on_the_workers, 0, ROUNDS(80, 16)) {
  random_source random = {(uint64_t)_i + 5000};
  const uint32_t max_touches = random_from(&random, 1, 120);
  const uint32_t max_events = random_from(&random, 1, 400);
  run_both(&random, limits_of(max_touches, max_events, random_chance(&random, 2)),
           worker_counts[_i % POOLS]);
}

// ---- single cases ----

static weft__contact_note note_of(uint32_t particle, uint32_t other, uint32_t generation,
                                  uint32_t substep, float impulse) {
  return (weft__contact_note){.particle = particle,
                              .other = other,
                              .generation = generation,
                              .substep = substep,
                              .impulse = {0.0, (double)impulse, 0.0},
                              .place = {.normal = {0.0f, 1.0f, 0.0f}}};
}

typedef struct alone {
  weft__worker_pool* pool;
  weft__contact_log log;
  step_notes step;
  random_source random;
} alone;

static alone* new_alone(weft_contact_limits_def limits) {
  alone* made = test_alloc(1 * (sizeof *made));
  made->pool = weft__worker_pool_create(1, NULL);
  made->step.substeps = 1;
  require(weft__contact_log_prepare(&made->log, &limits, 100, 1));
  return made;
}

static void free_alone(alone* self) {
  weft__contact_log_destroy(&self->log);
  weft__worker_pool_destroy(self->pool);
}

static void step_with(alone* self, const weft__contact_note* notes, uint32_t count) {
  self->step.count = count;
  if (count > 0) memcpy(self->step.notes, notes, count * sizeof *notes);
  run_step(&self->log, &self->step, self->pool, &self->random);
}

static uint32_t take_one(alone* self, weft_contact_event* event) {
  return weft__contact_log_take(&self->log, 1, event);
}

static void expect_event(alone* self, weft_contact_event_kind kind, weft_collider collider,
                         uint64_t step) {
  weft_contact_event event;
  ck_assert_uint_eq(take_one(self, &event), 1);
  ck_assert_int_eq((int)event.kind, (int)kind);
  ck_assert(SAME_HANDLE(event.collider, collider));
  ck_assert_uint_eq(event.step, step);
}

TEST(a_collider_that_is_gone_ends_though_another_has_its_slot) {
  alone* self = new_alone(limits_of(10, 10, true));
  const weft_collider first = {2, 1}, second = {2, 3};
  const weft__contact_note notes[] = {note_of(4, 2, 1, 0, 1.0f), note_of(4, 2, 3, 0, 1.0f)};
  weft_contact_event event;
  step_with(self, &notes[0], 1);
  expect_event(self, WEFT_CONTACT_EVENT_BEGIN, first, 1);
  step_with(self, &notes[0], 1);
  expect_event(self, WEFT_CONTACT_EVENT_STAY, first, 2);
  step_with(self, &notes[1], 1);
  expect_event(self, WEFT_CONTACT_EVENT_END, first, 3);
  expect_event(self, WEFT_CONTACT_EVENT_BEGIN, second, 3);
  step_with(self, NULL, 0);
  expect_event(self, WEFT_CONTACT_EVENT_END, second, 4);
  ck_assert_uint_eq(take_one(self, &event), 0);
  free_alone(self);
}

TEST(a_body_is_not_taken_for_the_collider_of_its_number) {
  alone* self = new_alone(limits_of(10, 10, false));
  const weft__contact_note notes[] = {note_of(4, 7, 0, 0, 1.0f), note_of(4, 7, 1, 0, 2.0f)};
  const weft_collider collider = {7, 1};
  weft_contact_event event;
  step_with(self, notes, 2);
  ck_assert_uint_eq(take_one(self, &event), 1);
  ck_assert(SAME_HANDLE(event.collider, collider) && event.other == 0);
  ck_assert_float_eq(event.impulse, 2.0f);
  ck_assert_uint_eq(take_one(self, &event), 1);
  ck_assert(IS_NULL_HANDLE(event.collider));
  ck_assert_uint_eq(event.other, 7);
  step_with(self, notes, 1);
  expect_event(self, WEFT_CONTACT_EVENT_END, collider, 2);
  ck_assert_uint_eq(take_one(self, &event), 0);
  free_alone(self);
}

LOOP_TEST(sums_are_the_same_bits_whatever_the_order, 0, ROUNDS(20, 4)) {
  random_source random = {(uint64_t)_i + 9000};
  weft_contact_event first = {0};
  weft_contact_limits_def limits = limits_of(10, 10, false);
  static step_notes step;
  step.substeps = step.count = 64;
  for (uint32_t i = 0; i < step.count; ++i) {
    // magnitudes so different that a sum of floats or doubles depends on the order
    const float size = ldexpf(1.0f, (int)random_from(&random, 0, 60) - 40);
    step.notes[i] = note_of(1, 2, 0, i, random_float(&random, -1.0f, 1.0f) * size);
  }
  for (int round = 0; round < 8; ++round) {
    weft__worker_pool* pool = weft__worker_pool_create(worker_counts[round % POOLS], NULL);
    weft__contact_log log = {0};
    require(weft__contact_log_prepare(&log, &limits, 100, worker_counts[round % POOLS]));
    run_step(&log, &step, pool, &random);
    weft_contact_event event;
    require(weft__contact_log_take(&log, 1, &event) == 1);
    if (round == 0) first = event;
    require(same_event(&first, &event));
    weft__contact_log_destroy(&log);
    weft__worker_pool_destroy(pool);
  }
}

LOOP_TEST(normal_and_friction_together_are_the_sum_of_all_impulses, 0, 20) {
  random_source random = {(uint64_t)_i + 12000};
  alone* self = new_alone(limits_of(10, 10, false));
  enum { NOTES = 20 };
  weft__contact_note notes[NOTES];
  weft__vec3 sum = {0.0, 0.0, 0.0}, pressed = sum;
  for (uint32_t i = 0; i < NOTES; ++i) {
    // normals of a particle that slides over something round
    const float angle = random_float(&random, -1.0f, 1.0f);
    const weft__vec3 normal = {(double)sinf(angle), (double)cosf(angle), 0.0};
    notes[i] = note_of(1, 2, 1, 0, 0.0f);
    weft__vec3_store(normal, notes[i].place.normal);
    notes[i].impulse = draw_impulse(&random);
    sum = weft__plus(sum, notes[i].impulse);
    pressed = weft__plus(pressed, weft__scaled(weft__dot(normal, notes[i].impulse), normal));
  }
  step_with(self, notes, NOTES);
  weft_contact_event event;
  ck_assert_uint_eq(take_one(self, &event), 1);
  const weft__vec3 along = weft__scaled((double)event.impulse, weft__vec3_of(event.normal));
  const weft__vec3 whole = weft__plus(along, weft__vec3_of(event.friction));
  ck_assert(weft__length(weft__minus(along, pressed)) < 1e-5 * weft__length(pressed));
  ck_assert(weft__length(weft__minus(whole, sum)) < 1e-5 * weft__length(sum));
  free_alone(self);
}

TEST(impulses_that_are_no_numbers_do_no_harm) {
  alone* self = new_alone(limits_of(10, 10, false));
  const weft__contact_note notes[] = {note_of(1, 2, 1, 0, NAN), note_of(2, 2, 1, 0, INFINITY),
                                      note_of(3, 2, 1, 0, -INFINITY),
                                      note_of(4, 2, 1, 0, 0x1p-56f)};
  step_with(self, notes, 4);
  weft_contact_event events[4];
  ck_assert_uint_eq(weft__contact_log_take(&self->log, 4, events), 4);
  ck_assert_float_eq(events[0].impulse, 0.0f);
  ck_assert_float_eq(events[1].impulse, 0x1p36f);
  ck_assert_float_eq(events[2].impulse, -0x1p36f);
  ck_assert_float_eq(events[3].impulse, 0x1p-56f);
  free_alone(self);
}

TEST(events_and_what_touches_outlive_other_limits) {
  alone* self = new_alone(limits_of(10, 10, false));
  weft__contact_note notes[5];
  for (uint32_t i = 0; i < 5; ++i) notes[i] = note_of(i, 9, 1, 0, 1.0f);
  step_with(self, notes, 5);
  // the oldest three events fit; two of five contacts are kept
  const weft_contact_limits_def fewer = limits_of(2, 3, false);
  ck_assert(weft__contact_log_prepare(&self->log, &fewer, 100, 1));
  ck_assert_uint_eq(self->log.lost_events, 2);
  weft_contact_event events[16];
  ck_assert_uint_eq(weft__contact_log_take(&self->log, 16, events), 3);
  for (uint32_t i = 0; i < 3; ++i) {
    ck_assert_uint_eq(events[i].particle, i);
    ck_assert_int_eq((int)events[i].kind, WEFT_CONTACT_EVENT_BEGIN);
  }
  step_with(self, NULL, 0);
  ck_assert_uint_eq(weft__contact_log_take(&self->log, 16, events), 3);
  ck_assert_int_eq((int)events[2].kind, WEFT_CONTACT_EVENT_END);
  ck_assert_uint_eq(self->log.lost_events, 4);
  // capacity 0 turns the log off; later contacts begin anew
  const weft_contact_limits_def none = limits_of(0, 0, false);
  ck_assert(weft__contact_log_prepare(&self->log, &none, 100, 1));
  ck_assert(!self->log.on);
  ck_assert_uint_eq(self->log.bytes, 0);
  free_alone(self);
}
