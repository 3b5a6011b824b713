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
