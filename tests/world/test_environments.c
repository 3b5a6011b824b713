/* Environments: scenes merged into one world move as they do alone, and never touch. */
#include <math.h>

#include "support/collided.h"
#include "support/isas.h"

enum { KINDS = 4, ENVIRONMENTS = 9 };

// ---- scenes ----

// A pinned sheet, a rope and a tree, a ball of gas, a tire beside a cloud.
static weft_scene* new_kind(int kind) {
  weft_scene* scene = new_scene();
  random_source random = {.state = 5};
  weft_sheet_def sheet = weft_default_sheet_def();
  weft_material_def material = weft_default_material_def();
  weft_rope_def rope = weft_default_rope_def();
  weft_tree_def tree = weft_default_tree_def();
  weft_ball_def ball = weft_default_ball_def();
  weft_tire_def tire = weft_default_tire_def();
  material.bend_stiffness = 1e-5f;
  sheet.columns = 24;
  sheet.rows = 18;
  sheet.material = &material;
  rope.pin_origin = true;
  ball.pressure = 200.0f;
  if (kind == 0) {
    expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
    expect_ok(weft_scene_pin(scene, 0, 24));
  }
  if (kind == 1) {
    expect_ok(weft_scene_add_rope(scene, &rope, NULL));
    expect_ok(weft_scene_add_tree(scene, &tree, NULL));
  }
  if (kind == 2) expect_ok(weft_scene_add_ball(scene, &ball, NULL));
  if (kind == 3) {
    expect_ok(weft_scene_add_tire(scene, &tire, NULL));
    (void)add_cloud(scene, &random, 7, 1.0f);
    expect_ok(weft_scene_reserve_particles(scene, 2, NULL));
  }
  return scene;
}

// Environment e has kind e % KINDS.
static weft_scene* new_merged(weft_body bodies[ENVIRONMENTS]) {
  weft_scene* merged = new_scene();
  for (uint32_t e = 0; e < ENVIRONMENTS; ++e) {
    weft_scene* one = new_kind((int)e % KINDS);
    expect_ok(weft_scene_add_scene(merged, one, NULL, NULL, e, &bodies[e]));
    weft_scene_destroy(&one);
  }
  return merged;
}

static weft_world_def def_of(weft_integrator integrator) {
  weft_world_def def = weft_default_world_def();
  def.integrator = integrator;
  def.springs = integrator != WEFT_INTEGRATOR_POSITION_VERLET;
  def.faces = true;
  def.substeps = 3;
  def.iterations = def.coarse_iterations = 2;
  def.attachments = 4;
  def.step_ns = 4000000;
  return def;
}

// Gravity, damping and wind that differ between environments of one kind.
static void get_settings(uint32_t e, float gravity[3], float* damping, weft_wind_def* wind) {
  gravity[0] = 0.3f * (float)e;
  gravity[1] = -9.0f + 0.5f * (float)e;
  gravity[2] = 0.1f;
  *damping = 0.05f * (float)(1 + e);
  *wind = weft_default_wind_def();
  wind->velocity[2] = 1.0f + (float)e;
  wind->gust = 0.5f;
  wind->seed = e;
}

static void set_up(weft_world* world, uint32_t e, uint32_t number) {
  float gravity[3], damping;
  weft_wind_def wind;
  get_settings(number, gravity, &damping, &wind);
  expect_ok(weft_world_set_environment_gravity(world, e, 1, gravity, 0));
  expect_ok(weft_world_set_environment_damping(world, e, 1, &damping, 0));
  expect_ok(weft_world_set_environment_wind(world, e, 1, number % 3 == 2 ? NULL : &wind));
}

static weft_world* new_alone(const weft_world_def* def, uint32_t e) {
  weft_scene* scene = new_kind((int)e % KINDS);
  weft_world* world = new_world(def, scene);
  weft_scene_destroy(&scene);
  set_up(world, 0, e);
  return world;
}

static weft_world* new_together(const weft_world_def* def, weft_body bodies[ENVIRONMENTS]) {
  weft_scene* scene = new_merged(bodies);
  weft_world* world = new_world(def, scene);
  weft_scene_destroy(&scene);
  ck_assert_uint_eq(weft_world_environment_count(world), ENVIRONMENTS);
  for (uint32_t e = 0; e < ENVIRONMENTS; ++e) set_up(world, e, e);
  return world;
}

// ---- comparison ----

// True if a body has the bits of all particles of another world.
static bool equals(const weft_world* world, const weft_body* body, const weft_world* alone) {
  const uint32_t count = body->particle_count;
  float(*values)[3] = malloc(4 * sizeof(float[3]) * count);
  ck_assert_uint_eq(particle_count_of(alone), count);
  expect_ok(weft_world_get_positions(world, body->first_particle, count, values[0]));
  expect_ok(weft_world_get_velocities(world, body->first_particle, count, values[count]));
  expect_ok(weft_world_get_positions(alone, 0, count, values[2 * count]));
  expect_ok(weft_world_get_velocities(alone, 0, count, values[3 * count]));
  const bool same = memcmp(values[0], values[2 * count], 2 * sizeof(float[3]) * count) == 0;
  free(values);
  return same;
}

