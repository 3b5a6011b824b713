/* Environments: scenes merged into one world move as they do alone, and never touch. */
#include "scene/fingerprint.h"
#include "support/collided.h"
#include "support/saved.h"
#include "support/test.h"

enum { KINDS = 4, ENVIRONMENTS = 9 };

// ---- scenes ----

// A pinned sheet, a rope and a tree, a ball of gas, a tire beside a cloud.
static weft_scene* new_kind(int kind) {
  weft_scene* scene = new_scene();
  random_source random = {.state = 5};
  weft_sheet_def sheet = sheet_def(.columns = 24, .rows = 18);
  weft_material_def material = material_def(.bend_stiffness = 1e-5f);
  weft_rope_def rope = bare_rope_def();
  weft_tree_def tree = weft_default_tree_def();
  weft_ball_def ball = bare_ball_def();
  weft_tire_def tire = weft_default_tire_def();
  sheet.material = &material;
  rope.pin_origin = true;
  ball.pressure = 200.0f;
  if (kind == 0) {
    expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
    expect_ok(weft_scene_pin(scene, weft_range(0, 24)));
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
  }
  return merged;
}

static weft_world_def def_of(weft_integrator integrator) {
  weft_world_def def = default_def(.integrator = integrator,
                                   .springs = integrator != WEFT_INTEGRATOR_POSITION_VERLET);
  // gas anywhere changes the directions of symmetric sweeps
  def.solver.sweeps = WEFT_SWEEPS_TEXTBOOK;
  def.solver.substeps = 3;
  def.solver.iterations = def.solver.coarse_iterations = 2;
  def.solver.attachments = 4;
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
  expect_ok(
      weft_world_set(world, WEFT_ATTRIBUTE_ENVIRONMENT_GRAVITY, weft_range(e, 1), gravity, 0));
  expect_ok(
      weft_world_set(world, WEFT_ATTRIBUTE_ENVIRONMENT_DAMPING, weft_range(e, 1), &damping, 0));
  expect_ok(
      weft_world_set_environment_wind(world, weft_range(e, 1), number % 3 == 2 ? NULL : &wind));
}

static weft_world* new_alone(const weft_world_def* def, uint32_t e) {
  weft_scene* scene = new_kind((int)e % KINDS);
  weft_world* world = new_world(def, scene);
  set_up(world, 0, e);
  return world;
}

static weft_world* new_together(const weft_world_def* def, weft_body bodies[ENVIRONMENTS]) {
  weft_scene* scene = new_merged(bodies);
  weft_world* world = new_world(def, scene);
  ck_assert_uint_eq(weft_world_environment_count(world), ENVIRONMENTS);
  for (uint32_t e = 0; e < ENVIRONMENTS; ++e) set_up(world, e, e);
  return world;
}

// ---- comparison ----

// True if a body has the bits of all particles of another world.
static bool equals(const weft_world* world, const weft_body* body, const weft_world* alone) {
  const uint32_t count = body->particle_count;
  float(*values)[3] = test_alloc(4 * sizeof(float[3]) * count);
  ck_assert_uint_eq(particle_count_of(alone), count);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, body->first_particle, count, values[0]);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, body->first_particle, count, values[count]);
  expect_get(alone, WEFT_ATTRIBUTE_POSITION, 0, count, values[2 * count]);
  expect_get(alone, WEFT_ATTRIBUTE_VELOCITY, 0, count, values[3 * count]);
  return memcmp(values[0], values[2 * count], 2 * sizeof(float[3]) * count) == 0;
}

