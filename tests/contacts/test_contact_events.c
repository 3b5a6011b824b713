/* Events of contacts, as a caller reads them. */
#include "support/handles.h"
#include "support/test.h"

enum { ROOM = 64 };

static void ask_for_events(weft_world* world, uint32_t max_events, uint32_t max_touches,
                           bool with_stays) {
  weft_contact_limits_def limits = event_limits(max_events);
  limits.max_touches = max_touches;
  limits.with_stays = with_stays;
  expect_ok(weft_world_set_contact_limits(world, &limits));
}

static uint32_t take(weft_world* world, weft_contact_event events[ROOM]) {
  uint32_t count = 0;
  expect_ok(weft_world_take_contact_events(world, ROOM, events, &count));
  return count;
}

static void give_spheres(weft_world* world, uint32_t first, uint32_t count, float radius) {
  shape_particles(world, first, count, .shape = WEFT_PARTICLE_SHAPE_SPHERE, .radius = radius);
}

static weft_collider add_floor(weft_world* world) {
  const weft_collider_def def = collider_def(.shape = WEFT_COLLIDER_SHAPE_HALF_SPACE);
  weft_collider floor = {0};
  expect_ok(weft_world_add_collider(world, &def, &floor));
  return floor;
}

// spheres of a kilogram side by side
static weft_world* new_balls(uint32_t count, float apart, float height, bool with_gravity) {
  float positions[8][3];
  float inverse_masses[8];
  for (uint32_t i = 0; i < count; ++i) {
    positions[i][0] = apart * (float)i;
    positions[i][1] = height;
    positions[i][2] = 0.0f;
    inverse_masses[i] = 1.0f;
  }
  weft_scene* scene = new_points_scene(&positions[0][0], inverse_masses, count);
  weft_world_def def = plain_def(.substeps = 4, .undamped = true);
  if (!with_gravity) def.gravity[1] = 0.0f;
  return new_world(&def, scene);
}

// steps until there are events; returns that step
static uint64_t step_until_event(weft_world* world, weft_contact_event events[ROOM],
                                 uint32_t* count) {
  for (uint64_t step = 1; step < 200; ++step) {
    weft_world_step(world, 1);
    *count = take(world, events);
    if (*count > 0) return step;
  }
  ck_abort_msg("nothing has touched");
  return 0;
}

TEST(a_ball_begins_to_touch_the_floor_stays_and_ends_when_that_is_gone) {
  weft_world* world = new_balls(1, 0.0f, 1.0f, true);
  weft_contact_event events[ROOM];
  uint32_t count = 0;
  give_spheres(world, 0, 1, 0.1f);
  const weft_collider floor = add_floor(world);
  ask_for_events(world, ROOM, 0, true);
  const uint64_t step = step_until_event(world, events, &count);
  ck_assert_uint_eq(count, 1);
  ck_assert_int_eq((int)events[0].kind, WEFT_CONTACT_EVENT_BEGIN);
  ck_assert(SAME_HANDLE(events[0].collider, floor));
  ck_assert_uint_eq(events[0].other, 0);
  ck_assert_uint_eq(events[0].step, step);
  ck_assert_float_eq_tol(events[0].normal[1], 1.0f, 1e-6f);
  // fall of 0.9 metres in 0.43 seconds: the impulse stops it, plus at most a step of gravity
  ck_assert_float_eq_tol(events[0].impulse, sqrtf(2.0f * 9.81f * 0.9f), 0.3f);
  weft_world_step(world, 30);
  ck_assert_uint_eq(take(world, events), 30);
  for (int i = 0; i < 30; ++i) ck_assert_int_eq((int)events[i].kind, WEFT_CONTACT_EVENT_STAY);
  ck_assert_uint_eq(events[29].step, step + 30);
  // at rest: weight times a sixtieth of a second
  ck_assert_float_eq_tol(events[29].impulse, 9.81f / 60.0f, 0.01f);
  expect_ok(weft_world_remove_collider(world, floor));
  weft_world_step(world, 2);
  ck_assert_uint_eq(take(world, events), 1);
  ck_assert_int_eq((int)events[0].kind, WEFT_CONTACT_EVENT_END);
  ck_assert(SAME_HANDLE(events[0].collider, floor));
  ck_assert_float_eq(events[0].impulse, 0.0f);
  ck_assert_uint_eq(events[0].step, step + 31);
}

