/* Air on links without faces: closed forms, the limit of drag, torn links, bits. */
#include "support/isas.h"
#include "support/saved.h"
#include "support/test.h"

// Metres; kilograms per metre; 1 / metres of density / 2 * 1.2 * diameter over the latter.
#define RADIUS 0.006f
static const double rope_mass = 0.05, rope_drag = 0.6 * 1.2 * 2.0 * 0.006 / 0.05;
static const double unsteady = 0.5;

static weft_scene* new_rope(uint32_t segments, const float end[3], bool is_pinned) {
  weft_scene* scene = new_scene();
  weft_rope_def def = bare_rope_def();
  for (int axis = 0; axis < 3; ++axis) def.end[axis] = end[axis];
  def.segments = segments;
  def.mass_per_metre = (float)rope_mass;
  def.pin_origin = is_pinned;
  expect_ok(weft_scene_add_rope(scene, &def, NULL));
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  shape.half_size[0] = RADIUS;
  expect_ok(weft_scene_set_particle_shape(scene, weft_range(0, segments + 1), &shape));
  return scene;
}

static weft_world* new_windy_world(const weft_scene* scene, weft_world_def def, float speed) {
  weft_world* world = new_world(&def, scene);
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[0] = speed;
  expect_ok(weft_world_set_wind(world, &wind));
  return world;
}

static const struct {
  uint32_t segments;
  int64_t step_ns;
} runs[] = {{8, 16666667}, {40, 16666667}, {8, 4166667}, {40, 4166667}};

// Speed after a fall from rest, for dv/dt = g - rope_drag (v + u) v.
static double speed_of_fall(double seconds) {
  double v = 0.0;
  for (double t = 0.0; t < seconds; t += 1e-5) v += 1e-5 * (9.81 - rope_drag * (v + unsteady) * v);
  return v;
}

LOOP_TEST(a_level_rope_falls_by_drag_and_weight_to_its_terminal_speed, 0, 4) {
  const float end[3] = {2.0f, 0.0f, 0.0f};
  const weft_world_def def = default_def(.undamped = true, .step_ns = runs[_i].step_ns);
  weft_world* world = new_windy_world(new_rope(runs[_i].segments, end, false), def, 0.0f);
  const uint32_t steps = (uint32_t)(500000000 / runs[_i].step_ns);
  weft_world_step(world, steps);
  const double expected = -speed_of_fall((double)steps * (double)runs[_i].step_ns * 1e-9);
  weft_measures m = measures_of(world);
  ck_assert_double_eq_tol(m.momentum[1] / m.mass, expected, 0.02 * fabs(expected));
  weft_world_step(world, 7 * steps);
  m = measures_of(world);
  // of v^2 + u v = g / rope_drag
  const double terminal = sqrt(0.25 * unsteady * unsteady + 9.81 / rope_drag) - 0.5 * unsteady;
  ck_assert_double_eq_tol(m.momentum[1] / m.mass, -terminal, 0.01 * terminal);
  ck_assert_double_eq_tol(m.momentum[0] / m.mass, 0.0, 1e-3);
}

// Tangent of the angle from straight down at which weight and drag across the rope are even.
static double tangent_in_wind(double speed) {
  double lower = 0.0, upper = 0.5 * 3.14159265358979;
  for (int i = 0; i < 60; ++i) {
    const double angle = 0.5 * (lower + upper), across = speed * cos(angle);
    if (9.81 * sin(angle) < rope_drag * (across + unsteady) * across)
      lower = angle;
    else
      upper = angle;
  }
  return tan(lower);
}

LOOP_TEST(a_rope_in_a_steady_wind_hangs_straight_at_the_angle_of_its_drag, 0, 4) {
  const float end[3] = {0.0f, -1.0f, 0.0f};
  weft_world_def def = default_def(.step_ns = runs[_i].step_ns);
  def.damping = 2.0f;
  weft_world* world = new_windy_world(new_rope(runs[_i].segments, end, true), def, 6.0f);
  weft_world_step(world, (uint32_t)(15000000000 / runs[_i].step_ns));
  const double expected = tangent_in_wind(6.0);
  ck_assert_double_gt(expected, 0.5);
  for (uint32_t i = runs[_i].segments / 2; i <= runs[_i].segments; i += runs[_i].segments / 2) {
    float at[3];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, i, 1, at);
    ck_assert_double_eq_tol((double)at[0] / -(double)at[1], expected, 0.01 * expected);
  }
}

static double energy_of(const weft_world* world) {
  return measures_of(world).kinetic;
}