// Worlds of some of the cases: the fingerprint says it of all.
LOOP_TEST(a_scene_that_is_added_makes_the_same_world, 0, scene_case_count()) {
  weft_scene* one = new_scene_case(_i);
  weft_scene* copy = new_scene();
  const weft__schedule none = {0};
  weft_body body;
  expect_ok(weft_scene_add_scene(copy, one, NULL, NULL, 0, &body));
  ck_assert_uint_eq(body.particle_count, weft_scene_particle_count(one));
  ck_assert_uint_eq(body.link_count, weft_scene_link_count(one));
  ck_assert_uint_eq(weft__scene_fingerprint(copy, &none), weft__scene_fingerprint(one, &none));
  const weft_world_def def = def_of(WEFT_INTEGRATOR_POSITION_VERLET);
  if (_i / 4 % 4 == 0) {
    weft_world* expected = new_world(&def, one);
    weft_world* world = new_world(&def, copy);
    weft_world_step(expected, 2);
    weft_world_step(world, 2);
    ck_assert_uint_eq(weft_world_hash(world), weft_world_hash(expected));
  }
}

TEST(a_scene_is_placed_where_it_is_added) {
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
}

// Implicit Euler solves all environments in one system.
LOOP_TEST(environments_move_as_they_do_alone, 0, 4) {
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
  for (machine m = {0}; next_machine_in_turn(&m, 3, _i);) {
    def.isa = m.isa;
    def.worker_count = workers[m.w];
    weft_body bodies[ENVIRONMENTS];
    weft_world* world = new_together(&def, bodies);
    weft_world_step(world, 8);
    for (uint32_t e = 0; e < ENVIRONMENTS; ++e) require(equals(world, &bodies[e], alone[e]));
  }
}

// ---- pauses ----

// Environments 1, 4 and 8 pause during steps 4 to 6.
LOOP_TEST(a_paused_environment_goes_on_as_if_it_had_not_been_paused, 0, 3) {
  static const weft_integrator integrators[] = {WEFT_INTEGRATOR_POSITION_VERLET,
                                                WEFT_INTEGRATOR_VELOCITY_VERLET,
                                                WEFT_INTEGRATOR_RUNGE_KUTTA_4};
  const weft_world_def def = def_of(integrators[_i]);
  weft_body bodies[ENVIRONMENTS];
  weft_world* world = new_together(&def, bodies);
  weft_world_step(world, 4);
  expect_ok(weft_world_set(world, WEFT_ATTRIBUTE_ENVIRONMENT_PAUSED, weft_range(1, 1),
                           &(bool){true}, WEFT_SAME));
  expect_ok(weft_world_set(world, WEFT_ATTRIBUTE_ENVIRONMENT_PAUSED, weft_range(4, 1),
                           &(bool){true}, WEFT_SAME));
  expect_ok(weft_world_set(world, WEFT_ATTRIBUTE_ENVIRONMENT_PAUSED, weft_range(8, 1),
                           &(bool){true}, WEFT_SAME));
  float* before = new_positions(world);
  weft_world_step(world, 3);
  float* after = new_positions(world);
  for (uint32_t e = 0; e < ENVIRONMENTS; ++e) {
    uint64_t steps;
    bool is_paused;
    const size_t first = (size_t)3 * bodies[e].first_particle;
    const size_t bytes = sizeof(float[3]) * bodies[e].particle_count;
    expect_get(world, WEFT_ATTRIBUTE_ENVIRONMENT_PAUSED, e, 1, &is_paused);
    expect_get(world, WEFT_ATTRIBUTE_ENVIRONMENT_STEP_COUNT, e, 1, &steps);
    ck_assert_uint_eq(steps, is_paused ? 4 : 7);
    ck_assert_int_eq(memcmp(before + first, after + first, bytes) == 0, is_paused);
  }
  expect_ok(weft_world_set(world, WEFT_ATTRIBUTE_ENVIRONMENT_PAUSED, weft_range(0, ENVIRONMENTS),
                           &(bool){false}, WEFT_SAME));
  weft_world_step(world, 3);
  for (uint32_t e = 0; e < ENVIRONMENTS; ++e) {
    uint64_t steps;
    weft_world* alone = new_alone(&def, e);
    expect_get(world, WEFT_ATTRIBUTE_ENVIRONMENT_STEP_COUNT, e, 1, &steps);
    weft_world_step(alone, (uint32_t)steps);
    require(equals(world, &bodies[e], alone));
  }
}