TEST(a_floor_in_the_place_of_another_is_told_apart) {
  weft_world* world = new_balls(1, 0.0f, 0.1f, true);
  weft_contact_event events[ROOM];
  give_spheres(world, 0, 1, 0.1f);
  const weft_collider floor = add_floor(world);
  ask_for_events(world, ROOM, 0, false);
  weft_world_step(world, 5);
  ck_assert_uint_eq(take(world, events), 1);
  expect_ok(weft_world_remove_collider(world, floor));
  const weft_collider next = add_floor(world);
  ck_assert_uint_eq(next.index, floor.index);
  weft_world_step(world, 5);
  ck_assert_uint_eq(take(world, events), 2);
  ck_assert_int_eq((int)events[0].kind, WEFT_CONTACT_EVENT_END);
  ck_assert(SAME_HANDLE(events[0].collider, floor));
  ck_assert_int_eq((int)events[1].kind, WEFT_CONTACT_EVENT_BEGIN);
  ck_assert(SAME_HANDLE(events[1].collider, next));
  ck_assert_uint_eq(events[0].step, 6);
  ck_assert_uint_eq(events[1].step, 6);
}

TEST(a_ball_without_a_contact_and_one_that_is_removed_touch_no_more) {
  weft_world* world = new_balls(3, 1.0f, 0.1f, true);
  weft_contact_event events[ROOM];
  give_spheres(world, 0, 3, 0.1f);
  (void)add_floor(world);
  ask_for_events(world, ROOM, 0, false);
  weft_world_step(world, 5);
  ck_assert_uint_eq(take(world, events), 3);
  expect_ok(weft_world_set_particle_shape(world, 0, 1, NULL));
  const weft_body last = {.first_particle = 2, .particle_count = 1};
  expect_ok(weft_world_remove_body(world, &last));
  weft_world_step(world, 1);
  ck_assert_uint_eq(take(world, events), 2);
  ck_assert_uint_eq(events[0].particle, 0);
  ck_assert_int_eq((int)events[0].kind, WEFT_CONTACT_EVENT_END);
  ck_assert_uint_eq(events[1].particle, 2);
  ck_assert_int_eq((int)events[1].kind, WEFT_CONTACT_EVENT_END);
}

TEST(two_balls_that_meet_are_one_event_with_the_impulse_between_them) {
  weft_world* world = new_balls(2, 1.0f, 0.0f, false);
  weft_contact_event events[ROOM];
  uint32_t count = 0;
  give_spheres(world, 0, 2, 0.1f);
  ask_for_events(world, ROOM, 0, false);
  // they meet amid the last substep of a step
  const float start[3] = {0.0075f, 0.0f, 0.0f}, velocity[3] = {3.0f, 0.0f, 0.0f};
  place_particle(world, 0, start, velocity);
  (void)step_until_event(world, events, &count);
  ck_assert_uint_eq(count, 1);
  ck_assert_int_eq((int)events[0].kind, WEFT_CONTACT_EVENT_BEGIN);
  ck_assert(IS_NULL_HANDLE(events[0].collider));
  ck_assert_uint_eq(events[0].particle, 0);
  ck_assert_uint_eq(events[0].other, 1);
  ck_assert_float_eq_tol(events[0].normal[0], -1.0f, 1e-3f);
  // without restitution both move on with half the speed
  ck_assert_float_eq_tol(events[0].impulse, 1.5f, 0.05f);
}

// ---- any ISA, any number of workers ----

enum { SIDE = 110, BALLS = 100, STEPS = 4, MOST = 60000 };

// sheet that falls at an angle, and spheres in a row of heaps beside it
static weft_scene* new_crowd(void) {
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = sheet_def(.side = SIDE, .origin = {0.0f, 0.02f});
  memcpy(sheet.down, (const float[3]){0.0f, 9.0f / 41.0f, 40.0f / 41.0f}, sizeof sheet.down);
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  float positions[BALLS][3];
  float inverse_masses[BALLS];
  for (int i = 0; i < BALLS; ++i) {
    positions[i][0] = -2.0f + 0.17f * (float)(i % 5);
    positions[i][1] = 0.1f + 0.19f * (float)(i / 5 % 5);
    positions[i][2] = 0.18f * (float)(i / 25);
    inverse_masses[i] = i % 7 == 0 ? 0.0f : 2.0f;
  }
  expect_ok(weft_scene_add_particles(scene, &positions[0][0], inverse_masses, BALLS, NULL));
  return scene;
}

