/* External forces in a step. */

#include "support/test.h"

// ---- forces added by the caller ----

static weft_world* new_free_particles(uint32_t count, float inverse_mass, uint32_t substeps) {
  weft_scene* scene = new_scene();
  for (uint32_t i = 0; i < count; ++i) {
    const float position[3] = {0.25f * (float)i, 0.0f, 0.0f};
    expect_ok(weft_scene_add_particles(scene, position, &inverse_mass, 1, NULL));
  }
  weft_world_def def = weft_plain_world_def();
  for (int axis = 0; axis < 3; ++axis) def.gravity[axis] = 0.0f;
  def.damping = 0.0f;
  def.solver.substeps = substeps;
  return new_world(&def, scene);
}

LOOP_TEST(a_force_in_every_step_accelerates_as_newton_says, 1, 6) {
  const uint32_t substeps = (uint32_t)_i;
  const float force[3] = {3.0f, -2.0f, 0.5f};
  weft_world* world = new_free_particles(20, 0.5f, substeps);
  const int steps = 60;
  for (int step = 0; step < steps; ++step) {
    expect_add(world, WEFT_ATTRIBUTE_FORCE, 7, 1, force, 0);
    weft_world_step(world, 1);
  }
  const double h = 16666667e-9 / substeps;
  const double count = (double)steps * substeps;
  for (uint32_t i = 0; i < 20; ++i) {
    float position[3];
    float velocity[3];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, i, 1, position);
    expect_get(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, velocity);
    const double start[3] = {0.25 * i, 0.0, 0.0};
    for (int axis = 0; axis < 3; ++axis) {
      const double acceleration = i == 7 ? 0.5 * (double)force[axis] : 0.0;
      const double way = acceleration * h * h * count * (count + 1.0) / 2.0;
      ck_assert_double_eq_tol((double)position[axis], start[axis] + way, 2e-3);
      ck_assert_double_eq_tol((double)velocity[axis], acceleration * h * count, 1e-2);
    }
  }
}

TEST(a_force_lasts_one_step_however_many_are_taken) {
  const float force[3] = {0.0f, 6.0f, 0.0f};
  weft_world* one_by_one = new_free_particles(3, 1.0f, 3);
  weft_world* at_once = new_free_particles(3, 1.0f, 3);
  for (int round = 0; round < 3; ++round) {
    expect_add(one_by_one, WEFT_ATTRIBUTE_FORCE, 1, 1, force, 0);
    expect_add(at_once, WEFT_ATTRIBUTE_FORCE, 1, 1, force, 0);
    for (int step = 0; step < 5; ++step) weft_world_step(one_by_one, 1);
    weft_world_step(at_once, 5);
    ck_assert_uint_eq(weft_world_hash(one_by_one), weft_world_hash(at_once));
    float velocity[3];
    expect_get(at_once, WEFT_ATTRIBUTE_VELOCITY, 1, 1, velocity);
    ck_assert_float_eq_tol(velocity[1], 0.1f * (float)(round + 1), 1e-3f);
  }
}

TEST(forces_on_one_particle_add_up_and_pinned_ones_stay) {
  const float up[3] = {0.0f, 5.0f, 0.0f};
  const float along[3] = {1.0f, -5.0f, 0.0f};
  weft_world* world = new_free_particles(3, 1.0f, 1);
  pin_particles(world, 2, 1);
  for (uint32_t i = 1; i < 3; ++i) {
    expect_add(world, WEFT_ATTRIBUTE_FORCE, i, 1, up, 0);
    expect_add(world, WEFT_ATTRIBUTE_FORCE, i, 1, along, 0);
  }
  // a call with zero steps does not end the forces
  weft_world_step(world, 0);
  weft_world_step(world, 10);
  float velocity[9];
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 3, velocity);
  const float expected[9] = {0.0f, 0.0f, 0.0f, 1.0f / 60.0f};
  for (int i = 0; i < 9; ++i) ck_assert_float_eq_tol(velocity[i], expected[i], 1e-4f);
  // a freed particle keeps nothing of forces added while it was pinned
  set_inverse_mass(world, 2, 1.0f);
  weft_world_step(world, 5);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 2, 1, velocity);
  ck_assert_float_eq(velocity[1], 0.0f);
}

TEST(a_sum_of_forces_out_of_range_is_refused) {
  weft_world* world = new_free_particles(3, 1.0f, 1);
  for (int axis = 0; axis < 3; ++axis) {
    float force[3] = {0};
    force[axis] = 0.9e9f;
    expect_add(world, WEFT_ATTRIBUTE_FORCE, 1, 1, force, 0);
    expect_error_at(weft_world_add(world, WEFT_ATTRIBUTE_FORCE, weft_range(0, 3), force, WEFT_SAME),
                    WEFT_ERROR_RANGE, "values", 1);
    force[axis] = -0.9e9f;
    expect_add(world, WEFT_ATTRIBUTE_FORCE, 1, 1, force, 0);
  }
  weft_world* undisturbed = new_free_particles(3, 1.0f, 1);
  weft_world_step(world, 3);
  weft_world_step(undisturbed, 3);
  ck_assert_uint_eq(weft_world_hash(world), weft_world_hash(undisturbed));
}

// ---- determinism ----

TEST(a_world_whose_wind_has_ended_goes_on_as_one_that_never_had_any) {
  weft_scene* scene = new_sheet_scene(20, 20, ALL_FAMILIES);
  const weft_world_def def = weft_plain_world_def();
  weft_world* world = new_world(&def, scene);
  weft_world* calm = new_world(&def, scene);
  weft_wind_def wind = weft_default_wind_def();
  wind.density = 0.0f;
  wind.velocity[2] = 9.0f;
  expect_ok(weft_world_set_wind(world, &wind));
  weft_world_step(world, 5);
  expect_ok(weft_world_set_wind(world, NULL));
  weft_world_step(world, 5);
  weft_world_step(calm, 10);
  ck_assert_uint_eq(weft_world_hash(world), weft_world_hash(calm));
}