// A dense gas takes the speed of all, and adds none.
RANDOM_TEST(still_air_only_takes_energy_whatever_the_step_and_the_rope, ROUNDS(60, 20)) {
  const float end[3] = {random_float(&random, 0.01f, 5.0f), 0.3f, 0.0f};
  weft_scene* scene = new_rope(random_from(&random, 1, 40), end, random_chance(&random, 2));
  weft_world_def def = plain_def(.weightless = true, .undamped = true);
  def.step_ns = random_from(&random, 1000000, 200000000);
  def.solver.substeps = random_from(&random, 1, 3);
  def.solver.iterations = def.solver.direct_iterations = 0;
  weft_world* world = new_world(&def, scene);
  weft_wind_def air = weft_default_wind_def();
  air.density = expf(random_float(&random, -3.0f, 20.0f));
  expect_ok(weft_world_set_wind(world, &air));
  for (uint32_t i = 0; i < weft_scene_particle_count(scene); ++i) {
    float velocity[3];
    for (int axis = 0; axis < 3; ++axis) velocity[axis] = random_float(&random, -20.0f, 20.0f);
    expect_set(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, velocity, 0);
  }
  double before = energy_of(world);
  for (int step = 0; step < 30; ++step) {
    weft_world_step(world, 1);
    const double now = energy_of(world);
    require(now <= before * (1.0 + 1e-3));
    before = now;
  }
}

TEST(an_endless_density_does_no_harm) {
  const float end[3] = {1.0f, 0.0f, 0.0f};
  const weft_world_def def = weft_default_world_def();
  weft_world* world = new_windy_world(new_rope(8, end, true), def, 0.0f);
  weft_wind_def wind = weft_default_wind_def();
  wind.velocity[2] = 1e6f;
  wind.density = wind.drag = 3e38f;
  expect_ok(weft_world_set_wind(world, &wind));
  weft_world_step(world, 10);
  const float* found = new_positions(world);
  for (uint32_t i = 0; i < 27; ++i) ck_assert(isfinite(found[i]));
}

TEST(air_passes_what_has_no_radius_bodies_and_links_that_are_gone) {
  const float end[3] = {1.0f, 0.0f, 0.0f};
  for (int k = 0; k < 4; ++k) {
    const weft_world_def def = default_def(.undamped = true, .weightless = true);
    weft_world* world = new_windy_world(new_rope(1, end, false), def, 0.0f);
    if (k == 1) expect_ok(weft_world_set_particle_shape(world, weft_range(0, 2), NULL));
    if (k == 2) shape_particles(world, 0, 2, .shape = WEFT_PARTICLE_SHAPE_SPHERE, .radius = 0.006f);
    const uint8_t torn = 1;
    if (k == 3) expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, 0, 1, &torn, 0);
    const float velocity[3] = {0.0f, 2.0f, 0.0f};
    for (uint32_t i = 0; i < 2; ++i) expect_set(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, velocity, 0);
    weft_world_step(world, 30);
    const weft_measures m = measures_of(world);
    const double speed = m.momentum[1] / m.mass;
    if (k == 0) ck_assert_double_lt(speed, 1.8);
    if (k > 0) ck_assert_double_eq_tol(speed, 2.0, 1e-5);
  }
}

TEST(air_along_a_rope_takes_nothing) {
  const float end[3] = {1.0f, 0.0f, 0.0f};
  const weft_world_def def = default_def(.undamped = true, .weightless = true);
  weft_world* world = new_windy_world(new_rope(10, end, false), def, 20.0f);
  weft_world_step(world, 60);
  const weft_measures m = measures_of(world);
  ck_assert_double_eq_tol(m.momentum[0], 0.0, 1e-6);
}

TEST(the_bits_are_those_of_any_worker_count_isa_and_snapshot) {
  static const uint32_t worker_counts[] = {1, 2, 3};
  const float end[3] = {1.0f, 0.2f, 0.1f};
  weft_scene* scene = new_rope(700, end, true);
  uint64_t first = 0;
  for (machine m = {0}; next_machine(&m, 3, 0);) {
    const weft_world_def def = default_def(.worker_count = worker_counts[m.w], .isa = m.isa);
    weft_world* world = new_windy_world(scene, def, 8.0f);
    weft_world* other = new_world(&def, scene);
    weft_world_step(world, 10);
    const saved_world saved = save_world(world);
    restore_world(other, &saved);
    weft_world_step(world, 10);
    weft_world_step(other, 10);
    expect_final_hash(world, &first);
    expect_final_hash(other, &first);
  }
}
