/* Grips, pointers that hold particles: taking, moving and releasing. */
#include "support/moved.h"
#include "support/ropes.h"
#include "support/test.h"

static weft_world_def still_def(void) {
  weft_world_def def = plain_def(.weightless = true, .undamped = true, .step_ns = 10000000);
  return def;
}

// a free particle, and a pinned one beside it
static weft_world* new_two(const weft_world_def* def) {
  const float places[6] = {0.02f, 0.0f, 0.0f, 0.0f, 0.03f, 0.0f}, inverse_masses[2] = {0.5f, 0.0f};
  weft_scene* scene = new_points_scene(places, inverse_masses, 2);
  return new_world(def, scene);
}

static weft_grip grip_at(weft_world* world, float x, float y, float z, float radius) {
  weft_grip grip = {0};
  expect_ok(weft_world_add_grip(world, (float[3]){x, y, z}, radius, &grip));
  return grip;
}

static uint32_t resolved_by(const weft_world* world, weft_grip grip) {
  uint32_t held = UINT32_MAX;
  expect_ok(weft_world_get_grip(world, grip, NULL, NULL, &held));
  return held;
}

// ---- motion ----

LOOP_TEST(what_is_held_goes_as_far_as_the_pointer_and_flies_on_with_its_velocity, 0, 6) {
  const weft_integrator integrators[3] = {WEFT_INTEGRATOR_POSITION_VERLET,
                                          WEFT_INTEGRATOR_VELOCITY_VERLET,
                                          WEFT_INTEGRATOR_IMPLICIT_EULER};
  weft_world_def def = still_def();
  def.solver.integrator = integrators[_i % 3];
  def.solver.substeps = _i < 3 ? 1 : 4;
  weft_world* world = new_two(&def);
  const weft_grip grip = grip_at(world, 0.0f, 0.0f, 0.0f, 0.1f);
  ck_assert_uint_eq(resolved_by(world, grip), 1);
  float here[3], velocity[3];
  // offset from the pointer is kept while the pointer moves and while it rests
  for (int step = 1; step <= 40; ++step) {
    const float x = 0.05f * (float)(step < 30 ? step : 30);
    if (step <= 30) expect_ok(weft_world_move_grip(world, grip, (float[3]){x, -x, 0.0f}));
    weft_world_step(world, 1);
    get_one(world, 0, here, velocity);
    ck_assert_float_eq_tol(here[0], 0.02f + x, 1e-6f);
    ck_assert_float_eq_tol(here[1], -x, 1e-6f);
    ck_assert_float_eq_tol(velocity[0], (step <= 30 ? 5.0f : 0.0f), 1e-3f);
  }
  expect_ok(weft_world_move_grip(world, grip, (float[3]){1.6f, -1.5f, 0.0f}));
  weft_world_step(world, 1);
  expect_ok(weft_world_remove_grip(world, grip));
  weft_world_step(world, 5);
  get_one(world, 0, here, velocity);
  ck_assert_float_eq_tol(here[0], 0.02f + 1.6f + 0.5f, 1e-4f);
  ck_assert_float_eq_tol(velocity[0], 10.0f, 1e-3f);
  ck_assert_float_eq_tol(velocity[1], 0.0f, 1e-3f);
  // the pinned particle was not taken
  get_one(world, 1, here, velocity);
  ck_assert_float_eq(here[1], 0.03f);
}

RANDOM_TEST(a_pointer_that_crosses_a_cloud_in_one_step_takes_all_that_it_passes, 8) {
  weft_scene* scene = new_scene();
  (void)add_cloud(scene, &random, 400, 2.0f);
  float inverse_masses[400];
  expect_ok(weft_scene_get_particles(scene, 0, 400, NULL, inverse_masses));
  weft_world_def def = still_def();
  def.solver.iterations = 0;
  def.worker_count = 1 + (uint32_t)_i % 4;
  weft_world* world = new_world(&def, scene);
  const float from[3] = {-5.0f, random_float(&random, -1.0f, 1.0f), 0.1f};
  const float to[3] = {6.0f, random_float(&random, -1.0f, 1.0f), 0.0f};
  const float radius = random_float(&random, 1.0f, 1.5f);
  float* before = new_positions(world);
  const weft_grip grip = grip_at(world, from[0], from[1], from[2], radius);
  ck_assert_uint_eq(resolved_by(world, grip), 0);
  expect_ok(weft_world_move_grip(world, grip, to));
  weft_world_step(world, 1);
  float* now = new_positions(world);
  uint32_t expected = 0;
  for (uint32_t i = 0; i < 400; ++i) {
    const float* was = before + (size_t)3 * i;
    const float* is = now + (size_t)3 * i;
    double along = 0.0, length_sq = 0.0;
    for (int k = 0; k < 3; ++k) {
      const double way = (double)to[k] - (double)from[k];
      along += ((double)was[k] - (double)from[k]) * way;
      length_sq += way * way;
    }
    double apart_sq = 0.0, target[3];
    for (int k = 0; k < 3; ++k) {
      const double way = (double)to[k] - (double)from[k];
      const double offset = (double)was[k] - ((double)from[k] + along / length_sq * way);
      apart_sq += offset * offset;
      target[k] = (double)to[k] + offset;
    }
    const bool is_taken = inverse_masses[i] > 0.0f && sqrt(apart_sq) <= (double)radius;
    expected += is_taken ? 1 : 0;
    for (int k = 0; k < 3; ++k) {
      const double wanted = is_taken ? target[k] : (double)was[k];
      ck_assert_double_eq_tol((double)is[k], wanted, 1e-5);
    }
  }
  ck_assert_uint_gt(expected, 0);
  ck_assert_uint_eq(resolved_by(world, grip), expected);
}

