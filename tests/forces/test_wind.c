/* Wind on cloth: the limit of drag, gusts. */
#include "forces/wind.h"

#include "support/test.h"

// ---- energy of any cloth ----

// twice the kinetic energy relative to the air
static double energy_in(const weft_world* world, const weft_scene* scene, const float* air) {
  const uint32_t count = weft_scene_particle_count(scene);
  double energy = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    float velocity[3];
    float inverse_mass = 0.0f;
    expect_get(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, velocity);
    expect_ok(weft_scene_get_particles(scene, i, 1, NULL, &inverse_mass));
    if (inverse_mass == 0.0f) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const double relative = (double)velocity[axis] - (double)air[axis];
      energy += relative * relative / (double)inverse_mass;
    }
  }
  return energy;
}

RANDOM_TEST(air_only_takes_energy_whatever_the_step_the_wind_and_the_cloth, ROUNDS(100, 20)) {
  weft_scene* scene = new_scene();
  (void)add_random_mesh(scene, &random, random_from(&random, 2, 20));
  (void)add_sheet(scene, random_from(&random, 2, 9), random_from(&random, 2, 9), STRUCTURAL);
  // a pin holds the cloth against the wind, so pinned cloth is tested in still air
  const bool is_still = random_chance(&random, 4);
  const uint32_t pin = random_below(&random, weft_scene_particle_count(scene));
  if (is_still) expect_ok(weft_scene_pin(scene, weft_range(pin, 1)));
  weft_world_def def = plain_def(.weightless = true, .undamped = true);
  def.step_ns = random_from(&random, 1000000, 200000000);
  def.solver.substeps = random_from(&random, 1, 3);
  def.solver.iterations = 0;
  def.solver.direct_iterations = 0;
  weft_world* world = new_world(&def, scene);
  weft_wind_def wind = weft_default_wind_def();
  for (int axis = 0; axis < 3; ++axis) {
    wind.velocity[axis] = is_still ? 0.0f : random_float(&random, -30.0f, 30.0f);
  }
  wind.density = expf(random_float(&random, -3.0f, 8.0f));
  expect_ok(weft_world_set_wind(world, &wind));
  for (uint32_t i = 0; i < weft_scene_particle_count(scene); ++i) {
    float position[3];
    float velocity[3];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, i, 1, position);
    for (int axis = 0; axis < 3; ++axis) velocity[axis] = random_float(&random, -20.0f, 20.0f);
    place_particle(world, i, position, velocity);
  }
  double before = energy_in(world, scene, wind.velocity);
  for (int step = 0; step < 30; ++step) {
    weft_world_step(world, 1);
    const double now = energy_in(world, scene, wind.velocity);
    require(now <= before * (1.0 + 1e-3));
    before = now;
  }
}

TEST(cloth_that_is_pinned_all_over_stays_and_tiny_and_flat_faces_do_no_harm) {
  static const float positions[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1e-20f, 0};
  static const uint32_t triangles[] = {0, 1, 2, 0, 3, 1};
  weft_scene* scene = new_scene();
  (void)add_mesh_body(scene, .positions = positions, .vertex_count = 4, .triangles = triangles,
                      .triangle_count = 2);
  const weft_body sheet = add_sheet(scene, 4, 4, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, weft_range(sheet.first_particle, 16)));
  const weft_world_def def = weft_plain_world_def();
  weft_world* world = new_world(&def, scene);
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[2] = 1e6f;
  wind.density = 3e38f;
  wind.drag = 3e38f;
  expect_ok(weft_world_set_wind(world, &wind));
  weft_world_step(world, 10);
  float* found = new_positions(world);
  for (uint32_t i = 0; i < 60; ++i) ck_assert(isfinite(found[i]));
  float start[48];
  expect_ok(weft_scene_get_particles(scene, 4, 16, start, NULL));
  ck_assert_mem_eq(found + 12, start, sizeof(start));
}

// ---- gusts ----

static float speed_at(const weft__wind* air, const float place[3]) {
  weft__wind_step step = weft__wind_begin(air);
  float velocity[3];
  weft__wind_velocity(&step, place, velocity);
  return velocity[0];
}

static weft__wind new_gusty_air(float speed) {
  weft__wind air = {.is_there = true, .wind = weft_default_wind_def()};
  air.wind.velocity[0] = speed;
  air.wind.gust = 0.5f;
  return air;
}

TEST(gusts_come_and_go_within_their_share_and_differ_from_place_to_place) {
  weft__wind air = new_gusty_air(10.0f);
  double lower = 1e9;
  double upper = 0.0;
  for (int i = 0; i < 3000; ++i) {
    const float place[3] = {1.3f * (float)i, 0.7f * (float)i, 0.0f};
    const double speed = (double)speed_at(&air, place);
    ck_assert_double_ge(speed, 5.0 * (1.0 - 1e-5));
    ck_assert_double_le(speed, 15.0 * (1.0 + 1e-5));
    lower = fmin(lower, speed);
    upper = fmax(upper, speed);
    weft__wind_drift(&air, 0.02);
  }
  ck_assert_double_lt(lower, 7.0);
  ck_assert_double_gt(upper, 12.6);
}

TEST(gusts_drift_along_with_the_air) {
  weft__wind air = new_gusty_air(10.0f);
  // a long period, so that the drifting pattern does not change in itself
  air.wind.gust_period = 1e9f;
  const float here[3] = {2.0f, 1.0f, 3.0f};
  const float further[3] = {7.0f, 1.0f, 3.0f};
  const float first = speed_at(&air, here);
  const float first_there = speed_at(&air, further);
  for (int i = 0; i < 50; ++i) weft__wind_drift(&air, 0.01);
  ck_assert_float_eq_tol(speed_at(&air, further), first, 1e-3f);
  ck_assert_float_gt(fabsf(first_there - first), 0.1f);
}

// ---- invalid input ----

TEST(a_wind_needs_a_world) {
  const weft_wind_def wind = weft_default_wind_def();
  expect_null(weft_world_set_wind(NULL, &wind), "world");
  expect_null(weft_world_set_wind(NULL, NULL), "world");
}