// ---- contacts ----

// Two sheets, one above the other, that fall on a floor with a ball of a body on top.
static weft_scene* new_pile(bool has_body) {
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = sheet_def(.columns = 14, .rows = 12, .is_level = true);
  for (int k = 0; k < 2; ++k) {
    sheet.origin[1] = 0.05f + 0.06f * (float)k;
    sheet.origin[0] = 0.02f * (float)k;
    expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  }
  const float centers[2][3] = {{0.3f, 0.3f, 0.3f}, {0.33f, 0.55f, 0.28f}};
  const float inverse_masses[2] = {2.0f, 2.0f};
  if (has_body) {
    expect_ok(weft_scene_add_particles(scene, centers[0], inverse_masses, 2, NULL));
  }
  return scene;
}

// A floor for each of the environments from 0 to count.
static void set_up_pile(weft_world* world, uint32_t count, bool has_body, bool ccd) {
  const uint32_t each = particle_count_of(world) / count;
  const weft_particle_shape_def cloth =
      shape_def(.shape = WEFT_PARTICLE_SHAPE_CLOTH, .radius = 0.02f,
                .collision = ccd ? WEFT_COLLISION_EXACT : WEFT_COLLISION_SOFT, .friction = 0.2f);
  const weft_particle_shape_def body = sphere_contact(0.1f);
  weft_collider_def floor = collider_of_shape(WEFT_COLLIDER_SHAPE_HALF_SPACE);
  for (uint32_t e = 0; e < count; ++e) {
    const uint32_t bodies = has_body ? 2 : 0;
    expect_ok(weft_world_set_particle_shape(world, weft_range(e * each, each - bodies), &cloth));
    expect_ok(
        weft_world_set_particle_shape(world, weft_range((e + 1) * each - bodies, bodies), &body));
    floor.environment = e;
    (void)add_collider(world, &floor);
  }
}

static weft_world* new_piles(const weft_world_def* def, uint32_t count, bool has_body, bool ccd) {
  weft_scene* one = new_pile(has_body);
  weft_scene* scene = new_scene();
  for (uint32_t e = 0; e < count; ++e) {
    expect_ok(weft_scene_add_scene(scene, one, NULL, NULL, e, NULL));
  }
  weft_world* world = new_world(def, scene);
  set_up_pile(world, count, has_body, ccd);
  return world;
}

static weft_world_def pile_def(void) {
  weft_world_def def = default_def(.substeps = 4, .iterations = 2);
  def.solver.coarse_iterations = def.solver.attachments = 0;
  return def;
}

// Equal piles in one place move alike, and as one of them alone: nothing of another is felt. Bit 0
// of the case adds bodies, bit 1 CCD.
LOOP_TEST(environments_in_one_place_do_not_touch, 0, 4) {
  enum { PILES = 5, STEPS = 30 };
  const bool has_body = (_i & 1) != 0, ccd = (_i & 2) != 0;
  const weft_world_def def = pile_def();
  weft_world* alone = new_piles(&def, 1, has_body, ccd);
  weft_world* world = new_piles(&def, PILES, has_body, ccd);
  const uint32_t count = particle_count_of(alone);
  weft_world_step(alone, STEPS);
  weft_world_step(world, STEPS);
  float* expected = new_positions(alone);
  float* positions = new_positions(world);
  const weft_contact_stats of_one = contact_stats_of(alone);
  const weft_contact_stats of_all = contact_stats_of(world);
  ck_assert_uint_gt(of_one.self_pairs, 0);
  // lists of all are renewed with the first of them
  ck_assert_double_eq_tol((double)of_all.self_pairs / (double)(PILES * of_one.self_pairs), 1.0,
                          0.1);
  if (!ccd || !has_body) ck_assert_uint_eq(of_all.particle_pairs, PILES * of_one.particle_pairs);
  ck_assert_uint_eq(of_all.lost_pairs, 0);
  float largest = 0.0f;
  for (uint32_t i = 0; i < 3 * PILES * count; ++i) {
    largest = fmaxf(largest, fabsf(positions[i] - expected[i % (3 * count)]));
  }
  // with CCD hits are resolved in another order, as clusters of faces begin elsewhere
  ck_assert_float_lt(largest, ccd && has_body ? 0.06f : 1e-4f);
}

