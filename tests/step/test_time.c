/* Time of a world: slow and fast motion, gravity and damping that are set, and refused input. */
#include "support/test.h"
#include "support/thrown.h"

// ---- slow and fast motion ----

TEST(a_world_that_stands_still_is_not_stepped) {
  weft_world* world = new_world_of(new_scene_case(3));
  weft_advance advance;
  expect_ok(weft_world_advance(world, 40000000, &advance));
  const float interpolation = advance.interpolation;
  const uint64_t hash = weft_world_hash(world);
  expect_ok(weft_world_set_time_scale(world, 0.0f));
  for (int frame = 0; frame < 10; ++frame) {
    expect_ok(weft_world_advance(world, 40000000, &advance));
    ck_assert_uint_eq(advance.steps, 0);
    ck_assert_float_eq(advance.interpolation, interpolation);
    ck_assert_uint_eq(weft_world_hash(world), hash);
  }
  expect_ok(weft_world_set_time_scale(world, 1.0f));
  expect_ok(weft_world_advance(world, 16666667, &advance));
  ck_assert_uint_eq(advance.steps, 1);
  ck_assert_float_eq(advance.interpolation, interpolation);
}

TEST(elapsed_time_is_clamped_then_smoothed_then_scaled) {
  weft_world_def def = plain_def(.step_ns = 1000000);
  def.max_steps = 1000;
  def.max_elapsed_ns = 10000000;
  def.smooth_elapsed = true;
  weft_world* world = new_lone_particle(&def);
  expect_ok(weft_world_set_time_scale(world, 2.0f));
  const int64_t elapsed[] = {4000000, 50000000, 0, 6000000};
  // 4; (4 + 10) / 2; (7 + 0) / 2; (3.5 + 6) / 2 milliseconds, twice, and half a step carried over
  const uint32_t steps[] = {8, 14, 7, 9};
  for (int call = 0; call < 4; ++call) {
    weft_advance advance;
    expect_ok(weft_world_advance(world, elapsed[call], &advance));
    ck_assert_uint_eq(advance.steps, steps[call]);
    ck_assert_int_eq(advance.dropped_ns, call == 1 ? 40000000 : 0);
  }
}

TEST(a_spike_of_the_frame_time_is_halved_from_frame_to_frame) {
  weft_world_def def = plain_def(.step_ns = 500000);
  def.max_steps = 1000;
  def.smooth_elapsed = true;
  weft_world* world = new_lone_particle(&def);
  const int64_t elapsed_ms[] = {16, 16, 100, 16, 16, 16};
  const uint32_t half_ms[] = {32, 32, 116, 74, 53, 42};  // 16, 16, 58, 37, 26.5, 21.25 ms
  for (int call = 0; call < 6; ++call) {
    weft_advance advance;
    expect_ok(weft_world_advance(world, elapsed_ms[call] * 1000000, &advance));
    ck_assert_uint_eq(advance.steps, half_ms[call]);
  }
}

TEST(a_frame_counts_as_the_least_elapsed_time_at_least) {
  weft_world_def def = plain_def(.step_ns = 1000000);
  def.min_elapsed_ns = 5000000;
  weft_world* world = new_lone_particle(&def);
  const int64_t elapsed[] = {0, 4999999, 5000000, 6000000};
  const uint32_t steps[] = {5, 5, 5, 6};
  for (int call = 0; call < 4; ++call) {
    weft_advance advance;
    expect_ok(weft_world_advance(world, elapsed[call], &advance));
    ck_assert_uint_eq(advance.steps, steps[call]);
    ck_assert_int_eq(advance.dropped_ns, 0);
  }
}

// ---- gravity and damping ----

