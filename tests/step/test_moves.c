/* Pins that are moved to a target, and bodies that hang on them. */
#include "support/moved.h"
#include "support/ropes.h"
#include "support/test.h"

// ---- pins ----

LOOP_TEST(a_pin_arrives_with_the_velocity_of_its_way_and_then_stands, 0, 4) {
  weft_world* world = new_world_with(new_pinned_sheet(), 1 + (uint32_t)_i);
  float start[3], here[3], velocity[3];
  get_one(world, 0, start, velocity);
  const float target[3] = {start[0] + 0.1f, start[1] - 0.03f, start[2] + 0.2f};
  expect_set(world, WEFT_ATTRIBUTE_TARGET, 0, 1, target, 0);
  get_one(world, 0, here, velocity);
  ck_assert_mem_eq(here, start, sizeof(here));
  weft_world_step(world, 1);
  get_one(world, 0, here, velocity);
  ck_assert_mem_eq(here, target, sizeof(here));
  float before[3];
  expect_ok(read_interpolated(world, 0.0f, 0, 1, before));
  for (int axis = 0; axis < 3; ++axis) {
    const double expected = ((double)target[axis] - (double)start[axis]) / STEP_SECONDS;
    ck_assert_double_eq_tol((double)velocity[axis], expected, 1e-3);
    ck_assert_float_eq_tol(before[axis], start[axis], 1e-5f);
  }
  weft_world_step(world, 1);
  get_one(world, 0, here, velocity);
  ck_assert_mem_eq(here, target, sizeof(here));
  for (int axis = 0; axis < 3; ++axis) ck_assert_float_eq(velocity[axis], 0.0f);
}

LOOP_TEST(a_move_takes_one_step_of_those_that_are_asked_for_at_once, 0, 3) {
  weft_world* at_once = new_world_with(new_pinned_sheet(), 1 + (uint32_t)_i);
  weft_world* in_turns = new_world_with(new_pinned_sheet(), 1 + (uint32_t)_i);
  const float target[3] = {0.05f, 0.1f, -0.1f};
  expect_set(at_once, WEFT_ATTRIBUTE_TARGET, 0, 1, target, 0);
  expect_set(in_turns, WEFT_ATTRIBUTE_TARGET, 0, 1, target, 0);
  weft_world_step(at_once, 4);
  for (int step = 0; step < 4; ++step) weft_world_step(in_turns, 1);
  ck_assert_uint_eq(weft_world_hash(at_once), weft_world_hash(in_turns));
}

LOOP_TEST(a_move_over_substeps_is_as_many_moves_over_steps, 0, 8) {
  weft_world_def def =
      plain_def(.coarse_iterations = _i % 2 == 0 ? 2 : 0, .attachments = _i / 2 % 2 == 0 ? 1 : 0,
                .step_ns = 16000000, .substeps = 4);
  weft_scene* scene = new_pinned_sheet();
  weft_world* whole = new_world(&def, scene);
  def.step_ns = 4000000;
  def.solver.substeps = 1;
  weft_world* parts = new_world(&def, scene);
  random_source random = {(uint64_t)_i};
  for (int move = 0; move < 5; ++move) {
    float start[3], target[3];
    expect_get(whole, WEFT_ATTRIBUTE_POSITION, 0, 1, start);
    for (int axis = 0; axis < 3; ++axis) {
      target[axis] = start[axis] + random_float(&random, -0.1f, 0.1f);
    }
    expect_set(whole, WEFT_ATTRIBUTE_TARGET, 0, 1, target, 0);
    weft_world_step(whole, 1);
    for (int quarter = 1; quarter <= 4; ++quarter) {
      float part[3];
      for (int axis = 0; axis < 3; ++axis) {
        const double way = (double)target[axis] - (double)start[axis];
        part[axis] = (float)((double)start[axis] + way * quarter / 4.0);
      }
      expect_set(parts, WEFT_ATTRIBUTE_TARGET, 0, 1, part, 0);
      weft_world_step(parts, 1);
    }
    ck_assert_uint_eq(weft_world_hash(whole), weft_world_hash(parts));
  }
}