// A floor for each environment, and a plane that moves in all of them.
TEST(colliders_of_environments_are_saved) {
  enum { PILES = 3 };
  const weft_world_def def = pile_def();
  weft_world* world = new_piles(&def, PILES, false, true);
  weft_collider_def lift = collider_of_shape(WEFT_COLLIDER_SHAPE_PLANE);
  lift.position[1] = 0.01f;
  lift.velocity[1] = 0.1f;
  (void)add_collider(world, &lift);
  weft_world_step(world, 5);
  saved_world saved = save_world(world);
  weft_world_step(world, 10);
  const uint64_t expected = weft_world_hash(world);
  restore_world(world, &saved);
  weft_world_step(world, 10);
  ck_assert_uint_eq(weft_world_hash(world), expected);
}

TEST(pair_forces_act_within_an_environment) {
  const float positions[4][3] = {
      {0.0f}, {0.5f, 0.0f, 0.0f}, {0.2f, 0.0f, 0.0f}, {3.0f, 0.0f, 0.0f}};
  const float inverse_masses[4] = {1.0f, 1.0f, 1.0f, 1.0f};
  weft_world_def def = weft_plain_world_def();
  def.pair_force.kind = WEFT_PAIR_FORCE_SPRING;
  def.pair_force.cutoff = 1.0f;
  def.gravity[1] = 0.0f;
  weft_scene* scene = new_scene();
  for (uint32_t e = 0; e < 2; ++e) {
    weft_body pair;
    expect_ok(weft_scene_add_particles(scene, positions[2 * e], inverse_masses, 2, &pair));
    expect_ok(weft_scene_set_environment(scene, &pair, e));
  }
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, 10);
  float* after = new_positions(world);
  ck_assert_float_lt(after[0], 0.0f);
  ck_assert_float_gt(after[3], 0.5f);
  ck_assert_float_eq(after[6], 0.2f);
  ck_assert_float_eq(after[9], 3.0f);
}

TEST(scenes_and_bodies_that_do_not_fit_are_refused_and_named) {
  weft_scene* scene = new_kind(1);
  weft_scene* other = new_kind(3);
  weft_scene* empty = new_scene();
  const float far[3] = {WEFT_MAX_MAGNITUDE, 0.0f, 0.0f}, bad[4] = {1.0f, 1.0f, 0.0f, 0.0f};
  const uint32_t last = WEFT_MAX_ENVIRONMENTS - 1, count = weft_scene_particle_count(scene);
  expect_null(weft_scene_add_scene(NULL, other, NULL, NULL, 0, NULL), "scene");
  expect_null(weft_scene_add_scene(scene, NULL, NULL, NULL, 0, NULL), "other");
  expect_error(weft_scene_add_scene(scene, scene, NULL, NULL, 0, NULL), WEFT_ERROR_DUPLICATE,
               "other");
  expect_error(weft_scene_add_scene(scene, empty, NULL, NULL, 0, NULL), WEFT_ERROR_EMPTY, "other");
  expect_error(weft_scene_add_scene(scene, other, far, NULL, 0, NULL), WEFT_ERROR_RANGE,
               "position");
  expect_error(weft_scene_add_scene(scene, other, NULL, bad, 0, NULL), WEFT_ERROR_RANGE,
               "rotation");
  expect_error(weft_scene_add_scene(scene, other, NULL, NULL, last + 1, NULL), WEFT_ERROR_RANGE,
               "environment");
  const weft_body part = {0, 3, 0, 0}, all = {0, count, 0, 0};
  expect_error(weft_scene_set_environment(scene, &part, 1), WEFT_ERROR_RANGE, "body");
  expect_error(weft_scene_set_environment(scene, &all, last + 1), WEFT_ERROR_RANGE, "environment");
  ck_assert_uint_eq(weft_scene_particle_count(scene), count);
}

