/* Ready-made bodies in a world. */
#include "support/bodies.h"
#include "support/test.h"

static double distance(const float* positions, uint32_t a, uint32_t b) {
  double squared = 0.0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double d = (double)positions[3 * (size_t)b + axis] - positions[3 * (size_t)a + axis];
    squared += d * d;
  }
  return sqrt(squared);
}

// scene with one body
static weft_scene* new_scene_with(body_kind kind, const any_body_def* def, weft_body* body) {
  weft_scene* scene = new_scene();
  *body = add_good_body(scene, kind, def);
  return scene;
}

static float furthest_move(const float* before, const float* after, uint32_t count) {
  float furthest = 0.0f;
  for (size_t i = 0; i < 3 * (size_t)count; ++i) {
    furthest = fmaxf(furthest, fabsf(after[i] - before[i]));
  }
  return furthest;
}

LOOP_TEST(bodies_without_gravity_stay_where_they_are, 0, 2 * BODY_KINDS) {
  const body_kind kind = (body_kind)(_i % BODY_KINDS);
  any_body_def def = default_body_def(kind);
  const bool round = _i >= BODY_KINDS;
  if (kind == BODY_WEB) def.web.tension = 0.0f;
  if (kind == BODY_RAGDOLL) def.ragdoll.flat = !round;
  if (kind == BODY_TREE) def.tree.flat = !round;
  weft_body body;
  weft_scene* scene = new_scene_with(kind, &def, &body);
  weft_world* world = new_plain_world(scene, .weightless = true);
  float* before = new_positions(world);
  weft_world_step(world, 120);
  float* after = new_positions(world);
  ck_assert_float_lt(furthest_move(before, after, body.particle_count), 1e-4f);
}

LOOP_TEST(a_tire_that_swings_on_a_pin_of_its_rim_stays_round, 0, 2) {
  any_body_def def = default_body_def(BODY_TIRE);
  weft_body body;
  weft_scene* scene = new_scene_with(BODY_TIRE, &def, &body);
  expect_ok(weft_scene_pin(scene, body.first_particle, 1));
  weft_world* world = new_plain_world(scene, .substeps = _i == 0 ? 1 : 4, .iterations = 20);
  for (int n = 0; n < 30; ++n) {
    weft_world_step(world, 10);
    float* positions = new_positions(world);
    for (uint32_t i = 0; i < def.tire.count; ++i) {
      const double radius = distance(positions, i, def.tire.count);
      require(fabs(radius / 0.5 - 1.0) < 0.1);
      require(distance(positions, i, (i + def.tire.count / 2) % def.tire.count) > 0.9);
    }
  }
}

LOOP_TEST(a_tire_that_falls_bounces_and_lands_round, 0, 2) {
  any_body_def def = default_body_def(BODY_TIRE);
  def.tire.spoke_compliance = _i == 0 ? 1e-4f : 1e-3f;
  weft_body body;
  weft_scene* scene = new_scene_with(BODY_TIRE, &def, &body);
  weft_world* world = new_plain_world(scene, .substeps = 4);
  const weft_bounds_def bounds = floor_bounds(-2.0f, 0.8f);
  expect_ok(weft_world_set_bounds(world, &bounds));
  weft_world_step(world, 600);
  float* positions = new_positions(world);
  for (uint32_t i = 0; i < def.tire.count; ++i) {
    require(fabs(distance(positions, i, def.tire.count) / 0.5 - 1.0) < 0.05);
    require(positions[3 * (size_t)i + 1] >= -2.0f);
  }
}

// extent in metres along an axis
static double extent(const float* positions, uint32_t count, size_t axis) {
  float lower = INFINITY;
  float upper = -INFINITY;
  for (size_t i = 0; i < count; ++i) {
    lower = fminf(lower, positions[3 * i + axis]);
    upper = fmaxf(upper, positions[3 * i + axis]);
  }
  return (double)upper - (double)lower;
}

// height and width of a ball after three seconds on a floor
static void rest_ball(float pressure, double* height, double* width) {
  any_body_def def = default_body_def(BODY_BALL);
  def.ball.pressure = pressure;
  def.ball.level = 3;
  def.ball.mass = 8.0f;
  weft_body body;
  weft_scene* scene = new_scene_with(BODY_BALL, &def, &body);
  weft_world* world = new_plain_world(scene, .substeps = 4);
  const weft_bounds_def bounds = floor_bounds(-0.6f, 0.8f);
  expect_ok(weft_world_set_bounds(world, &bounds));
  weft_world_step(world, 180);
  float* positions = new_positions(world);
  *height = extent(positions, body.particle_count, 1);
  *width = extent(positions, body.particle_count, 0);
}

TEST(a_ball_with_gas_in_it_stays_round_and_an_empty_one_falls_in) {
  double height;
  double width;
  rest_ball(2000.0f, &height, &width);
  ck_assert_double_gt(height, 0.95);
  ck_assert_double_lt(fabs(width - height), 0.1);
  rest_ball(0.0f, &height, &width);
  ck_assert_double_lt(height, 0.8);
}

