/* Substeps of scenes of cloth that falls onto cloth. */
#include "common/substeps.h"
#include "support/sim_runs.h"
#include "support/test.h"

static weft_world_def def_of(double rate, float damping) {
  weft_world_def def = weft_plain_world_def();
  def.step_ns = llround(1e9 / rate);
  def.damping = damping;
  return def;
}

LOOP_TEST(cloth_moves_by_at_most_its_thickness_in_a_substep, 0, 4) {
  static const struct {
    double height, thickness;
  } cases[] = {{0.2, 0.002}, {1.0, 0.005}, {4.0, 0.008}, {20.0, 0.02}};
  const weft_world_def def = def_of(60.0, 0.0f);
  const double speed = sqrt(2.0 * 9.81 * cases[_i].height);
  const double needed = speed / 60.0 / cases[_i].thickness;
  const uint32_t substeps =
      tool_fall_substeps(&def, cases[_i].height, cases[_i].thickness, 1.0 / 60.0);
  ck_assert_double_ge(substeps, needed);
  ck_assert_double_le(substeps, 1.02 * needed + 1.0);
}

// Closed form: at most g / damping after any fall.
TEST(a_damped_fall_ends_at_its_limit_speed) {
  const weft_world_def def = def_of(60.0, 2.0f);
  const double needed = 9.81 / 2.0 / 60.0 / 0.01;
  ck_assert_uint_eq(tool_fall_substeps(&def, 1000.0, 0.01, 1.0), (uint32_t)ceil(needed));
}

LOOP_TEST(a_substep_has_bounds_in_seconds, 0, 4) {
  static const struct {
    double rate, thickness, longest;
    uint32_t substeps;
  } cases[] = {
      {60.0, 1.0, 1.0 / 480.0, 8},
      {120.0, 1.0, 1.0 / 480.0, 4},
      {60.0, 1e-6, 1.0 / 480.0, 32},
      {30.0, 1e-6, 1.0 / 480.0, 64},
  };
  const weft_world_def def = def_of(cases[_i].rate, 0.5f);
  ck_assert_uint_eq(tool_fall_substeps(&def, 1.0, cases[_i].thickness, cases[_i].longest),
                    cases[_i].substeps);
}

LOOP_TEST(finer_cloth_has_more_substeps, 0, 6) {
  static const struct {
    const char *name, *sets[2];
    uint32_t substeps;
  } cases[] = {
      {"towels", {"count=1", "size=30"}, 8},  {"towels", {"count=1", "size=60"}, 13},
      {"sheets", {"layers=5", "size=33"}, 8}, {"sheets", {"size=9", "thickness=0.03"}, 11},
      {"drop-folds", {"size=65"}, 16},        {"drop-folds", {"size=65", "thickness=0.107"}, 19},
  };
  sim_case c = {.name = cases[_i].name, .rate = 60.0, .seconds = 0.1};
  memcpy(c.sets, cases[_i].sets, sizeof cases[_i].sets);
  sim_run* run = new_sim_run(&c);
  ck_assert_uint_eq(sim_run_def(run)->solver.substeps, cases[_i].substeps);
}
