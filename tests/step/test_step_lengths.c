/* Steps of changing length: free flight, reading between steps, and hanging at rest. */
#include "support/bend_scenes.h"
#include "support/ropes.h"
#include "support/test.h"
#include "support/thrown.h"

// ---- flight in steps of any length, against sums in double precision ----

typedef struct flight {
  double position[3], velocity[3], seconds;
  double longest; /* substep */
} flight;

// v' = v + g h, x' = x + v' h
static void fly(flight* f, const float* gravity, int64_t step_ns, uint32_t substeps) {
  const double h = (double)step_ns * 1e-9 / substeps;
  if (h > f->longest) f->longest = h;
  for (uint32_t s = 0; s < substeps; ++s) {
    f->seconds += h;
    for (int axis = 0; axis < 3; ++axis) {
      f->velocity[axis] += (double)gravity[axis] * h;
      f->position[axis] += f->velocity[axis] * h;
    }
  }
}

static double length_of(const double* v) {
  return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static void expect_flight(const weft_world* world, const flight* f, double tolerance) {
  float position[3], velocity[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, position);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, velocity);
  for (int axis = 0; axis < 3; ++axis) {
    require(fabs((double)position[axis] - f->position[axis]) <= tolerance);
    require(fabs((double)velocity[axis] - f->velocity[axis]) <= tolerance);
  }
}

static int64_t draw_step(random_source* random) {
  return (int64_t)random_from(random, 4000000, 40000000);
}

RANDOM_TEST(what_rests_stays_to_the_bit_whatever_the_steps, 3) {
  weft_world_def def = def_without_damping(2);
  memset(def.gravity, 0, sizeof(def.gravity));
  weft_world* world = new_lone_particle(&def);
  place_particle(world, 0, (const float[3]){0.1f, -1e3f, 1e-5f}, NULL);
  const uint64_t hash = weft_world_hash(world);
  for (int step = 0; step < 100; ++step) {
    expect_ok(weft_world_set_step(world, random_from(&random, 1000, 1000000000)));
    weft_world_step(world, 2);
    ck_assert_uint_eq(weft_world_hash(world), hash);
  }
}

RANDOM_TEST(free_flight_follows_the_parabola_as_well_as_with_constant_steps, 8) {
  const weft_world_def def = def_without_damping(1 + (uint32_t)_i % 4);
  weft_world* world = new_lone_particle(&def);
  const float velocity[3] = {2.0f, 5.0f, -1.0f};
  flight f = {.velocity = {2.0, 5.0, -1.0}};
  throw_it(world, velocity);
  for (int step = 0; step < 60; ++step) {
    const int64_t step_ns = draw_step(&random);
    const uint32_t substeps = 1 + random_below(&random, 4);
    expect_ok(weft_world_set_step(world, step_ns));
    expect_ok(weft_world_set_substeps(world, substeps));
    weft_world_step(world, 1);
    fly(&f, def.gravity, step_ns, substeps);
    expect_flight(world, &f, 2e-4 * (1.0 + length_of(f.position)));
  }
  // error of the scheme, with all substeps as long as the longest: g t h / 2
  const double parabola = 5.0 * f.seconds - 9.81 * f.seconds * f.seconds / 2.0;
  ck_assert_double_le(fabs(f.position[1] - parabola), 9.81 * f.seconds * f.longest / 2.0);
}

RANDOM_TEST(with_a_remainder_step_all_time_is_flown, 8) {
  weft_world_def def = def_without_damping(1 + (uint32_t)_i % 3);
  def.remainder = WEFT_REMAINDER_STEP;
  weft_world* world = new_lone_particle(&def);
  const float velocity[3] = {1.0f, 4.0f, 0.0f};
  flight f = {.velocity = {1.0, 4.0, 0.0}};
  throw_it(world, velocity);
  int64_t elapsed = 0;
  uint64_t steps = 0;
  for (int frame = 0; frame < 60; ++frame) {
    // remainders of at least two milliseconds: shorter ones round velocities more
    const int64_t whole = random_from(&random, 0, 2);
    const int64_t frame_ns = whole * def.step_ns + (int64_t)random_from(&random, 2000000, 16000000);
    weft_advance advance;
    expect_ok(weft_world_advance(world, frame_ns, &advance));
    ck_assert_int_eq((int64_t)advance.steps * def.step_ns + advance.remainder_ns, frame_ns);
    ck_assert_float_eq(advance.interpolation, 1.0f);
    for (uint32_t n = 0; n < advance.steps; ++n)
      fly(&f, def.gravity, def.step_ns, def.solver.substeps);
    fly(&f, def.gravity, advance.remainder_ns, def.solver.substeps);
    expect_flight(world, &f, 2e-3 * (1.0 + length_of(f.position)));
    elapsed += frame_ns;
    steps += advance.steps + 1u;
  }
  ck_assert_double_eq_tol(f.seconds, (double)elapsed * 1e-9, 1e-9);
  ck_assert_uint_eq(stats_of(world).step_count, steps);
}

