/* Refused input of the calls about bounds and speed, which changes nothing; and the limit of speed.
 */
#include "support/test.h"

static weft_world* new_falling(float height) {
  const float positions[6] = {0.0f, height, 0.0f, 1.0f, height, 0.0f};
  return new_world_of(new_points_scene(positions, (const float[2]){1.0f, 1.0f}, 2));
}

// world with a floor that refused calls must keep
static weft_world* new_floored(void) {
  weft_world* world = new_falling(0.1f);
  weft_bounds_def bounds = weft_default_bounds_def();
  bounds.lower[1] = 0.0f;
  expect_ok(weft_world_set_bounds(world, &bounds));
  return world;
}

TEST(walls_refuse_what_is_no_number_and_what_leaves_no_room) {
  static const struct {
    float lower, upper;
    weft_error error;
    const char* field;
  } cases[] = {{NAN, INFINITY, WEFT_ERROR_NOT_FINITE, "weft_bounds_def.lower"},
               {-INFINITY, NAN, WEFT_ERROR_NOT_FINITE, "weft_bounds_def.upper"},
               {INFINITY, INFINITY, WEFT_ERROR_RANGE, "weft_bounds_def.lower"},
               {-INFINITY, -INFINITY, WEFT_ERROR_RANGE, "weft_bounds_def.upper"},
               {1.0000001f, 1.0f, WEFT_ERROR_RANGE, "weft_bounds_def.lower"},
               // zero depth is valid: bounds of flat scenes
               {1.0f, 1.0f, WEFT_OK, ""}};
  weft_world* world = new_floored();
  expect_null(weft_world_set_bounds(NULL, NULL), "world");
  for (uint32_t k = 0; k < 18; ++k) {
    const uint32_t axis = k % 3;
    weft_bounds_def bounds = weft_default_bounds_def();
    bounds.lower[axis] = cases[k / 3].lower;
    bounds.upper[axis] = cases[k / 3].upper;
    expect_error_at(weft_world_set_bounds(world, &bounds), cases[k / 3].error, cases[k / 3].field,
                    cases[k / 3].error == WEFT_OK ? 0 : axis);
  }
  float position[3];
  weft_world_step(world, 1);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, position);
  ck_assert_float_eq(position[2], 1.0f);
}

TEST(touch_refuses_what_is_not_there) {
  weft_world* world = new_floored();
  int8_t touch[3] = {7, 7, 7};
  expect_null(weft_world_get(NULL, WEFT_ATTRIBUTE_BOUNDS_CONTACT, weft_range(0, 1), touch, 0),
              "world");
  expect_null(weft_world_get(world, WEFT_ATTRIBUTE_BOUNDS_CONTACT, weft_range(0, 1), NULL, 0),
              "values");
  expect_past_end(weft_world_get(world, WEFT_ATTRIBUTE_BOUNDS_CONTACT, weft_range(1, 2), touch, 0));
  ck_assert_int_eq(touch[0], 7);
}

// ---- a limit of speed ----

TEST(a_limit_of_speed_holds_from_when_it_is_set_until_it_is_lifted) {
  weft_world* world = new_falling(0.0f);
  float velocity[3];
  weft_world_step(world, 30);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, velocity);
  ck_assert_float_lt(velocity[1], -4.0f);
  expect_ok(weft_world_set_max_speed(world, (const float[3]){INFINITY, 2.0f, INFINITY}));
  for (int step = 0; step < 30; ++step) {
    weft_world_step(world, 1);
    expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, velocity);
    ck_assert_double_eq_tol((double)velocity[1], -2.0, 1e-4);
  }
  expect_ok(weft_world_set_max_speed(world, (const float[3]){INFINITY, INFINITY, INFINITY}));
  weft_world_step(world, 30);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, velocity);
  ck_assert_float_lt(velocity[1], -6.0f);
}

TEST(a_limit_of_speed_refuses_what_is_no_speed) {
  weft_world* world = new_falling(0.0f);
  expect_null(weft_world_set_max_speed(NULL, (const float[3]){1.0f, 1.0f, 1.0f}), "world");
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
}
