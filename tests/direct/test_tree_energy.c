/* Energy of trees of links that swing, at default settings without damping. */
#include "support/ropes.h"
#include "support/test.h"

static double energy_of(const weft_world* world) {
  const weft_measures m = measures_of(world);
  return m.kinetic + m.gravitational + m.elastic;
}

// Steps a second, substeps, metres per newton, and the share of its fall that may change in 10 s.
static const struct swing {
  int rate;
  uint32_t substeps;
  float compliance;
  double most;
} swings[] = {
    {60, WEFT_AUTO, 0.0f, 0.01}, {240, WEFT_AUTO, 0.0f, 0.01},  {60, 4, 0.0f, 0.01},
    {240, 1, 0.0f, 0.01},        {240, WEFT_AUTO, 1e-6f, 0.01}, {240, WEFT_AUTO, 1e-4f, 0.1},
};
enum { SWINGS = sizeof(swings) / sizeof(*swings) };

// Loss of a double pendulum of two metres that is let go near the horizontal.
static double loss_in_ten_seconds(const struct swing* s, weft_sweeps sweeps) {
  weft_double_pendulum_def pendulum = weft_default_double_pendulum_def();
  pendulum.angles[0] = pendulum.angles[1] = 1.5f;
  pendulum.compliance = s->compliance;
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_double_pendulum(scene, &pendulum, NULL));
  weft_world_def def =
      default_def(.step_ns = 1000000000 / s->rate, .substeps = s->substeps, .undamped = true);
  def.sweeps = sweeps;
  weft_world* world = new_world(&def, scene);
  const double start = energy_of(world);
  weft_world_step(world, 10 * (uint32_t)s->rate);
  const double lost = start - energy_of(world);
  const double fall = 9.81 * (1.0 + 2.0);
  return lost / fall;
}

LOOP_TEST(a_double_pendulum_keeps_its_energy, 0, SWINGS) {
  const struct swing* s = &swings[_i];
  const double lost = loss_in_ten_seconds(s, WEFT_SWEEPS_SYMMETRIC);
  ck_assert_msg(fabs(lost) < s->most, "%d Hz: lost %g", s->rate, lost);
  ck_assert_double_gt(loss_in_ten_seconds(s, WEFT_SWEEPS_TEXTBOOK), 0.1);
}

// Let go from the horizontal it whips: waves that no substep resolves.
LOOP_TEST(a_loaded_rope_that_whips_gains_no_energy_and_keeps_its_length, 0, 4) {
  weft_scene* scene = new_scene();
  const rope r = add_rope(scene, (rope_def){.link_count = 50,
                                            .length = 1.0f,
                                            .mass = 0.1f,
                                            .load = _i % 2 == 0 ? 10.0f : 0.1f,
                                            .towards = {1.0f}});
  weft_world_def def = default_def(.undamped = true);
  if (_i / 2 == 1) def.substeps = 4;
  // kinetic energies of position Verlet vary within a wave
  const double most = _i / 2 == 1 ? 5e-3 : 1e-3;
  weft_world* world = new_world(&def, scene);
  const double start = energy_of(world);
  const double fall = 9.81 * measures_of(world).mass;
  for (int second = 0; second < LONG_RUN(30); ++second) {
    weft_world_step(world, 60);
    ck_assert_double_lt(energy_of(world), start + most * fall);
    require(worst_strain(world, r, 1.0 / 50.0) < 1e-3);
  }
}