// ---- other changes while held ----

TEST(two_fingers_share_nothing_and_give_back_what_they_took) {
  const weft_world_def def = still_def();
  weft_world* world = new_two(&def);
  const weft_grip first = grip_at(world, 0.0f, 0.0f, 0.0f, 0.1f);
  const weft_grip second = grip_at(world, 0.02f, 0.0f, 0.0f, 0.1f);
  ck_assert_uint_eq(resolved_by(world, first), 1);
  ck_assert_uint_eq(resolved_by(world, second), 0);
  // inverse mass set while held takes effect on release
  set_inverse_mass(world, 0, 0.25f);
  expect_error(weft_world_set(world, WEFT_ATTRIBUTE_TARGET, weft_range(0, 1), (float[3]){0}, 0),
               WEFT_ERROR_RANGE, "selection.first");
  weft_measures measures = measures_of(world);
  ck_assert_double_eq(measures.mass, 0.0);
  expect_ok(weft_world_remove_grip(world, first));
  expect_ok(weft_world_measure(world, &measures));
  ck_assert_double_eq(measures.mass, 4.0);
  // a resting grip takes no further particles; a moving one does
  expect_ok(weft_world_move_grip(world, second, (float[3]){0.02f, 0.0f, 0.5f}));
  ck_assert_uint_eq(resolved_by(world, second), 1);
  expect_ok(weft_world_remove_grip(world, second));
  weft_world_step(world, 1);
  float here[3], velocity[3];
  get_one(world, 0, here, velocity);
  ck_assert_float_eq(here[2], 0.0f);
}

TEST(a_held_particle_that_is_placed_or_pinned_follows_from_there) {
  const weft_world_def def = still_def();
  weft_world* world = new_two(&def);
  const weft_grip grip = grip_at(world, 0.0f, 0.0f, 0.0f, 0.1f);
  place_particle(world, 0, (float[3]){0.0f, 1.0f, 0.0f}, NULL);
  expect_ok(weft_world_move_grip(world, grip, (float[3]){0.0f, 0.0f, 1.0f}));
  weft_world_step(world, 1);
  float here[3], velocity[3];
  get_one(world, 0, here, velocity);
  ck_assert_float_eq_tol(here[1], 1.0f, 1e-6f);
  ck_assert_float_eq_tol(here[2], 1.0f, 1e-6f);
  expect_add(world, WEFT_ATTRIBUTE_POSITION, 0, 2, (float[3]){3.0f, 0.0f, 0.0f}, WEFT_SAME);
  pin_particles(world, 0, 1);
  expect_ok(weft_world_move_grip(world, grip, (float[3]){0.0f, 0.0f, 2.0f}));
  weft_world_step(world, 1);
  expect_ok(weft_world_remove_grip(world, grip));
  weft_world_step(world, 2);
  get_one(world, 0, here, velocity);
  ck_assert_float_eq_tol(here[0], 3.0f, 1e-6f);
  ck_assert_float_eq_tol(here[2], 2.0f, 1e-6f);
  ck_assert_float_eq(velocity[2], 0.0f);
}

// ---- refused input ----

TEST(a_grip_that_cannot_be_is_refused_and_changes_nothing) {
  const weft_world_def def = still_def();
  weft_world* world = new_two(&def);
  const uint64_t hash = weft_world_hash(world);
  const float bad[3] = {0.0f, NAN, 0.0f};
  const float good[3] = {0};
  const float far[3] = {WEFT_MAX_MAGNITUDE, 0.0f, 0.0f};
  weft_grip grip = {77, 0};
  expect_null(weft_world_add_grip(NULL, good, 1.0f, &grip), "world");
  expect_null(weft_world_add_grip(world, NULL, 1.0f, &grip), "place");
  expect_null(weft_world_add_grip(world, good, 1.0f, NULL), "grip");
  expect_error_at(weft_world_add_grip(world, bad, 1.0f, &grip), WEFT_ERROR_NOT_FINITE, "place", 1);
  expect_error(weft_world_add_grip(world, good, INFINITY, &grip), WEFT_ERROR_NOT_FINITE, "radius");
  expect_error(weft_world_add_grip(world, good, 0.0f, &grip), WEFT_ERROR_RANGE, "radius");
  ck_assert_uint_eq(grip.index, 77);
  weft_grip grips[WEFT_MAX_GRIPS];
  for (uint32_t i = 0; i < WEFT_MAX_GRIPS; ++i) {
    grips[i] = grip_at(world, 9, 9, 9, 1);
    ck_assert_uint_eq(grips[i].index, i);
  }
  expect_error(weft_world_add_grip(world, good, 1.0f, &grip), WEFT_ERROR_TOO_MANY, "world");
  expect_ok(weft_world_remove_grip(world, grips[5]));
  expect_null(weft_world_move_grip(world, grips[4], NULL), "place");
  expect_error_at(weft_world_move_grip(world, grips[4], bad), WEFT_ERROR_NOT_FINITE, "place", 1);
  grips[5] = grip_at(world, -1e6f, 0.0f, 0.0f, 1e8f);
  ck_assert_uint_eq(grips[5].index, 5);
  expect_error(weft_world_move_grip(world, grips[5], far), WEFT_ERROR_RANGE, "place");
  expect_ok(weft_world_remove_grip(world, grips[5]));
  ck_assert_uint_eq(weft_world_hash(world), hash);
}