LOOP_TEST(a_velocity_outlasts_steps_of_a_microsecond, 0, 3) {
  weft_world_def def = def_without_damping(1 + (uint32_t)_i);
  memset(def.gravity, 0, sizeof(def.gravity));
  weft_world* world = new_lone_particle(&def);
  const float velocity[3] = {0.3f, -0.02f, 0.001f}, place[3] = {8.0f, -8.0f, 8.0f};
  flight f = {.position = {8.0, -8.0, 8.0}, .velocity = {0.3, -0.02, 0.001}};
  place_particle(world, 0, place, velocity);
  weft_world_step(world, 1);
  fly(&f, def.gravity, def.step_ns, def.solver.substeps);
  for (int step = 0; step < 100; ++step) {
    const int64_t step_ns = step % 5 == 4 ? 30000000 : 1000;
    expect_ok(weft_world_set_step(world, step_ns));
    weft_world_step(world, 1);
    fly(&f, def.gravity, step_ns, def.solver.substeps);
    expect_flight(world, &f, 1e-4);
  }
}

// ---- reading between two steps of different lengths ----

RANDOM_TEST(a_new_step_changes_nothing_that_is_read_before_it_is_taken, 5) {
  weft_scene* scene = new_scene_case(4 * _i + 3);
  weft_world* world = new_world_of(scene);
  weft_world_step(world, 3);
  const uint32_t count = particle_count_of(world);
  float* before = test_alloc(sizeof(float[3]) * count);
  float* after = test_alloc(sizeof(float[3]) * count);
  const uint64_t hash = weft_world_hash(world);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, count, before);
  expect_ok(weft_world_set_step(world, draw_step(&random)));
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, count, after);
  ck_assert_mem_eq(before, after, sizeof(float[3]) * count);
  ck_assert_uint_eq(weft_world_hash(world), hash);
}

static weft_world_def def_of(const weft_world* world) {
  weft_world_def def;
  expect_ok(weft_world_get_def(world, &def));
  return def;
}

LOOP_TEST(a_step_that_is_changed_there_and_back_has_not_been_changed, 0, 8) {
  weft_world* changed = new_world_of(new_scene_case(_i));
  weft_world* kept = new_world_of(new_scene_case(_i));
  const uint32_t substeps = def_of(changed).solver.substeps;
  for (int round = 0; round < 3; ++round) {
    weft_world_step(changed, 2);
    weft_world_step(kept, 2);
    expect_ok(weft_world_set_step(changed, 1000));
    expect_ok(weft_world_set_step(changed, 16666667));
    expect_ok(weft_world_set_substeps(changed, 7));
    expect_ok(weft_world_set_substeps(changed, substeps));
  }
  weft_world_step(changed, 2);
  weft_world_step(kept, 2);
  ck_assert_uint_eq(weft_world_hash(changed), weft_world_hash(kept));
}

LOOP_TEST(a_velocity_that_is_set_between_two_lengths_is_read_back_and_flown, 0, 3) {
  weft_world_def def = def_without_damping(1 + (uint32_t)_i);
  memset(def.gravity, 0, sizeof(def.gravity));
  weft_world* world = new_lone_particle(&def);
  weft_world_step(world, 1);
  expect_ok(weft_world_set_step(world, 4000000));
  const float velocity[3] = {3.0f, -2.0f, 1.0f};
  throw_it(world, velocity);
  float got[3];
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, got);
  for (int axis = 0; axis < 3; ++axis) ck_assert_float_eq_tol(got[axis], velocity[axis], 1e-5f);
  flight f = {.velocity = {3.0, -2.0, 1.0}};
  weft_world_step(world, 5);
  for (int step = 0; step < 5; ++step) fly(&f, def.gravity, 4000000, def.solver.substeps);
  expect_flight(world, &f, 1e-4);
}

static float x_of(const weft_world* world) {
  float position[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, position);
  return position[0];
}

LOOP_TEST(positions_are_interpolated_over_the_step_that_was_taken, 0, 6) {
  weft_world_def def = def_without_damping(1 + (uint32_t)_i % 3);
  memset(def.gravity, 0, sizeof(def.gravity));
  if (_i >= 3) def.solver.integrator = WEFT_INTEGRATOR_VELOCITY_VERLET;
  weft_world* world = new_lone_particle(&def);
  const float velocity[3] = {1.0f, -0.5f, 0.25f};
  throw_it(world, velocity);
  for (int step = 0; step < 20; ++step) {
    const float before = x_of(world);
    expect_ok(weft_world_set_step(world, step % 3 == 0 ? 30000000 : 4000000));
    weft_world_step(world, 1);
    const float after = x_of(world);
    for (int part = 0; part <= 4; ++part) {
      const float interpolation = (float)part / 4.0f;
      float between[3];
      expect_ok(read_interpolated(world, interpolation, 0, 1, between));
      ck_assert_float_eq_tol(between[0], before + interpolation * (after - before), 1e-6f);
    }
  }
}

