/* Spheres that turn: rolling, sliding, spin at hits, against closed forms. */
#include "support/colliding.h"
#include "support/test.h"

#define RADIUS 0.25

// ---- ground ----

typedef enum ground { HALF_SPACE, BOUNDS, PINNED_BOX, GROUNDS } ground;

// Where contacts are solved: a lone ball by the later stages, two of them by sequential impulses.
typedef struct table {
  weft_world* world;
  double factor;  // m r^2 / I
} table;

// a ball that touches the ground y = 0, with gravity at `tilt` to it; the ground has no friction of
// its own, that of the ball counts
static table new_table(int number, float friction, double tilt) {
  const ground kind = (ground)(number % GROUNDS);
  const bool is_plane = number / GROUNDS % 2 == 1;
  const bool is_lone = number / GROUNDS / 2 == 1 && kind != PINNED_BOX;
  const float positions[3][3] = {
      {0.0f, (float)RADIUS, 0.0f}, {0.0f, -1.0f, 0.0f}, {500.0f, (float)RADIUS, 0.0f}};
  const float inverse_masses[3] = {0.5f, 0.0f, 1.0f};
  weft_world_def def = weightless_def(1.0 / 240.0);
  def.plane = is_plane;
  def.gravity[0] = (float)(GRAVITY * sin(tilt));
  def.gravity[1] = (float)(-GRAVITY * cos(tilt));
  weft_world* world = new_particles(&def, positions[0], inverse_masses, 3);
  const weft_particle_shape_def ball = turning_ball(RADIUS, friction, 0.0f);
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 1), &ball));
  if (!is_lone) expect_ok(weft_world_set_particle_shape(world, weft_range(2, 1), &ball));
  if (kind == PINNED_BOX) {
    const weft_particle_shape_def box = contact_of(WEFT_PARTICLE_SHAPE_BOX, 1000.0f, 1.0f, 1000.0f);
    expect_ok(weft_world_set_particle_shape(world, weft_range(1, 1), &box));
  } else if (kind == BOUNDS) {
    put_floor(world, 0.0f, friction);
  } else {
    weft_collider_def half_space = collider_of_shape(WEFT_COLLIDER_SHAPE_HALF_SPACE);
    (void)add_collider(world, &half_space);
  }
  return (table){world, is_plane ? 2.0 : 2.5};
}
enum { TABLES = 4 * GROUNDS };

static void expect_motion(const weft_world* world, uint32_t i, double speed, double spin,
                          double tolerance) {
  float v[3], w[3];
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, v);
  expect_get(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, i, 1, w);
  ck_assert_double_eq_tol(number_of(&v[0]), speed, tolerance);
  ck_assert_double_eq_tol(number_of(&w[2]) * RADIUS, spin * RADIUS, tolerance);
  ck_assert_float_eq(v[2], 0.0f);
  ck_assert_float_eq(w[0], 0.0f);
  ck_assert_float_eq(w[1], 0.0f);
}

// ---- one ball ----

LOOP_TEST(a_ball_rolls_down_a_slope_at_five_sevenths_of_g_sin, 0, TABLES) {
  const double tilt = 0.3;
  table t = new_table(_i, 0.6f, tilt);
  weft_world_step(t.world, 240);
  // 5/7 g sin of a sphere, 2/3 g sin of a disc
  const double speed = t.factor / (1.0 + t.factor) * GRAVITY * sin(tilt);
  expect_motion(t.world, 0, speed, -speed / RADIUS, 5e-3 * speed);
}

LOOP_TEST(a_sliding_ball_ends_rolling_at_five_sevenths_of_its_speed, 0, TABLES) {
  table t = new_table(_i, 0.3f, 0.0);
  const float speed[3] = {3.0f, 0.0f, 0.0f};
  expect_set(t.world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, speed, 0);
  // it slides for 2 v / (7 mu g), a third of a second
  weft_world_step(t.world, 60);
  const double sliding = 3.0 - 0.3 * GRAVITY * 0.25;
  expect_motion(t.world, 0, sliding, -t.factor * 0.3 * GRAVITY * 0.25 / RADIUS, 0.02);
  weft_world_step(t.world, 420);
  const double rolling = 3.0 * t.factor / (1.0 + t.factor);
  expect_motion(t.world, 0, rolling, -rolling / RADIUS, 5e-3);
}