LOOP_TEST(the_last_of_several_moves_before_a_step_counts_for_each_of_many_pins, 0, 3) {
  enum { COUNT = 500 };
  static float positions[3 * COUNT], inverse_masses[COUNT];
  weft_world* world = new_world_of(new_points_scene(positions, inverse_masses, COUNT));
  random_source random = {(uint64_t)_i};
  float expected[3 * COUNT] = {0};
  for (int step = 0; step < 5; ++step) {
    for (int call = 0; call < 2 * COUNT; ++call) {
      const uint32_t particle = random_below(&random, COUNT);
      float* target = expected + (size_t)3 * particle;
      for (int axis = 0; axis < 3; ++axis) target[axis] = random_float(&random, -9.0f, 9.0f);
      expect_set(world, WEFT_ATTRIBUTE_TARGET, particle, 1, target, 0);
    }
    weft_world_step(world, 1);
    float* now = new_positions(world);
    ck_assert_mem_eq(now, expected, sizeof(expected));
  }
}

LOOP_TEST(a_particle_that_is_unpinned_before_the_step_is_not_moved, 0, 2) {
  weft_world* moved = new_world_with(new_pinned_sheet(), 2);
  weft_world* left = new_world_with(new_pinned_sheet(), 2);
  const float target[3] = {0.5f, 0.5f, 0.5f};
  pin_particles(moved, 5, 1);
  pin_particles(left, 5, 1);
  expect_set(moved, WEFT_ATTRIBUTE_TARGET, 0, 1, target, 0);
  expect_set(moved, WEFT_ATTRIBUTE_TARGET, 5, 1, target, 0);
  expect_set(left, WEFT_ATTRIBUTE_TARGET, 5, 1, target, 0);
  set_inverse_mass(moved, 0, 1000.0f);
  set_inverse_mass(left, 0, 1000.0f);
  if (_i == 1) {
    // pinned again: the move stays cancelled
    pin_particles(moved, 0, 1);
    pin_particles(left, 0, 1);
  }
  weft_world_step(moved, 3);
  weft_world_step(left, 3);
  ck_assert_uint_eq(weft_world_hash(moved), weft_world_hash(left));
}

TEST(a_pin_that_is_freed_after_its_move_flies_on) {
  const float origin[3] = {0}, pinned = 0.0f;
  weft_world* world = new_plain_world(new_points_scene(origin, &pinned, 1), .weightless = true,
                                      .undamped = true, .substeps = 3);
  const float target[3] = {0.03f, -0.06f, 0.0f};
  expect_set(world, WEFT_ATTRIBUTE_TARGET, 0, 1, target, 0);
  weft_world_step(world, 1);
  set_inverse_mass(world, 0, 1.0f);
  weft_world_step(world, 1);
  float here[3], velocity[3];
  get_one(world, 0, here, velocity);
  for (int axis = 0; axis < 3; ++axis) {
    ck_assert_float_eq_tol(here[axis], 2.0f * target[axis], 1e-6f);
  }
}

TEST(a_move_waits_for_a_step_however_often_time_is_added) {
  weft_world* world = new_world_with(new_pinned_sheet(), 1);
  const float target[3] = {0.5f, 0.5f, 0.5f};
  expect_set(world, WEFT_ATTRIBUTE_TARGET, 0, 1, target, 0);
  const uint64_t hash = weft_world_hash(world);
  for (int call = 0; call < 3; ++call) expect_ok(weft_world_advance(world, 4000000, NULL));
  ck_assert_uint_eq(weft_world_hash(world), hash);
  expect_ok(weft_world_advance(world, 5000000, NULL));
  float here[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, here);
  ck_assert_mem_eq(here, target, sizeof(here));
}

// ---- ropes on moved pins ----

LOOP_TEST(attachments_follow_a_moved_pin_in_each_substep, 0, 4) {
  enum { COUNT = 40 };
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, hanging_rope(COUNT, 1.0f));
  weft_world_def def = weft_plain_world_def();
  // attachments alone
  def.solver.iterations = 0;
  def.solver.direct_iterations = 0;
  def.solver.attachments = 1;
  def.solver.substeps = 1 + (uint32_t)_i;
  weft_world* world = new_world(&def, scene);
  float head[3] = {0};
  for (int step = 0; step < 20; ++step) {
    head[step % 3] += 0.7f;
    expect_set(world, WEFT_ATTRIBUTE_TARGET, r.first, 1, head, 0);
    weft_world_step(world, 1);
    float* positions = new_positions(world);
    for (uint32_t i = 1; i <= COUNT; ++i) {
      const double reach = 2.0 / COUNT * i;
      require(distance(head, positions + (size_t)3 * i) <= 1.0001 * reach);
    }
  }
}