typedef struct told {
  weft_contact_event* events;
  uint32_t count;
  uint64_t hash;
  weft_contact_stats stats;
} told;

static told run_crowd(const weft_scene* scene, uint32_t workers, weft_isa isa, uint32_t max_events,
                      uint32_t max_touches) {
  weft_world* world = new_plain_world(scene, .worker_count = workers, .isa = isa, .substeps = 2);
  weft_world_stats stats;
  expect_ok(weft_world_get_stats(world, &stats));
  require(stats.worker_count == workers);
  const weft_particle_shape_def point = weft_default_particle_shape_def();
  expect_ok(weft_world_set_particle_shape(world, 0, SIDE * SIDE, &point));
  give_spheres(world, SIDE * SIDE, BALLS, 0.1f);
  (void)add_floor(world);
  if (max_events > 0) ask_for_events(world, max_events, max_touches, true);
  weft_world_step(world, STEPS);
  told made = {.events = test_alloc(MOST * (sizeof *made.events)), .hash = weft_world_hash(world)};
  expect_ok(weft_world_take_contact_events(world, MOST, made.events, &made.count));
  expect_ok(weft_world_get_contact_stats(world, &made.stats));
  return made;
}

static void expect_same(const told* a, const told* b) {
  require(a->count == b->count);
  require(a->hash == b->hash);
  require(a->stats.lost_events == b->stats.lost_events);
  require(a->stats.lost_touches == b->stats.lost_touches);
  for (uint32_t i = 0; i < a->count; ++i) {
    const weft_contact_event *x = &a->events[i], *y = &b->events[i];
    require(x->kind == y->kind && x->particle == y->particle && x->other == y->other &&
            SAME_HANDLE(x->collider, y->collider) && x->step == y->step &&
            x->impulse == y->impulse && memcmp(x->normal, y->normal, sizeof x->normal) == 0);
  }
}

// order of events: step, particle, colliders first, number
static bool is_in_order(const weft_contact_event* a, const weft_contact_event* b) {
  if (a->step != b->step) return a->step < b->step;
  if (a->particle != b->particle) return a->particle < b->particle;
  const bool is_collider = !IS_NULL_HANDLE(a->collider);
  if (is_collider != !IS_NULL_HANDLE(b->collider)) return is_collider;
  return is_collider ? a->collider.index < b->collider.index : a->other < b->other;
}

LOOP_TEST(events_are_the_same_whatever_the_workers_and_the_isa, 0, 2) {
  const uint32_t worker_counts[] = {2, 3, 7};
  // capacity for all, and for some
  const uint32_t max_events = _i == 0 ? MOST : 300, max_touches = _i == 0 ? 0 : 90;
  weft_scene* scene = new_crowd();
  told first = run_crowd(scene, 1, WEFT_ISA_SCALAR, max_events, max_touches);
  ck_assert_uint_ge(first.count, _i == 0 ? 800 : 300);
  ck_assert_int_eq(first.stats.lost_touches > 0, _i == 1);
  for (uint32_t i = 1; i < first.count; ++i) {
    require(is_in_order(&first.events[i - 1], &first.events[i]));
  }
  for (int w = 0; w < 3; ++w) {
    told next = run_crowd(scene, worker_counts[w], WEFT_ISA_AUTO, max_events, max_touches);
    expect_same(&first, &next);
  }
  // dropped events are the same in all runs above
  for (int isa = next_isa(WEFT_ISA_AUTO); _i == 0 && isa < ISA_END; isa = next_isa(isa)) {
    told next = run_crowd(scene, 2, (weft_isa)isa, max_events, max_touches);
    expect_same(&first, &next);
  }
  const told none = run_crowd(scene, 1, WEFT_ISA_AUTO, 0, 0);
  ck_assert_uint_eq(none.count, 0);
  ck_assert(none.hash == first.hash);
}