TEST(a_spinning_collider_drives_a_ball_as_a_gear) {
  // the ball rests on a wheel, held beside it by a wall without friction
  weft_world_def def = weightless_def(1.0 / 240.0);
  def.plane = true;
  def.gravity[1] = (float)-GRAVITY;
  const float position[3] = {0.0f, (float)RADIUS, 0.0f};
  const float inverse_mass = 1.0f;
  weft_world* world = new_particles(&def, position, &inverse_mass, 1);
  const weft_particle_shape_def ball = turning_ball(RADIUS, 0.4f, 0.0f);
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 1), &ball));
  weft_collider_def wheel =
      collider_def(.shape = WEFT_COLLIDER_SHAPE_SPHERE, .radius = 1.0f, .position = {0.0f, -1.0f});
  wheel.spin[2] = 2.0f;
  (void)add_collider(world, &wheel);
  weft_bounds_def groove = weft_default_bounds_def();
  groove.lower[0] = -(float)RADIUS;
  groove.upper[0] = (float)RADIUS;
  expect_ok(weft_world_set_bounds(world, &groove));
  weft_world_step(world, 480);
  // equal speeds of both surfaces
  expect_motion(world, 0, 0.0, -2.0 / RADIUS, 0.02);
}

// ---- hits ----

// two balls of 1 kg on the x axis; the first comes with a speed of 2 m/s and this spin
static weft_world* hit(double friction, double restitution, double spin, bool is_plane) {
  weft_world_def def = weightless_def(1.0 / 240.0);
  def.plane = is_plane;
  const float positions[2][3] = {{-1.0f, 0.0f, 0.0f}, {0.0f}};
  const float inverse_masses[2] = {1.0f, 1.0f};
  weft_world* world = new_particles(&def, positions[0], inverse_masses, 2);
  // a pair has the root of the sum of squares
  const weft_particle_shape_def ball =
      turning_ball(RADIUS, (float)(friction * sqrt(0.5)), (float)restitution);
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 2), &ball));
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, (const float[3]){2.0f, 0.0f, 0.0f}, 0);
  const float turning[3] = {0.0f, 0.0f, (float)spin};
  expect_set(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, 0, 1, turning, 0);
  weft_world_step(world, 240);
  return world;
}

LOOP_TEST(a_hit_with_spin_throws_both_balls_aside_as_the_closed_form_says, 0, 8) {
  const bool is_plane = _i % 2 == 1;
  const double restitution = _i / 2 % 2 == 1 ? 0.8 : 0.0;
  const double friction = _i / 4 == 0 ? 0.05 : 10.0;
  const double factor = is_plane ? 2.0 : 2.5;
  const double spin = 8.0;
  weft_world* world = hit(friction, restitution, spin, is_plane);
  const double normal = (1.0 + restitution) * 2.0 / 2.0;
  // the mass of the contact across the normal is 1 / (2 (1 + s))
  const double along = fmin(friction * normal, spin * RADIUS / (2.0 * (1.0 + factor)));
  float v[2][3], w[2][3];
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, 2, v[0]);
  expect_get(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, 0, 2, w[0]);
  ck_assert_double_eq_tol(number_of(&v[0][0]), 2.0 - normal, 5e-3);
  ck_assert_double_eq_tol(number_of(&v[1][0]), normal, 5e-3);
  ck_assert_double_eq_tol(number_of(&v[0][1]), -along, 5e-3);
  ck_assert_double_eq_tol(number_of(&v[1][1]), along, 5e-3);
  ck_assert_double_eq_tol(number_of(&w[0][2]), spin - factor * along / RADIUS, 0.02);
  ck_assert_double_eq_tol(number_of(&w[1][2]), -factor * along / RADIUS, 0.02);
}

