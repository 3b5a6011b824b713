/* Meshes whose points move: they lift and sweep cloth, and nothing tunnels through them. */
#include "support/collided.h"
#include "support/test.h"

#define EACH sizeof(float[3])

enum { SIDE = 5, POINTS = SIDE * SIDE, TRIANGLES = 2 * (SIDE - 1) * (SIDE - 1) };

static float points[POINTS][3];
static uint32_t triangles[TRIANGLES][3];

// A level net of 4 m around the origin at a height; its front is up.
static void make_net(float height) {
  for (uint32_t i = 0; i < POINTS; ++i) {
    points[i][0] = (float)(i % SIDE) - 2.0f;
    points[i][1] = height;
    points[i][2] = (float)(i / SIDE) - 2.0f;
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i + SIDE + 1 < POINTS; ++i) {
    if (i % SIDE == SIDE - 1) continue;
    const uint32_t made[2][3] = {{i, i + SIDE, i + 1}, {i + 1, i + SIDE, i + SIDE + 1}};
    memcpy(triangles[count], made, sizeof(made));
    count += 2;
  }
}

static weft_collider add_net(weft_world* world, float height, bool one_sided) {
  make_net(height);
  weft_collider_def def = collider_of_shape(WEFT_COLLIDER_SHAPE_MESH);
  def.points = points[0];
  def.point_count = POINTS;
  def.triangles = triangles[0];
  def.triangle_count = TRIANGLES;
  def.deforms = true;
  def.one_sided = one_sided;
  return add_collider(world, &def);
}

static void move_net(weft_world* world, weft_collider net, float height) {
  make_net(height);
  expect_ok(weft_world_move_collider_points(world, net, POINTS, points[0], EACH));
}

static weft_world* new_point(float height, float radius, uint32_t substeps, float gravity) {
  weft_world_def def = def_at(60);
  def.solver.substeps = substeps;
  def.gravity[1] = gravity;
  const float start[3] = {0.3f, height, 0.2f};
  weft_world* world = new_points(&def, start, 1);
  const weft_particle_shape_def contact = sphere_contact(radius);
  touch_all(world, &contact);
  return world;
}

LOOP_TEST(a_rising_net_lifts_a_particle_with_its_velocity, 0, 2) {
  for (uint32_t substeps = 1; substeps <= 4; substeps += 3) {
    weft_world* world = new_point(0.1f, 0.1f * (float)_i, substeps, -9.81f);
    const weft_collider net = add_net(world, 0.0f, false);
    double at[3];
    double velocity[3];
    for (int step = 1; step <= 60; ++step) {
      move_net(world, net, 0.02f * (float)step);
      weft_world_step(world, 1);
      read_particle(world, 0, at, velocity);
      if (step < 20) continue;
      require(fabs(at[1] - 0.02 * step - 0.1 * _i) < 1e-6);
      require(fabs(velocity[1] - 0.02 * 60.0) < 1e-3);
    }
    // the net stops and the particle flies on
    weft_world_step(world, 1);
    read_particle(world, 0, at, velocity);
    ck_assert(velocity[1] > 0.9);
  }
}

// signed height over the net, whose edge at x = -2 is `low` and at x = 2 is `high`
static void tilt_net(weft_world* world, weft_collider net, float low, float high) {
  make_net(0.0f);
  for (uint32_t i = 0; i < POINTS; ++i) {
    points[i][1] = low + (high - low) * (points[i][0] + 2.0f) / 4.0f;
  }
  expect_ok(weft_world_move_collider_points(world, net, POINTS, points[0], EACH));
}

TEST(nothing_passes_a_net_that_beats_about) {
  random_source random = {11};
  for (int round = 0; round < ROUNDS(400, 20); ++round) {
    weft_world* world =
        new_point(random_float(&random, 0.2f, 0.5f), random_chance(&random, 2) ? 0.0f : 0.03f,
                  random_from(&random, 1, 4), -9.81f);
    const weft_collider net = add_net(world, 0.0f, false);
    for (int step = 0; step < 30; ++step) {
      // up to 60 m/s
      const float low = random_float(&random, -0.5f, 0.5f);
      const float high = random_float(&random, -0.5f, 0.5f);
      tilt_net(world, net, low, high);
      weft_world_step(world, 1);
      double at[3];
      double velocity[3];
      read_particle(world, 0, at, velocity);
      if (fabs(at[0]) > 1.9 || fabs(at[2]) > 1.9) break;
      const double height = (double)low + (double)(high - low) * (at[0] + 2.0) / 4.0;
      // its points are rounded to floats
      if (!(at[1] > height - 1e-7))
        ck_abort_msg("round %d, step %d: %g under %g", round, step, at[1], height);
    }
  }
}

