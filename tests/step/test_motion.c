/* Motion of free particles. */
#include "support/test.h"

#define STEP_NS 16666667
static const double h = STEP_NS * 1e-9;

// one free particle at this height
static weft_world* new_particle_at(const weft_world_def* def, float height) {
  const float inverse_mass = 2.0f;
  weft_scene* scene = new_points_scene((const float[3]){0.0f, height, 0.0f}, &inverse_mass, 1);
  return new_world(def, scene);
}

static weft_world* new_lone_particle(const weft_world_def* def) {
  return new_particle_at(def, 0.0f);
}

TEST(free_fall_is_the_closed_form_of_position_verlet) {
  const weft_world_def def = plain_def(.undamped = true);
  weft_world* world = new_lone_particle(&def);
  for (int n = 1; n <= 600; ++n) {
    weft_world_step(world, 1);
    float position[3], velocity[3];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, position);
    expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, velocity);
    const double fallen = -9.81 * h * h * n * (n + 1) / 2.0;
    require(fabs((double)position[1] - fallen) <= 2e-6 * fabs(fallen));
    require(fabs((double)velocity[1] + 9.81 * h * n) <= 2e-6 * n * 9.81 * h);
    require(position[0] == 0.0f && position[2] == 0.0f);
  }
}

// Gravity displaces by less in a substep than positions are apart here.
TEST(far_from_the_origin_and_in_small_substeps_fall_and_flight_are_those_of_the_closed_form) {
  static const float heights[] = {10.0f, -100.0f, 1000.0f, 1000.0f, -10000.0f};
  static const uint32_t substeps[] = {16, 16, 4, 16, 16};
  static const float speeds[] = {0.0f, 0.03f};
  for (size_t i = 0; i < 10; ++i) {
    // a flight that is slower than half a rounding of positions a substep does not get on
    if (i / 5 == 1 && i % 5 > 2) continue;
    const float height = heights[i % 5], thrown[3] = {0.0f, speeds[i / 5], 0.0f};
    weft_world_def def = plain_def(.undamped = true, .substeps = substeps[i % 5]);
    if (i / 5 == 1) def.gravity[1] = 0.0f;
    weft_world* world = new_particle_at(&def, height);
    expect_set(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, thrown, 0);
    weft_world_step(world, 60);
    float position[3], velocity[3];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, position);
    expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, velocity);
    const double g = (double)def.gravity[1], n = 60.0 * def.solver.substeps,
                 k = h / def.solver.substeps;
    const double moved = g * k * k * n * (n + 1) / 2.0 + (double)thrown[1] * k * n;
    // a position is rounded in each substep, a velocity as a number of its size
    const double rounded = n * ldexp(fabs((double)height), -24);
    const double velocity_y = g * k * n + (double)thrown[1];
    ck_assert_double_eq_tol((double)position[1] - (double)height, moved, rounded);
    ck_assert_double_eq_tol((double)velocity[1], velocity_y, 1e-5 * fabs(velocity_y));
  }
}

TEST(damped_fall_nears_the_terminal_velocity_of_its_closed_form) {
  const weft_world_def def = plain_def(.damping = 2.0f);
  weft_world* world = new_lone_particle(&def);
  const double kept = exp(-2.0 * h);
  double fallen = 0.0, step = 0.0;
  for (int n = 1; n <= 600; ++n) {
    weft_world_step(world, 1);
    step = step * kept - 9.81 * h * h;
    fallen += step;
  }
  float position[3], velocity[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, position);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, velocity);
  ck_assert_double_eq_tol((double)position[1], fallen, 1e-3);
  // terminal velocity v = g / damping, plus half a step of gravity
  ck_assert_double_eq_tol((double)velocity[1], -9.81 * h / (1.0 - kept), 1e-4);
}

TEST(what_damping_leaves_of_a_velocity_does_not_depend_on_the_step) {
  weft_world_def def = plain_def(.weightless = true, .damping = 1.5f);
  for (int64_t rate = 30; rate <= 240; rate *= 2) {
    def.step_ns = 1000000000 / rate;
    for (def.solver.substeps = 1; def.solver.substeps <= 2; ++def.solver.substeps) {
      weft_world* world = new_lone_particle(&def);
      const float place[3] = {0.0f, 0.0f, 0.0f}, thrown[3] = {2.0f, 0.0f, 0.0f};
      place_particle(world, 0, place, thrown);
      weft_world_step(world, (uint32_t)rate);
      float velocity[3];
      expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, velocity);
      ck_assert_double_eq_tol((double)velocity[0], 2.0 * exp(-1.5), 3e-3);
    }
  }
}

LOOP_TEST(pins_stay_where_they_are_to_the_bit, 0, ROUNDS(80, 16)) {
  weft_scene* scene = new_scene_case(_i);
  random_source random = {(uint64_t)_i};
  const uint32_t count = weft_scene_particle_count(scene);
  bool* pinned = test_alloc(count * sizeof(bool));
  for (uint32_t i = 0; i < count; ++i) {
    if (random_chance(&random, 4)) expect_ok(weft_scene_pin(scene, weft_range(i, 1)));
    float inverse_mass = 0.0f;
    expect_ok(weft_scene_get_particles(scene, i, 1, NULL, &inverse_mass));
    pinned[i] = inverse_mass == 0.0f;
  }
  weft_world* world = new_world_of(scene);
  float* before = new_positions(world);
  weft_world_step(world, 5);
  float* after = new_positions(world);
  for (uint32_t i = 0; i < count; ++i) {
    require(!pinned[i] || memcmp(before + (size_t)3 * i, after + (size_t)3 * i, 12) == 0);
  }
}

LOOP_TEST(a_particle_pinned_in_flight_stops_and_one_set_free_falls_from_rest, 0, 2) {
  const weft_world_def def = plain_def(.undamped = true);
  weft_world* world = new_lone_particle(&def);
  const float start[3] = {0.0f, 0.0f, 0.0f}, velocity[3] = {3.0f, 4.0f, 5.0f};
  float before[3], after[3];
  place_particle(world, 0, start, velocity);
  weft_world_step(world, 10);
  pin_particles(world, 0, 1);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, before);
  // pinned for 10 steps per case, or for none
  weft_world_step(world, 10 * (uint32_t)_i);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, after);
  ck_assert_mem_eq(before, after, sizeof(before));
  set_inverse_mass(world, 0, 1.0f);
  weft_world_step(world, 1);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, after);
  ck_assert_float_eq(after[0], before[0]);
  ck_assert_double_eq_tol((double)(after[1] - before[1]), -9.81 * h * h, 1e-6);
  ck_assert_float_eq(after[2], before[2]);
}