LOOP_TEST(steps_set_before_the_first_are_those_of_the_def, 0, BEND_CASES / 2) {
  // cloth with materials, and compliant ropes
  weft_scene* scene = new_bend_case(_i);
  rope_def hung = hanging_rope(9, 5.0f);
  hung.compliance = 1e-3f;
  (void)add_rope(scene, hung);
  weft_world_def def = plain_def(.coarse_iterations = _i % 2 == 0 ? 2 : 0, .step_ns = 9000000);
  const uint32_t expected_substeps = 1 + (uint32_t)_i % 3;
  def.solver.substeps = expected_substeps;
  weft_world* expected = new_world(&def, scene);
  def.step_ns = 16666667;
  def.solver.substeps = 2;
  weft_world* world = new_world(&def, scene);
  expect_ok(weft_world_set_step(world, 9000000));
  expect_ok(weft_world_set_substeps(world, expected_substeps));
  weft_world_step(expected, 3);
  weft_world_step(world, 3);
  // particles rest before the first step, so that there is no velocity to scale
  ck_assert_uint_eq(weft_world_hash(world), weft_world_hash(expected));
}

// ---- hanging at rest ----

// steps of random lengths; returns the largest distance of a particle from its start
static double wander(weft_world* world, uint64_t seed, int steps) {
  random_source random = {seed};
  const uint32_t count = particle_count_of(world);
  float* start = new_positions(world);
  double upper = 0.0;
  for (int step = 0; step < steps; ++step) {
    expect_ok(weft_world_set_step(world, draw_step(&random)));
    weft_world_step(world, 1);
    float* now = new_positions(world);
    for (uint32_t i = 0; i < count; ++i) {
      upper = fmax(upper, distance(now + (size_t)3 * i, start + (size_t)3 * i));
    }
  }
  return upper;
}

LOOP_TEST(a_link_that_gives_way_keeps_its_load_where_it_is, 0, 6) {
  const float compliance = 1e-3f;
  weft_scene* scene = new_scene();
  // load of one kilogram at the equilibrium length of the link
  const float positions[6] = {0.0f, 0.0f, 0.0f, 0.0f, -1.0f - 9.81f * compliance, 0.0f};
  const weft_link_def link = {
      .a = 0, .b = 1, .rest_length = 1.0f, .relaxation = 1.0f, .compliance = compliance};
  expect_ok(weft_scene_add_particles(scene, positions, (const float[2]){0.0f, 1.0f}, 2, NULL));
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  weft_world_def def = def_without_damping(1 + (uint32_t)_i % 3);
  weft_world* world = new_world(&def, scene);
  ck_assert_double_le(wander(world, (uint64_t)_i, 300), 2e-5);
}

LOOP_TEST(a_rope_keeps_its_load_where_it_is, 0, 6) {
  weft_scene* scene = new_scene();
  rope_def def = hanging_rope(20, 10.0f);
  def.compliance = _i % 3 == 0 ? 0.0f : 1e-3f;
  if (_i % 3 == 2) {
    // between two pins, sagging by its own weight
    def = (rope_def){.link_count = 20,
                     .length = 2.0f,
                     .mass = 2.0f,
                     .towards = {1.0f, 0.0f, 0.0f},
                     .compliance = 1e-3f};
  }
  (void)add_rope(scene, def);
  // warm start from the last step: one iteration is enough
  weft_world* world = new_direct_world(scene, 1, 20.0f);
  weft_world_step(world, 600);
  expect_ok(weft_world_set_damping(world, 0.0f));
  ck_assert_double_le(wander(world, (uint64_t)_i, 200), _i % 3 == 2 ? 2e-3 : 1e-4);
}

LOOP_TEST(a_cloth_with_levels_and_bend_elements_keeps_where_it_hangs, 0, 2) {
  weft_scene* scene = new_scene();
  const weft_body sheet = add_bend_sheet(scene, 12, 12, 1e-4f);
  expect_ok(weft_scene_pin(scene, weft_range(sheet.first_particle, 12)));
  weft_world* world =
      new_plain_world(scene, .damping = 20.0f, .iterations = 200, .coarse_iterations = 8);
  weft_world_step(world, 300);
  // steps of 40 ms leave links softer: it hangs lower by 0.45 mm
  ck_assert_double_le(wander(world, (uint64_t)_i, 30), 4.7e-4);
}