TEST(gas_swells_a_ball_as_the_tension_of_its_skin_allows) {
  any_body_def def = default_body_def(BODY_BALL);
  def.ball.level = 3;
  def.ball.pressure = 2000.0f;
  def.ball.mass = 10.0f;
  weft_body body;
  weft_scene* scene = new_scene_with(BODY_BALL, &def, &body);
  weft_world* world = new_plain_world(scene, .weightless = true, .damping = 2.0f, .substeps = 8);
  weft_world_step(world, 240);
  float* positions = new_positions(world);
  const double swelling = extent(positions, body.particle_count, 0) - 1.0;
  // the skin bears p r / 2 in both directions and has a Poisson's ratio of 1/3: strain e = (1 -
  // 1/3) p r / (2 Y) = 6.7 %, less the pressure lost by the larger volume
  ck_assert_double_gt(swelling, 0.055);
  ck_assert_double_lt(swelling, 0.0667);
}

LOOP_TEST(trees_stand_for_half_a_minute, 0, 4) {
  any_body_def def = default_body_def(BODY_TREE);
  def.tree.flat = _i % 2 == 0;
  def.tree.branches = _i < 2 ? 2 : 3;
  def.tree.depth = _i < 2 ? 5 : 4;
  def.tree.seed = (uint32_t)_i;
  weft_body body;
  weft_scene* scene = new_scene_with(BODY_TREE, &def, &body);
  weft_world_def world_def = weft_plain_world_def();
  weft_world* world = new_world(&world_def, scene);
  float* before = new_positions(world);
  weft_world_step(world, ROUNDS(1800, 300));
  float* after = new_positions(world);
  // sag of some centimetres; the tree is three metres tall at least
  ck_assert_float_lt(furthest_move(before, after, body.particle_count), 0.25f);
  weft_world_step(world, 60);
  float* later = new_positions(world);
  ck_assert_float_lt(furthest_move(after, later, body.particle_count), 0.02f);
}

LOOP_TEST(webs_hold_the_hub_and_a_fly, 0, 2) {
  any_body_def def = default_body_def(BODY_WEB);
  def.web.spiral = _i == 0;
  weft_body body;
  weft_scene* scene = new_scene_with(BODY_WEB, &def, &body);
  weft_world_def world_def = weft_plain_world_def();
  weft_world* world = new_world(&world_def, scene);
  float* before = new_positions(world);
  weft_world_step(world, 300);
  float* after = new_positions(world);
  ck_assert_float_lt(furthest_move(before, after, body.particle_count), 0.05f);
  // load of a tenth of a newton, ten times the weight of the web
  set_inverse_mass(world, body.first_particle, 1.0f / 0.01f);
  weft_world_step(world, 300);
  float* loaded = new_positions(world);
  ck_assert_float_lt(furthest_move(after, loaded, body.particle_count), 0.1f);
}

// energy in joules of masses of a kilogram, without the pin
static double energy_of(const weft_world* world) {
  float positions[9];
  float velocities[9];
  expect_ok(weft_world_get_positions(world, 0, 3, positions));
  expect_ok(weft_world_get_velocities(world, 0, 3, velocities));
  double energy = 9.81 * ((double)positions[4] + (double)positions[7]);
  for (size_t i = 3; i < 9; ++i) energy += 0.5 * (double)velocities[i] * (double)velocities[i];
  return energy;
}

TEST(double_pendulums_keep_their_rods_and_most_of_their_energy) {
  any_body_def def = default_body_def(BODY_DOUBLE_PENDULUM);
  weft_body body;
  weft_scene* scene = new_scene_with(BODY_DOUBLE_PENDULUM, &def, &body);
  weft_world* world = new_plain_world(scene, .substeps = 64, .undamped = true);
  const double before = energy_of(world);
  for (int n = 0; n < 60; ++n) {
    weft_world_step(world, 5);
    float* positions = new_positions(world);
    require(fabs(distance(positions, 0, 1) - 1.0) < 1e-4);
    require(fabs(distance(positions, 1, 2) - 1.0) < 1e-4);
  }
  // 59 joules lie between the upright and the hanging state
  ck_assert(fabs(energy_of(world) - before) < 3.0);
}

TEST(all_bodies_give_the_same_bits_with_any_workers_and_isa) {
  weft_scene* scene = new_scene_of_all_bodies();
  const uint32_t workers[] = {1, 2, 3, 7};
  uint64_t hash = 0;
  for (machine m = {0}; next_machine(&m, 4, 0);) {
    weft_world* world =
        new_plain_world(scene, .isa = m.isa, .worker_count = workers[m.w], .substeps = 2);
    weft_world_step(world, ROUNDS(60, 10));
    expect_final_hash(world, &hash);
  }
}