// ---- crowds ----

enum { BALLS = 300 };

// a cloud of spinning balls that fly at each other; in boxes of bounds and colliders if `has_walls`
static weft_world* new_cloud(weft_world_def def, bool has_walls, uint64_t seed) {
  random_source random = {seed};
  float positions[BALLS][3], velocities[BALLS][3], spins[BALLS][3], inverse_masses[BALLS];
  for (int i = 0; i < BALLS; ++i) {
    const int cell[3] = {i % 8, i / 8 % 8, i / 64};
    for (int axis = 0; axis < 3; ++axis) {
      positions[i][axis] = 0.3f * (float)(cell[axis] - 3) + random_float(&random, 0.0f, 0.05f);
      velocities[i][axis] = -positions[i][axis] + random_float(&random, -0.5f, 0.5f);
      spins[i][axis] = random_float(&random, -20.0f, 20.0f);
    }
    inverse_masses[i] = random_float(&random, 0.5f, 2.0f);
  }
  weft_world* world = new_particles(&def, positions[0], inverse_masses, BALLS);
  for (uint32_t i = 0; i < BALLS; ++i) {
    weft_particle_shape_def ball = ball_of(random_float(&random, 0.05f, 0.12f), 0.5f);
    ball.surface.static_friction = 0.4f;
    ball.surface.dynamic_friction = 0.3f;
    // others slide
    ball.turns = !has_walls || i % 5 != 0;
    if (has_walls && i % 10 == 0) ball.shape = WEFT_PARTICLE_SHAPE_BOX;
    ball.half_size[1] = ball.half_size[2] = ball.half_size[0];
    expect_ok(weft_world_set_particle_shape(world, weft_range(i, 1), &ball));
    if (ball.turns) expect_set(world, WEFT_ATTRIBUTE_ANGULAR_VELOCITY, i, 1, spins[i], 0);
  }
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, 0, BALLS, velocities[0], 0);
  if (!has_walls) return world;
  weft_bounds_def bounds = weft_default_bounds_def();
  for (int axis = 0; axis < 3; ++axis) {
    bounds.lower[axis] = -1.2f;
    bounds.upper[axis] = 1.5f;
  }
  bounds.surface.static_friction = bounds.surface.dynamic_friction = 0.5f;
  bounds.surface.restitution = 0.4f;
  expect_ok(weft_world_set_bounds(world, &bounds));
  weft_collider_def wheel = collider_of_shape(WEFT_COLLIDER_SHAPE_BOX);
  wheel.spin[1] = 40.0f;
  wheel.surface.static_friction = wheel.surface.dynamic_friction = 0.5f;
  (void)add_collider(world, &wheel);
  return world;
}

LOOP_TEST(momentum_is_kept_and_energy_never_gained, 0, 3) {
  weft_world* world = new_cloud(weightless_def(1.0 / 240.0), false, (uint64_t)_i);
  weft_measures first, last;
  expect_ok(weft_world_measure(world, &first));
  double energy = first.kinetic;
  for (int round = 0; round < 24; ++round) {
    weft_world_step(world, 10);
    expect_ok(weft_world_measure(world, &last));
    require(last.kinetic <= energy * (1.0 + 1e-4));
    energy = last.kinetic;
  }
  require(energy < 0.9 * first.kinetic);
  // each about 100 kg m^2 / s
  double scale = 0.0;
  for (int axis = 0; axis < 3; ++axis) scale += fabs(first.angular_momentum[axis]) + first.mass;
  for (int axis = 0; axis < 3; ++axis) {
    ck_assert_double_eq_tol(last.momentum[axis], first.momentum[axis], 1e-4 * first.mass);
    ck_assert_double_eq_tol(last.angular_momentum[axis], first.angular_momentum[axis],
                            1e-3 * scale);
  }
}