TEST(a_one_sided_net_is_passed_from_behind_alone) {
  for (int one_sided = 0; one_sided < 2; ++one_sided) {
    weft_world* world = new_point(-0.5f, 0.02f, 2, 0.0f);
    (void)add_net(world, 0.0f, one_sided == 1);
    const float below[3] = {0.3f, -0.5f, 0.2f};
    place_particle(world, 0, below, (float[3]){0.0f, 5.0f, 0.0f});
    weft_world_step(world, 30);
    double at[3];
    double velocity[3];
    read_particle(world, 0, at, velocity);
    ck_assert(one_sided == 1 ? at[1] > 1.9 : at[1] < 0.0);
    if (one_sided == 0) {
      continue;
    }
    place_particle(world, 0, (float[3]){0.3f, 0.5f, 0.2f}, (float[3]){0.0f, -50.0f, 0.0f});
    weft_world_step(world, 30);
    read_particle(world, 0, at, velocity);
    ck_assert(at[1] > 0.0);
  }
}

TEST(a_ball_in_a_groove_is_out_of_both_sides_in_every_step) {
  weft_world* world = new_point(0.0f, 0.1f, 1, -9.81f);
  const weft_collider net = add_net(world, 0.0f, false);
  place_particle(world, 0, (float[3]){0.02f, 0.5f, 0.2f}, (float[3]){0.0f, -3.0f, 0.0f});
  for (int step = 0; step < 60; ++step) {
    const float low = 0.002f * (float)(step % 7);
    make_net(0.0f);
    for (uint32_t i = 0; i < POINTS; ++i) points[i][1] = low + fabsf(points[i][0]);
    expect_ok(weft_world_move_collider_points(world, net, POINTS, points[0], EACH));
    weft_world_step(world, 1);
    double at[3];
    double velocity[3];
    read_particle(world, 0, at, velocity);
    const double height = (at[1] - (double)low - fabs(at[0])) / sqrt(2.0);
    if (step > 0 && !(height > 0.1 - 1e-6)) ck_abort_msg("step %d: %g", step, height);
  }
}

TEST(bad_input_is_named) {
  weft_world* world = new_point(1.0f, 0.0f, 1, 0.0f);
  const weft_collider net = add_net(world, 0.0f, false);
  const weft_collider_def ball = weft_default_collider_def();
  const weft_collider other = add_collider(world, &ball);
  expect_error(weft_world_move_collider_points(world, other, POINTS, points[0], EACH),
               WEFT_ERROR_DISABLED, "weft_collider_def.deforms");
  expect_error(weft_world_move_collider_points(world, net, POINTS - 1, points[0], EACH),
               WEFT_ERROR_RANGE, "count");
  expect_null(weft_world_move_collider_points(world, net, POINTS, NULL, EACH), "points");
  expect_error(weft_world_move_collider_points(world, net, POINTS, points[0], WEFT_SAME),
               WEFT_ERROR_RANGE, "stride");
  points[7][1] = NAN;
  expect_error_at(weft_world_move_collider_points(world, net, POINTS, points[0], EACH),
                  WEFT_ERROR_NOT_FINITE, "points", 7);
  expect_ok(weft_world_remove_collider(world, net));
  make_net(0.0f);
  expect_error(weft_world_move_collider_points(world, net, POINTS, points[0], EACH),
               WEFT_ERROR_STALE, "collider");
  weft_collider collider;
  weft_collider_def def = weft_default_collider_def();
  def.deforms = true;
  expect_error(weft_world_add_collider(world, &def, &collider), WEFT_ERROR_RANGE,
               "weft_collider_def.deforms");
  def.deforms = false;
  def.one_sided = true;
  expect_error(weft_world_add_collider(world, &def, &collider), WEFT_ERROR_RANGE,
               "weft_collider_def.one_sided");
}