TEST(a_link_between_two_environments_is_refused) {
  weft_scene* scene = new_kind(1);
  weft_scene* other = new_kind(3);
  weft_body body;
  weft_link_def link = weft_default_link_def();
  weft_world* world = NULL;
  const weft_world_def def = weft_default_world_def();
  expect_ok(weft_scene_add_scene(scene, other, NULL, NULL, 1, &body));
  link.b = body.first_particle;
  link.rest_length = 1.0f;
  const uint32_t link_count = weft_scene_link_count(scene);
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  expect_error_at(weft_world_create(&def, scene, &world), WEFT_ERROR_RANGE, "scene", link_count);
}

TEST(settings_of_environments_that_are_wrong_are_refused_and_named) {
  const float far[3] = {WEFT_MAX_MAGNITUDE, 0.0f, 0.0f}, nan[3] = {0.0f, NAN, 0.0f};
  weft_body bodies[ENVIRONMENTS];
  weft_scene* merged = new_merged(bodies);
  const weft_world_def def = weft_default_world_def();
  weft_world* world = new_world(&def, merged);
  const uint32_t end = ENVIRONMENTS;
  bool is_paused;
  weft_joint_def joint = weft_default_joint_def();
  weft_joint made;
  weft_collider_def collider = weft_default_collider_def();
  weft_collider handle;
  weft_wind_def wind = weft_default_wind_def();
  joint.to[0] = bodies[1].first_particle;
  collider.environment = end;
  wind.density = -1.0f;
  expect_past_end(
      weft_world_get(world, WEFT_ATTRIBUTE_ENVIRONMENT_PAUSED, weft_range(end, 1), &is_paused, 0));
  expect_null(weft_world_set(world, WEFT_ATTRIBUTE_ENVIRONMENT_GRAVITY, weft_range(0, 1), NULL, 0),
              "values");
  expect_error(weft_world_set(world, WEFT_ATTRIBUTE_ENVIRONMENT_GRAVITY, weft_range(0, 1), nan, 0),
               WEFT_ERROR_NOT_FINITE, "values");
  expect_error(weft_world_set(world, WEFT_ATTRIBUTE_ENVIRONMENT_GRAVITY, weft_range(0, 1), far, 4),
               WEFT_ERROR_RANGE, "stride");
  const float damping[2] = {0.0f, -1.0f};
  expect_error_at(
      weft_world_set(world, WEFT_ATTRIBUTE_ENVIRONMENT_DAMPING, weft_range(0, 2), damping, 4),
      WEFT_ERROR_RANGE, "values", 1);
  expect_error(weft_world_set_environment_wind(world, weft_range(0, 1), &wind), WEFT_ERROR_RANGE,
               "weft_wind_def.density");
  expect_past_end(weft_world_set(world, WEFT_ATTRIBUTE_ENVIRONMENT_PAUSED, weft_range(1, end),
                                 &(bool){true}, WEFT_SAME));
  expect_past_end(weft_world_set(world, WEFT_ATTRIBUTE_ENVIRONMENT_STEP_COUNT,
                                 weft_range(end + 1, 0), &(uint64_t){0}, WEFT_SAME));
  expect_error(weft_world_add_joint(world, &joint, &made), WEFT_ERROR_RANGE, "weft_joint_def.to");
  expect_error(weft_world_add_collider(world, &collider, &handle), WEFT_ERROR_INDEX,
               "weft_collider_def.environment");
}