START_TEST(a_scene_that_is_added_makes_the_same_world) {
  weft_scene* one = new_scene_case(_i);
  weft_scene* copy = new_scene();
  weft_body body;
  expect_ok(weft_scene_add_scene(copy, one, NULL, NULL, 0, &body));
  ck_assert_uint_eq(body.particle_count, weft_scene_particle_count(one));
  ck_assert_uint_eq(body.link_count, weft_scene_link_count(one));
  const weft_world_def def = def_of(WEFT_INTEGRATOR_POSITION_VERLET);
  weft_world* expected = new_world(&def, one);
  weft_world* world = new_world(&def, copy);
  weft_world_step(expected, 2);
  weft_world_step(world, 2);
  ck_assert_uint_eq(weft_world_hash(world), weft_world_hash(expected));
  weft_world_destroy(&world);
  weft_world_destroy(&expected);
  weft_scene_destroy(&one);
  weft_scene_destroy(&copy);
}
END_TEST

START_TEST(a_scene_is_placed_where_it_is_added) {
  weft_scene* one = new_kind(1);
  weft_scene* both = new_kind(1);
  const float place[3] = {1.0f, 2.0f, 3.0f};
  const float rotation[4] = {0.0f, 0.0f, (float)sqrt(0.5), (float)sqrt(0.5)};
  const uint32_t count = weft_scene_particle_count(one);
  weft_body body;
  expect_ok(weft_scene_add_scene(both, one, place, rotation, 0, &body));
  ck_assert_uint_eq(body.first_particle, count);
  for (uint32_t i = 0; i < count; ++i) {
    float from[3], to[3];
    expect_ok(weft_scene_get_particles(one, i, 1, from, NULL));
    expect_ok(weft_scene_get_particles(both, count + i, 1, to, NULL));
    require(fabsf(to[0] - (1.0f - from[1])) < 1e-6f && fabsf(to[1] - (2.0f + from[0])) < 1e-6f &&
            to[2] == 3.0f + from[2]);
  }
  weft_scene_destroy(&one);
  weft_scene_destroy(&both);
}
END_TEST

// Implicit Euler solves all environments in one system.
START_TEST(environments_move_as_they_do_alone) {
  static const weft_integrator integrators[] = {
      WEFT_INTEGRATOR_POSITION_VERLET, WEFT_INTEGRATOR_VELOCITY_VERLET,
      WEFT_INTEGRATOR_SEMI_IMPLICIT_EULER, WEFT_INTEGRATOR_RUNGE_KUTTA_4};
  static const uint32_t workers[] = {1, 2, 3};
  weft_world_def def = def_of(integrators[_i]);
  weft_world* alone[ENVIRONMENTS];
  for (uint32_t e = 0; e < ENVIRONMENTS; ++e) {
    alone[e] = new_alone(&def, e);
    weft_world_step(alone[e], 8);
  }
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    for (size_t w = 0; w < 3; ++w) {
      if (!goes_with(isa, w, 3, _i)) continue;
      def.isa = (weft_isa)isa;
      def.worker_count = workers[w];
      weft_body bodies[ENVIRONMENTS];
      weft_world* world = new_together(&def, bodies);
      weft_world_step(world, 8);
      for (uint32_t e = 0; e < ENVIRONMENTS; ++e) require(equals(world, &bodies[e], alone[e]));
      weft_world_destroy(&world);
    }
  }
  for (uint32_t e = 0; e < ENVIRONMENTS; ++e) weft_world_destroy(&alone[e]);
}
END_TEST

// ---- pauses ----

// Environments 1, 4 and 8 pause during steps 4 to 6.
START_TEST(a_paused_environment_goes_on_as_if_it_had_not_been_paused) {
  static const weft_integrator integrators[] = {WEFT_INTEGRATOR_POSITION_VERLET,
                                                WEFT_INTEGRATOR_VELOCITY_VERLET,
                                                WEFT_INTEGRATOR_RUNGE_KUTTA_4};
  const weft_world_def def = def_of(integrators[_i]);
  weft_body bodies[ENVIRONMENTS];
  weft_world* world = new_together(&def, bodies);
  weft_world_step(world, 4);
  expect_ok(weft_world_pause_environments(world, 1, 1, true));
  expect_ok(weft_world_pause_environments(world, 4, 1, true));
  expect_ok(weft_world_pause_environments(world, 8, 1, true));
  float* before = new_positions(world);
  weft_world_step(world, 3);
  float* after = new_positions(world);
  for (uint32_t e = 0; e < ENVIRONMENTS; ++e) {
    weft_environment state;
    const size_t first = (size_t)3 * bodies[e].first_particle;
    const size_t bytes = sizeof(float[3]) * bodies[e].particle_count;
    expect_ok(weft_world_get_environments(world, e, 1, &state));
    ck_assert_uint_eq(state.step_count, state.is_paused ? 4 : 7);
    ck_assert_int_eq(memcmp(before + first, after + first, bytes) == 0, state.is_paused);
  }
  expect_ok(weft_world_pause_environments(world, 0, ENVIRONMENTS, false));
  weft_world_step(world, 3);
  for (uint32_t e = 0; e < ENVIRONMENTS; ++e) {
    weft_environment state;
    weft_world* alone = new_alone(&def, e);
    expect_ok(weft_world_get_environments(world, e, 1, &state));
    weft_world_step(alone, (uint32_t)state.step_count);
    require(equals(world, &bodies[e], alone));
    weft_world_destroy(&alone);
  }
  free(before);
  free(after);
  weft_world_destroy(&world);
}
END_TEST

SUITE(environments) {
  tcase_add_loop_test(tests, a_scene_that_is_added_makes_the_same_world, 0, scene_case_count());
  tcase_add_test(tests, a_scene_is_placed_where_it_is_added);
  tcase_add_loop_test(tests, environments_move_as_they_do_alone, 0, 4);
  tcase_add_loop_test(tests, a_paused_environment_goes_on_as_if_it_had_not_been_paused, 0, 3);
}
