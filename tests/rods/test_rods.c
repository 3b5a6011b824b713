/* Rods against closed forms, at several resolutions and lengths of a substep. */
#include "support/rods.h"
#include "support/test.h"

static const struct {
  uint32_t segments, substeps;
  double tolerance;
} grids[] = {{10, 4, 0.02}, {40, 4, 0.003}, {10, 16, 0.02}, {40, 16, 0.003}};
enum { GRIDS = 4 };

// Height over width at the end of the heavy elastica theta'' = -G (1 - s) cos theta by shooting.
static double elastica(double weight) {
  double lower = 0.0, upper = weight, ratio = 0.0;
  for (int round = 0; round < 60; ++round) {
    double angle = 0.0, slope = 0.5 * (lower + upper), x = 0.0, y = 0.0;
    const int steps = 2000;
    const double d = 1.0 / steps;
    for (int i = 0; i < steps; ++i) {
      // leapfrog
      slope -= 0.5 * d * weight * (1.0 - i * d) * cos(angle);
      x += 0.5 * d * cos(angle);
      y += 0.5 * d * sin(angle);
      angle += d * slope;
      x += 0.5 * d * cos(angle);
      y += 0.5 * d * sin(angle);
      slope -= 0.5 * d * weight * (1.0 - (i + 1) * d) * cos(angle);
    }
    ratio = y / x;
    if (slope > 0.0) {
      upper = 0.5 * (lower + upper);
    } else {
      lower = 0.5 * (lower + upper);
    }
  }
  return ratio;
}

LOOP_TEST(a_cantilever_sags_as_the_heavy_elastica, 0, GRIDS) {
  const double weights[] = {2.0, 15.0};
  for (int w = 0; w < 2; ++w) {
    const double mass = weights[w] * rod_stiffness / (9.81 * rod_length * rod_length * rod_length);
    const weft_rod_def rod = held_rod(grids[_i].segments, mass);
    const weft_world_def def = world_def(grids[_i].substeps, 8.0f, 9.81f);
    weft_world* world = new_rod(&rod, &def);
    weft_world_step(world, 240);
    double end[3];
    position_of(world, rod.rope.segments, end);
    ck_assert_double_eq_tol(-end[1] / end[0] / elastica(weights[w]), 1.0, grids[_i].tolerance);
    // the moment at the clamp bears the weight of all points
    double moment = 0.0;
    for (uint32_t k = 1; k <= rod.rope.segments; ++k) {
      position_of(world, k, end);
      moment -= end[0] * 9.81 * mass * rod_length / rod.rope.segments *
                (k == rod.rope.segments ? 0.5 : 1.0);
    }
    float made[3];
    expect_ok(weft_world_get_rod_moments(world, 0, 1, made));
    ck_assert_double_eq_tol((double)made[2] / moment, 1.0, 0.06 / rod.rope.segments * 10.0);
  }
}

LOOP_TEST(a_torque_twists_by_length_over_stiffness, 0, GRIDS) {
  weft_rod_def rod = held_rod(grids[_i].segments, 0.05);
  rod.radius = 0.02f;
  rod.bend_stiffness = 1.0f;
  rod.normal[2] = 1.0f;
  const double torque = 5e-3,
               angle = torque * (rod_length - 0.5 * rod_length / grids[_i].segments) / 1e-3;
  const weft_world_def def = world_def(grids[_i].substeps, 0.0f, 0.0f);
  weft_world* world = new_rod(&rod, &def);
  const weft_rod_end end = {.torque = {(float)torque, 0.0f, 0.0f}};
  expect_ok(weft_world_set_rod_end(world, rod.rope.segments, &end));
  weft_world_step(world, 300);
  float q[4], moments[2][3];
  expect_ok(weft_world_get_rod_frames(world, rod.rope.segments - 1, 1, q));
  expect_ok(weft_world_get_rod_moments(world, 0, 2, moments[0]));
  // the first material axis, which was along z
  const double y = 2.0 * ((double)q[0] * (double)q[1] + (double)q[3] * (double)q[2]);
  const double z = 2.0 * ((double)q[0] * (double)q[2] - (double)q[3] * (double)q[1]);
  ck_assert_double_eq_tol(atan2(-y, z), angle, 2e-3);
  for (int k = 0; k < 2; ++k) ck_assert_double_eq_tol((double)moments[k][0], torque, 1e-5);
}
