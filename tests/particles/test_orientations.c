/* Orientations of particles that turn, and the calls that set and read rotations. */
#include "support/colliding.h"
#include "support/test.h"

#define RADIUS 0.25

static weft_world* new_lone_ball(void) {
  const weft_world_def def = weightless_def(1.0 / 60.0);
  const float position[3] = {0.0f};
  const float inverse_mass = 0.25f;
  weft_world* world = new_particles(&def, position, &inverse_mass, 1);
  const weft_particle_shape_def ball = turning_ball(RADIUS, 0.0f, 0.0f);
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 1), &ball));
  return world;
}

LOOP_TEST(a_free_ball_turns_by_its_angular_velocity, 0, 4) {
  // radians per second about (2, -1, 2) / 3, up to nearly a turn a step
  static const double speeds[] = {0.1, 3.0, 40.0, 350.0};
  weft_world* world = new_lone_ball();
  const double speed = speeds[_i];
  const double axis[3] = {2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0};
  float spin[3], turn[4];
  for (int k = 0; k < 3; ++k) spin[k] = (float)(speed * axis[k]);
  expect_set(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, 0, 1, spin, 0);
  weft_world_step(world, 120);
  expect_get(world, WEFT_ATTRIBUTE_ORIENTATION, 0, 1, turn);
  const double angle = speed * 120.0 * 16666666e-9;
  // q and -q are the same rotation
  const double sign = cos(0.5 * angle) * number_of(&turn[3]) < 0.0 ? -1.0 : 1.0;
  for (int k = 0; k < 3; ++k) {
    ck_assert_double_eq_tol(sign * number_of(&turn[k]), sin(0.5 * angle) * axis[k], 1e-4);
  }
  ck_assert_double_eq_tol(sign * number_of(&turn[3]), cos(0.5 * angle), 1e-4);
}

TEST(an_impulse_over_the_moment_of_inertia_adds_to_the_angular_velocity) {
  weft_world* world = new_lone_ball();
  const double inertia = 0.4 * 4.0 * RADIUS * RADIUS;
  const float impulse[3] = {0.1f, -0.2f, 0.3f};
  float change[3], spin[3];
  for (int k = 0; k < 3; ++k) change[k] = (float)(number_of(&impulse[k]) / inertia);
  expect_add(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, 0, 1, change, 0);
  expect_add(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, 0, 1, change, 0);
  expect_get(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, 0, 1, spin);
  for (int k = 0; k < 3; ++k) {
    ck_assert_double_eq_tol(number_of(&spin[k]), 2.0 * number_of(&impulse[k]) / inertia, 1e-5);
  }
  const weft_measures measures = measures_of(world);
  ck_assert_double_eq_tol(measures.angular_momentum[1], -0.4, 1e-6);
  ck_assert_double_eq_tol(measures.kinetic, 0.5 * 4.0 * 0.14 / inertia, 1e-4);
}

TEST(damping_slows_rotation_as_it_slows_velocities) {
  weft_world_def def = weightless_def(1.0 / 60.0);
  def.damping = 0.5f;
  const float position[3] = {0.0f};
  const float inverse_mass = 1.0f;
  weft_world* world = new_particles(&def, position, &inverse_mass, 1);
  const weft_particle_shape_def ball = turning_ball(RADIUS, 0.0f, 0.0f);
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 1), &ball));
  const float spin[3] = {0.0f, 4.0f, 0.0f};
  expect_set(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, 0, 1, spin, 0);
  weft_world_step(world, 30);
  expect_ok(weft_world_set_step(world, 8333333));
  weft_world_step(world, 60);
  float now[3];
  expect_get(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, 0, 1, now);
  ck_assert_double_eq_tol(number_of(&now[1]), 4.0 * exp(-0.5), 2e-3);
}

// ---- calls ----

