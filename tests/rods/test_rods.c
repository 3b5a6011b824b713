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

LOOP_TEST(a_cantilever_swings_at_its_first_frequency, 0, GRIDS) {
  const double frequency = 2.0, root = 1.8751040687;
  const double speed = 2.0 * M_PI * frequency * rod_length * rod_length / (root * root);
  const double mass = rod_stiffness / (speed * speed), weight = 0.02;
  const weft_rod_def rod = held_rod(grids[_i].segments, mass);
  const weft_world_def def = world_def(grids[_i].substeps, 0.0f, (float)weight);
  weft_world* world = new_rod(&rod, &def);
  const double mean = -weight * mass * pow(rod_length, 4.0) / (8.0 * rod_stiffness);
  double former = 0.0, first = 0.0, last = 0.0;
  int crossings = 0;
  for (int step = 1; step <= 180; ++step) {
    double end[3];
    weft_world_step(world, 1);
    position_of(world, rod.rope.segments, end);
    const double now = end[1] - mean;
    if (step > 1 && (former > 0.0) != (now > 0.0)) {
      last = (step - now / (now - former)) / 60.0;
      if (crossings++ == 0) first = last;
    }
    former = now;
  }
  const double measured = 0.5 * (crossings - 1) / (last - first);
  ck_assert_double_eq_tol(measured / frequency, 1.0, grids[_i].tolerance);
}

// Distance from the axis after a push, over the length.
static double deflection_under(const weft_rod_def* rod, const weft_world_def* def, double thrust) {
  weft_world* world = new_rod(rod, def);
  const uint32_t last = rod->rope.segments;
  for (int step = 0; step < 900; ++step) {
    const float force[3] = {(float)-thrust, step < 5 ? (float)(1e-3 * thrust) : 0.0f, 0.0f};
    expect_ok(weft_world_add_forces(world, last, 1, force, 0));
    weft_world_step(world, 1);
  }
  double end[3];
  position_of(world, last, end);
  return sqrt(end[1] * end[1] + end[2] * end[2]) / rod_length;
}

LOOP_TEST(a_column_buckles_at_eulers_load, 0, GRIDS) {
  const double load = M_PI * M_PI * rod_stiffness / (4.0 * rod_length * rod_length);
  const weft_rod_def rod = held_rod(grids[_i].segments, 1e-3);
  const weft_world_def def = world_def(grids[_i].substeps, 6.0f, 0.0f);
  ck_assert_double_lt(deflection_under(&rod, &def, 0.985 * load), 0.01);
  ck_assert_double_gt(deflection_under(&rod, &def, 1.015 * load), 0.05);
}

// A rod between two points that is twisted at its clamped ends, and may stretch.
static double deflection_twisted(uint32_t segments, uint32_t substeps, double angle) {
  weft_rod_def rod = held_rod(segments, 0.01);
  rod.rope.pin_end = rod.clamp_end = true;
  rod.rope.compliance = (float)(1e-3 * rod_length * rod_length / rod_stiffness);
  rod.keeps_shape = false;
  rod.twist = (float)(angle / rod_length);
  const weft_world_def def = world_def(substeps, 2.0f, 0.0f);
  weft_world* world = new_rod(&rod, &def);
  const float push[3] = {0.0f, 1e-4f, 5e-5f};
  double largest = 0.0, place[3];
  for (int step = 0; step < 1500; ++step) {
    if (step < 5) expect_ok(weft_world_add_forces(world, segments / 3, 1, push, 0));
    weft_world_step(world, 1);
  }
  for (uint32_t k = 0; k <= segments; ++k) {
    position_of(world, k, place);
    largest = fmax(largest, sqrt(place[1] * place[1] + place[2] * place[2]));
  }
  return largest / rod_length;
}

LOOP_TEST(a_twisted_rod_coils_at_the_critical_torque, 0, 2) {
  // clamped ends: GJ angle / L = 8.9868 EI / L (Greenhill 1883)
  const double critical = 8.98682;
  const uint32_t segments = _i == 0 ? 24 : 12, substeps = _i == 0 ? 4 : 16;
  ck_assert_double_lt(deflection_twisted(segments, substeps, 0.98 * critical), 1e-3);
  ck_assert_double_gt(deflection_twisted(segments, substeps, 1.02 * critical), 3e-3);
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
