/* Refused input of the calls about bounds and speed, which changes nothing; and the limit of speed.
 */
#include "support/test.h"

static weft_world* new_falling(float height) {
  const float positions[6] = {0.0f, height, 0.0f, 1.0f, height, 0.0f};
  const float inverse_masses[2] = {1.0f, 1.0f};
  return new_world_of(new_points_scene(positions, inverse_masses, 2));
}

static float height_of(const weft_world* world) {
  float position[3];
  expect_ok(weft_world_get_positions(world, 0, 1, position));
  return position[1];
}

// world with a floor that refused calls must keep
static weft_world* new_floored(void) {
  weft_world* world = new_falling(0.1f);
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.lower[1] = 0.0f;
  expect_ok(weft_world_set_bounds(world, &bounds));
  return world;
}

static void expect_floor(weft_world* world) {
  weft_world_step(world, 60);
  ck_assert_float_eq(height_of(world), 0.0f);
}

static void expect_refusal(const weft_bounds_def* bounds, weft_error error, const char* field,
                           uint64_t index) {
  weft_world* world = new_floored();
  expect_error_at(weft_world_set_bounds(world, bounds), error, field, index);
  expect_floor(world);
}

TEST(bounds_need_a_world) {
  const weft_bounds_def bounds = weft_default_bounds_def();
  expect_null(weft_world_set_bounds(NULL, &bounds), "world");
  expect_null(weft_world_set_bounds(NULL, NULL), "world");
}

TEST(walls_refuse_what_is_no_number_and_what_leaves_no_room) {
  for (uint64_t axis = 0; axis < 3; ++axis) {
    weft_bounds_def bounds = weft_default_bounds_def();
    bounds.lower[axis] = NAN;
    expect_refusal(&bounds, WEFT_ERROR_NOT_FINITE, "weft_bounds_def.lower", axis);
    bounds = weft_default_bounds_def();
    bounds.upper[axis] = NAN;
    expect_refusal(&bounds, WEFT_ERROR_NOT_FINITE, "weft_bounds_def.upper", axis);
    bounds = weft_default_bounds_def();
    bounds.lower[axis] = INFINITY;
    expect_refusal(&bounds, WEFT_ERROR_RANGE, "weft_bounds_def.lower", axis);
    bounds = weft_default_bounds_def();
    bounds.upper[axis] = -INFINITY;
    expect_refusal(&bounds, WEFT_ERROR_RANGE, "weft_bounds_def.upper", axis);
    bounds = weft_default_bounds_def();
    bounds.lower[axis] = nextafterf(1.0f, 2.0f);
    bounds.upper[axis] = 1.0f;
    expect_refusal(&bounds, WEFT_ERROR_RANGE, "weft_bounds_def.lower", axis);
    // zero depth is valid: bounds of flat scenes
    weft_world* world = new_floored();
    bounds.lower[axis] = 1.0f;
    expect_ok(weft_world_set_bounds(world, &bounds));
    weft_world_step(world, 1);
    float position[3];
    expect_ok(weft_world_get_positions(world, 0, 1, position));
    ck_assert_float_eq(position[axis], 1.0f);
  }
}

TEST(touch_refuses_what_is_not_there) {
  weft_world* world = new_floored();
  int8_t touch[3] = {7, 7, 7};
  expect_null(weft_world_get_bounds_contacts(NULL, 0, 1, touch), "world");
  expect_null(weft_world_get_bounds_contacts(world, 0, 1, NULL), "contacts");
  expect_past_end(weft_world_get_bounds_contacts(world, 1, 2, touch));
  ck_assert_int_eq(touch[0], 7);
  expect_floor(world);
}

// ---- a limit of speed ----

TEST(a_limit_of_speed_holds_from_when_it_is_set_until_it_is_lifted) {
  weft_world* world = new_falling(0.0f);
  const float limit[3] = {INFINITY, 2.0f, INFINITY};
  const float none[3] = {INFINITY, INFINITY, INFINITY};
  float velocity[3];
  weft_world_step(world, 30);
  expect_ok(weft_world_get_velocities(world, 0, 1, velocity));
  ck_assert_float_lt(velocity[1], -4.0f);
  expect_ok(weft_world_set_max_speed(world, limit));
  for (int step = 0; step < 30; ++step) {
    weft_world_step(world, 1);
    expect_ok(weft_world_get_velocities(world, 0, 1, velocity));
    ck_assert_double_eq_tol((double)velocity[1], -2.0, 1e-4);
  }
  expect_ok(weft_world_set_max_speed(world, none));
  weft_world_step(world, 30);
  expect_ok(weft_world_get_velocities(world, 0, 1, velocity));
  ck_assert_float_lt(velocity[1], -6.0f);
}

TEST(a_limit_of_speed_refuses_what_is_no_speed) {
  weft_world* world = new_falling(0.0f);
  weft_world* same = new_falling(0.0f);
  const float good[3] = {1.0f, 1.0f, 1.0f};
  expect_null(weft_world_set_max_speed(NULL, good), "world");
  expect_null(weft_world_set_max_speed(world, NULL), "max_speed");
  for (uint64_t axis = 0; axis < 3; ++axis) {
    const float bad[] = {NAN, 0.0f, -1.0f, -INFINITY};
    for (int b = 0; b < 4; ++b) {
      float speeds[3] = {0.1f, 0.1f, 0.1f};
      speeds[axis] = bad[b];
      expect_error_at(weft_world_set_max_speed(world, speeds),
                      b == 0 ? WEFT_ERROR_NOT_FINITE : WEFT_ERROR_RANGE, "max_speed", axis);
    }
  }
  weft_world_step(world, 60);
  weft_world_step(same, 60);
  ck_assert_uint_eq(weft_world_hash(world), weft_world_hash(same));
}