TEST(rotations_are_kept_and_lost_with_the_shape) {
  weft_world* world = new_lone_ball();
  const float spin[3] = {1.0f, 2.0f, 3.0f}, turn[4] = {0.6f, 0.0f, 0.0f, 0.8f};
  float now[4];
  expect_set(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, 0, 1, spin, 0);
  expect_set(world, WEFT_ATTRIBUTE_ORIENTATION, 0, 1, turn, 0);
  weft_particle_shape_def shape = turning_ball(RADIUS, 0.1f, 0.5f);
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 1), &shape));
  weft_particle_shape_def read;
  expect_ok(weft_world_get_particle_shapes(world, weft_range(0, 1), &read));
  require(read.turns);
  expect_get(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, 0, 1, now);
  ck_assert_mem_eq(now, spin, sizeof(spin));
  expect_get(world, WEFT_ATTRIBUTE_ORIENTATION, 0, 1, now);
  for (int k = 0; k < 4; ++k) ck_assert_float_eq_tol(now[k], turn[k], 1e-6f);
  shape.turns = false;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 1), &shape));
  expect_get(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, 0, 1, now);
  for (int k = 0; k < 3; ++k) ck_assert_float_eq(now[k], 0.0f);
  expect_get(world, WEFT_ATTRIBUTE_ORIENTATION, 0, 1, now);
  ck_assert_float_eq(now[3], 1.0f);
  expect_error_at(weft_world_set(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, weft_range(0, 1), spin, 0),
                  WEFT_ERROR_RANGE, "selection.first", 0);
}

TEST(wrong_rotations_are_refused_and_change_nothing) {
  weft_world_def def = weightless_def(1.0 / 60.0);
  def.plane = true;
  const float positions[2][3] = {{0.0f}, {5.0f, 0.0f, 0.0f}};
  const float inverse_masses[2] = {1.0f, 1.0f};
  weft_world* world = new_particles(&def, positions[0], inverse_masses, 2);
  weft_particle_shape_def shape = turning_ball(RADIUS, 0.1f, 0.5f);
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 1), &shape));
  const uint64_t before = weft_world_hash(world);
  shape.shape = WEFT_PARTICLE_SHAPE_BOX;
  shape.half_size[1] = shape.half_size[2] = shape.half_size[0];
  expect_error_at(weft_world_set_particle_shape(world, weft_range(0, 1), &shape), WEFT_ERROR_RANGE,
                  "weft_particle_shape_def.turns", 0);
  const float fast[3] = {0.0f, 0.0f, 2e6f}, aside[3] = {1.0f, 0.0f, 0.0f}, good[3] = {0.0f};
  const float longer[4] = {0.0f, 0.0f, 0.0f, 1.1f}, tilted[4] = {0.0f, 0.6f, 0.0f, 0.8f};
  const float nothing[3] = {0.0f, NAN, 0.0f};
  expect_error_at(
      weft_world_set(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, weft_range(0, 2), good, WEFT_SAME),
      WEFT_ERROR_RANGE, "selection.first", 1);
  expect_error_at(weft_world_set(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, weft_range(0, 1), fast, 0),
                  WEFT_ERROR_RANGE, "values", 0);
  expect_error_at(
      weft_world_set(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, weft_range(0, 1), aside, 0),
      WEFT_ERROR_RANGE, "values", 0);
  expect_error_at(
      weft_world_set(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, weft_range(0, 1), nothing, 0),
      WEFT_ERROR_NOT_FINITE, "values", 0);
  expect_error_at(weft_world_set(world, WEFT_ATTRIBUTE_ORIENTATION, weft_range(0, 1), longer, 0),
                  WEFT_ERROR_RANGE, "values", 0);
  expect_error_at(weft_world_set(world, WEFT_ATTRIBUTE_ORIENTATION, weft_range(0, 1), tilted, 0),
                  WEFT_ERROR_RANGE, "values", 0);
  expect_error_at(weft_world_set(world, WEFT_ATTRIBUTE_ORIENTATION, weft_range(0, 1), tilted, 12),
                  WEFT_ERROR_RANGE, "stride", 0);
  expect_error(weft_world_add(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, weft_range(0, 1), fast, 0),
               WEFT_ERROR_RANGE, "values");
  expect_error_at(weft_world_get(world, WEFT_ATTRIBUTE_ORIENTATION, weft_range(1, 2), NULL, 0),
                  WEFT_ERROR_NULL, "values", 0);
  ck_assert_uint_eq(weft_world_hash(world), before);
}
