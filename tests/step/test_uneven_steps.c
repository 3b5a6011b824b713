/* Motion of all kinds of bodies at steps of changing lengths, against fixed steps. */
#include "support/joined.h"
#include "support/ropes.h"
#include "support/test.h"

// Lengths of steps in nanoseconds; the first ones are fixed.
enum { EVERY_30_MS, EVERY_60TH, EVERY_4_MS, EVERY_QUARTER_MS, FIXED_LENGTHS };
enum { RANDOM = FIXED_LENGTHS, FRAMES, BY_TURNS, ONE_MICROSECOND, FALLING, RISING, ALL_LENGTHS };

static int64_t length_of_step(random_source* random, int lengths, int step) {
  const int64_t longest = 30000000, microsecond = 1000;
  switch (lengths) {
    case EVERY_30_MS:
      return longest;
    case EVERY_4_MS:
      return 4000000;
    case EVERY_QUARTER_MS:
      return 250000;
    case RANDOM:
    case FRAMES:
      return (int64_t)random_from(random, 4000000, 30000000);
    case BY_TURNS:
      return step % 2 == 0 ? microsecond : longest;
    case ONE_MICROSECOND:
      return step == 30 ? microsecond : 16666667;
    case FALLING:
      return (int64_t)((double)longest * pow(0.8, step % 46)) + microsecond;
    case RISING:
      return (int64_t)((double)longest * pow(0.8, 45 - step % 46)) + microsecond;
    default:
      return 16666667;
  }
}

typedef struct speeds {
  double rms, largest; /* of all particles, and of one; metres a second */
} speeds;

static speeds present_speeds(const weft_world* world) {
  const uint32_t count = particle_count_of(world);
  float* velocities = test_alloc(sizeof(float[3]) * count);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, count, velocities);
  double largest = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    const float* v = velocities + (size_t)3 * i;
    largest = fmax(largest, sqrt((double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] +
                                 (double)v[2] * (double)v[2]));
  }
  const weft_measures m = measures_of(world);
  return (speeds){sqrt(2.0 * m.kinetic / m.mass), largest};
}

LOOP_TEST(a_swing_keeps_its_energy_whatever_the_steps, 0, LONG_RUN(3)) {
  for (int lengths = FIXED_LENGTHS; lengths < ALL_LENGTHS; ++lengths) {
    random_source random = {(uint64_t)_i};
    weft_scene* scene = new_scene();
    add_rope(scene, (rope_def){.link_count = 1, .length = 1.0f, .load = 1.0f, .towards = {1.0f}});
    weft_world* world = new_default_world(scene, .undamped = true);
    for (int64_t step = 0, elapsed = 0; elapsed < 1000000000; ++step) {
      const int64_t step_ns = length_of_step(&random, lengths, (int)step);
      expect_ok(weft_world_set_step(world, step_ns));
      weft_world_step(world, 1);
      elapsed += step_ns;
      const weft_measures m = measures_of(world);
      // joules; the kilogram has 9.81 at its lowest place
      ck_assert_double_eq_tol(m.kinetic + m.gravitational, 0.0, 0.05 * 9.81);
    }
  }
}

LOOP_TEST(a_load_that_is_drawn_keeps_its_distance_whatever_the_steps, 0, 4) {
  const double speed = 3.0;
  const weft_link_def link = {.a = 0, .b = 1, .rest_length = 1.0f, .relaxation = 1.0f};
  const float positions[6] = {1.0f}, inverse_masses[2] = {0.0f, 1.0f};
  weft_scene* scene = new_points_scene(positions, inverse_masses, 2);
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  weft_world_def def = plain_def(.weightless = true);
  def.solver.direct_iterations = _i % 2 == 0 ? 0 : 4;
  weft_world* world = new_world(&def, scene);
  random_source random = {(uint64_t)_i};
  double seconds = 0.0;
  for (int step = 0; step < 200; ++step) {
    const int64_t step_ns = length_of_step(&random, step < 60 ? EVERY_30_MS : RANDOM, step);
    seconds += (double)step_ns * 1e-9;
    const float target[3] = {(float)(1.0 + speed * seconds), 0.0f, 0.0f};
    expect_set(world, WEFT_ATTRIBUTE_TARGET, 0, 1, target, 0);
    expect_ok(weft_world_set_step(world, step_ns));
    weft_world_step(world, 1);
    float now[6];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 2, now);
    if (step < 20) continue;
    ck_assert_double_eq_tol((double)now[0] - (double)now[3], 1.0, 5e-3);
    ck_assert_double_eq_tol(present_speeds(world).largest, speed, 0.05);
  }
}