LOOP_TEST(gravity_and_damping_that_are_set_are_as_if_the_def_had_had_them, 0, 8) {
  weft_scene* scene = new_scene_case(_i);
  weft_world_def def = weft_plain_world_def();
  weft_world* world = new_world(&def, scene);
  const float gravity[3] = {1.5f, -3.0f, 0.25f};
  memcpy(def.gravity, gravity, sizeof(gravity));
  def.damping = 2.5f;
  weft_world* expected = new_world(&def, scene);
  expect_ok(weft_world_set_gravity(world, gravity));
  expect_ok(weft_world_set_damping(world, 2.5f));
  weft_world_step(world, 3);
  weft_world_step(expected, 3);
  ck_assert_uint_eq(weft_world_hash(world), weft_world_hash(expected));
}

// ---- refused input ----

TEST(scales_and_steps_out_of_range_are_refused) {
  weft_world_def def = weft_plain_world_def();
  def.max_elapsed_ns = 100000000;
  weft_world* world = new_world(&def, new_scene_case(3));
  expect_null(weft_world_set_time_scale(NULL, 1.0f), "world");
  expect_error(weft_world_set_time_scale(world, NAN), WEFT_ERROR_NOT_FINITE, "scale");
  expect_error(weft_world_set_time_scale(world, INFINITY), WEFT_ERROR_NOT_FINITE, "scale");
  expect_error(weft_world_set_time_scale(world, -1e-30f), WEFT_ERROR_RANGE, "scale");
  expect_error(weft_world_set_time_scale(world, nextafterf(1000.0f, INFINITY)), WEFT_ERROR_RANGE,
               "scale");
  expect_null(weft_world_set_step(NULL, 1000), "world");
  const int64_t bad_steps[] = {INT64_MIN, -1, 0, 999, 100000001, 1000000001, INT64_MAX};
  for (size_t i = 0; i < sizeof(bad_steps) / sizeof(*bad_steps); ++i) {
    expect_error(weft_world_set_step(world, bad_steps[i]), WEFT_ERROR_RANGE, "step_ns");
  }
  expect_null(weft_world_set_substeps(NULL, 1), "world");
  expect_error(weft_world_set_substeps(world, 0), WEFT_ERROR_RANGE, "substeps");
  expect_error(weft_world_set_substeps(world, 1001), WEFT_ERROR_RANGE, "substeps");
}

TEST(the_ends_of_the_ranges_of_scales_and_steps_are_taken) {
  weft_world* world = new_world_of(new_scene_case(3));
  const float scales[] = {0.0f, -0.0f, 1e-45f, 1000.0f};
  const int64_t steps[] = {1000, 1000000000};
  for (int i = 0; i < 4; ++i) expect_ok(weft_world_set_time_scale(world, scales[i]));
  for (int i = 0; i < 2; ++i) {
    expect_ok(weft_world_set_step(world, steps[i]));
    weft_world_step(world, 2);
  }
  const uint32_t substeps[] = {1, 1000};
  for (int i = 0; i < 2; ++i) {
    expect_ok(weft_world_set_substeps(world, substeps[i]));
    weft_world_step(world, 1);
  }
}

TEST(gravity_and_damping_that_are_not_finite_or_negative_are_refused) {
  weft_world* world = new_world_of(new_scene_case(3));
  const float bad[] = {NAN, INFINITY, -INFINITY};
  expect_null(weft_world_set_gravity(NULL, bad), "world");
  expect_null(weft_world_set_gravity(world, NULL), "gravity");
  expect_null(weft_world_set_damping(NULL, 1.0f), "world");
  for (uint64_t i = 0; i < 3; ++i) {
    float gravity[3] = {1.0f, 2.0f, 3.0f};
    gravity[i] = bad[i];
    expect_error_at(weft_world_set_gravity(world, gravity), WEFT_ERROR_NOT_FINITE, "gravity", i);
    expect_error(weft_world_set_damping(world, bad[i]), WEFT_ERROR_NOT_FINITE, "damping");
  }
  expect_error(weft_world_set_damping(world, -1e-30f), WEFT_ERROR_RANGE, "damping");
}
