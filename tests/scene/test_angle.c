/* Distance between the ends of two arms at an angle, and joints limited to an angle range. */
#include "support/test.h"

#define HALF_TURN 3.14159265358979323846

static float length_at(float arm_a, float arm_b, double angle) {
  float length = 0.0f;
  expect_ok(weft_length_at_angle(arm_a, arm_b, (float)angle, &length));
  return length;
}

TEST(known_triangles_have_their_third_sides) {
  ck_assert_float_eq_tol(length_at(1.0f, 1.0f, HALF_TURN / 3.0), 1.0f, 1e-7f);
  ck_assert_float_eq_tol(length_at(3.0f, 4.0f, HALF_TURN / 2.0), 5.0f, 1e-6f);
  ck_assert_float_eq_tol(length_at(1.0f, 1.0f, HALF_TURN / 2.0), sqrtf(2.0f), 1e-6f);
  ck_assert_float_eq_tol(length_at(3.0f, 5.0f, 2.0 * HALF_TURN / 3.0), 7.0f, 1e-6f);
  ck_assert_float_eq(length_at(2.0f, 5.0f, 0.0), 3.0f);
  ck_assert_float_eq(length_at(2.0f, 5.0f, HALF_TURN), 7.0f);
}

// reference: distance between the ends of the arms, from coordinates in long double
RANDOM_TEST(random_triangles_close, 10) {
  for (int i = 0; i < 1000; ++i) {
    const float a = expf(random_float(&random, -20.0f, 20.0f));
    const float b = random_chance(&random, 3) ? a : expf(random_float(&random, -20.0f, 20.0f));
    const float angle = random_chance(&random, 3) ? expf(random_float(&random, -15.0f, 1.0f))
                                                  : random_float(&random, 0.0f, 3.14159f);
    if (a == b && angle < 1e-6f) continue;
    const long double x = (long double)a * cosl((long double)angle) - (long double)b;
    const long double y = (long double)a * sinl((long double)angle);
    const double expected = (double)sqrtl(x * x + y * y);
    require(fabs((double)length_at(a, b, (double)angle) - expected) <= 1e-7 * expected);
  }
}

TEST(arms_and_angles_that_are_none_are_refused) {
  const float bad[] = {NAN, INFINITY, -INFINITY, -1.0f, 0.0f};
  float length = 7.0f;
  for (int i = 0; i < 5; ++i) {
    const weft_error error = isfinite(bad[i]) ? WEFT_ERROR_RANGE : WEFT_ERROR_NOT_FINITE;
    expect_error(weft_length_at_angle(bad[i], 1.0f, 1.0f, &length), error, "arm_a");
    expect_error(weft_length_at_angle(1.0f, bad[i], 1.0f, &length), error, "arm_b");
    if (bad[i] == 0.0f) continue;
    expect_error(weft_length_at_angle(1.0f, 2.0f, bad[i], &length), error, "angle");
  }
  const float beyond = nextafterf((float)HALF_TURN, 4.0f);
  expect_error(weft_length_at_angle(1.0f, 2.0f, beyond, &length), WEFT_ERROR_RANGE, "angle");
  expect_null(weft_length_at_angle(1.0f, 2.0f, 1.0f, NULL), "length");
  expect_error(weft_length_at_angle(1.0f, 1.0f, 0.0f, &length), WEFT_ERROR_DEGENERATE, "angle");
  expect_error(weft_length_at_angle(1e-44f, 1e-44f, 1e-3f, &length), WEFT_ERROR_DEGENERATE,
               "angle");
  expect_error(weft_length_at_angle(3e38f, 3e38f, 3.0f, &length), WEFT_ERROR_RANGE, "arm_a");
  ck_assert_float_eq(length, 7.0f);
}

// ---- joints of a chain ----

enum { JOINTS = 6, BONES = JOINTS + 1, NODES = BONES + 1 };

// chain of right-angled zigzags, hung by one end, each joint limited to 60 .. 150 degrees
static weft_world* new_chain(const weft_world_def* def) {
  weft_scene* scene = new_scene();
  float positions[NODES][3] = {0};
  float inverse_masses[NODES];
  for (uint32_t i = 0; i < NODES; ++i) {
    positions[i][0] = (float)((i + 1) / 2) * 0.3f;
    positions[i][1] = (float)(i / 2) * 0.3f;
    inverse_masses[i] = i == 0 ? 0.0f : 2.0f;
  }
  expect_ok(weft_scene_add_particles(scene, positions[0], inverse_masses, NODES, NULL));
  for (uint32_t i = 0; i < BONES; ++i) {
    const weft_link_def bone = {.a = i, .b = i + 1, .rest_length = 0.3f, .relaxation = 1.0f};
    expect_ok(weft_scene_add_links(scene, &bone, 1, NULL));
  }
  for (uint32_t i = 0; i < JOINTS; ++i) {
    weft_link_def limit = {.a = i,
                           .b = i + 2,
                           .relaxation = 1.0f,
                           .kind = WEFT_LINK_SUPPORT,
                           .mode = WEFT_LINK_MODE_RANGE,
                           .rest_length = length_at(0.3f, 0.3f, HALF_TURN / 3.0),
                           .max_length = length_at(0.3f, 0.3f, HALF_TURN * 5.0 / 6.0)};
    expect_ok(weft_scene_add_links(scene, &limit, 1, NULL));
  }
  return new_world(def, scene);
}

static double degrees_at(float (*p)[3], uint32_t joint) {
  double product = 0.0;
  double squares[2] = {0.0, 0.0};
  for (int axis = 0; axis < 3; ++axis) {
    const double u = (double)p[joint - 1][axis] - (double)p[joint][axis];
    const double v = (double)p[joint + 1][axis] - (double)p[joint][axis];
    product += u * v;
    squares[0] += u * u;
    squares[1] += v * v;
  }
  return acos(product / sqrt(squares[0] * squares[1])) * 180.0 / HALF_TURN;
}

LOOP_TEST(joints_of_a_falling_chain_stay_between_sixty_and_a_hundred_and_fifty_degrees, 0, 2) {
  weft_world_def def = plain_def(.iterations = 20, .substeps = 4);
  // bones by the direct solver (case 0) or by sweeps (case 1)
  if (_i == 1) def.direct_iterations = 0;
  weft_world* world = new_chain(&def);
  double lower = 180.0;
  double upper = 0.0;
  for (uint32_t step = 0; step < 300; ++step) {
    weft_world_step(world, 1);
    float p[NODES][3];
    expect_ok(weft_world_get_positions(world, 0, NODES, p[0]));
    for (uint32_t joint = 1; joint <= JOINTS; ++joint) {
      const double degrees = degrees_at(p, joint);
      lower = fmin(lower, degrees);
      upper = fmax(upper, degrees);
    }
  }
  // both limits are reached and not exceeded
  ck_assert_double_gt(lower, 59.0);
  ck_assert_double_lt(lower, 62.0);
  ck_assert_double_gt(upper, 148.0);
  ck_assert_double_lt(upper, 151.0);
}
