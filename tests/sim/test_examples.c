/* Scene files that come with weft-sim: one hash, and where their bodies end. */
#include "support/scene_files.h"
#include "support/sim_runs.h"
#include "support/test.h"

static uint64_t hash_of(const char* file, const sim_settings* settings) {
  sim_run* run = new_run(file, settings);
  take_steps(run, sim_run_length(run));
  return weft_world_hash(sim_run_world(run));
}

START_TEST(every_example_gives_one_hash_for_all_threads_and_instruction_sets) {
  sim_settings settings = sim_default_settings();
  settings.seconds = ROUNDS(0.6, 0.3);
  const uint64_t first = hash_of(example_paths[_i], &settings);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    settings.isa = (weft_isa)isa;
    settings.threads = 1 + (uint32_t)isa % 3;
    ck_assert_uint_eq(hash_of(example_paths[_i], &settings), first);
  }
}

TEST(there_are_examples) {
  ck_assert_int_ge(example_count, 3);
}

static sim_run* finished_example(const char* name, double seconds) {
  char file[512];
  sim_settings settings = sim_default_settings();
  settings.seconds = seconds;
  snprintf(file, sizeof file, WEFT_EXAMPLES "/%s", name);
  sim_run* run = new_run(file, &settings);
  take_steps(run, sim_run_length(run));
  return run;
}

TEST(curtain_and_ragdolls_share_a_scene_and_come_to_rest) {
  sim_run* run = finished_example("curtain-ragdolls.json", LONG_RUN(1) ? 20.0 : 0.1);
  const sim_facts facts = facts_of(run);
  if (LONG_RUN(1)) {
    // the hand has torn it; bones and cloth keep their lengths
    ck_assert_uint_gt(facts.stats.torn_count, 50);
    ck_assert_double_lt(facts.measures.max_strain, 0.05);
    ck_assert_double_lt(facts.measures.kinetic, 1.0);
  }
  ck_assert_float_ge(facts.measures.lower[1], -2.4f);
}

TEST(ropes_through_points_keep_their_length_or_hang_by_hookes_law) {
  sim_run* rigid = finished_example("rope.json", 5.0);
  sim_run* elastic = finished_example("rope-elastic.json", 5.0);
  ck_assert_double_lt(facts_of(rigid).measures.max_strain, 0.01);
  const sim_facts facts = facts_of(elastic);
  ck_assert_double_gt(facts.measures.max_strain, 0.02);
  ck_assert_double_lt(facts.measures.max_strain, 0.3);
  ck_assert_uint_eq(facts.stats.link_count, 45);
}

TEST(loads_hang_where_the_curves_of_their_springs_have_them) {
  sim_run* run = finished_example("springs-curved.json", 20.0);
  static const double strains[3] = {0.6 * 9.81 / 80.0, 0.3 + (9.81 - 4.0) / 100.0, 0.0981};
  for (uint32_t i = 0; i < 3; ++i) {
    float position[3];
    expect_get(sim_run_world(run), WEFT_ATTRIBUTE_POSITION, 3 + i, 1, position);
    ck_assert_double_eq_tol((double)position[1], -1.0 - strains[i], 1e-4);
  }
}

TEST(discs_roll_and_slide_down_as_far_as_their_inertia_lets_them) {
  sim_run* run = finished_example("rolling.json", 2.0);
  const double slope = 9.81 * 0.28;
  const double factors[2] = {2.0 / 3.0, 1.0};
  static const double starts[2] = {-0.056, -0.536};
  for (uint32_t i = 0; i < 2; ++i) {
    float position[3], spin[3];
    expect_get(sim_run_world(run), WEFT_ATTRIBUTE_POSITION, i, 1, position);
    expect_get(sim_run_world(run), WEFT_ATTRIBUTE_ANGULAR_VELOCITY, i, 1, spin);
    const double speed = 2.0 * factors[i] * slope;
    ck_assert_double_eq_tol((double)position[0], starts[i] - 0.96 * speed, 0.02);
    ck_assert_double_eq_tol((double)spin[2], i == 0 ? speed / 0.2 : 0.0, 0.05);
    ck_assert_float_eq(position[2], 0.0f);
  }
}

// Places along the slope: g (sin - friction cos) t^2 / 2, and half a step more.
TEST(pucks_slide_by_the_friction_of_the_pair) {
  sim_run* run = finished_example("ice-rubber.json", 1.5);
  static const double frictions[4] = {0.9, 0.05, 0.15, 0.02};
  const double tilt = 20.0 * M_PI / 180.0, half = 0.5 * 1.5 * (1.5 + 1.0 / 60.0);
  for (uint32_t i = 0; i < 4; ++i) {
    float position[3];
    expect_get(sim_run_world(run), WEFT_ATTRIBUTE_POSITION, i, 1, position);
    const double way = 9.81 * fmax(sin(tilt) - frictions[i] * cos(tilt), 0.0) * half;
    ck_assert_double_eq_tol((double)position[0], 0.15 * sin(tilt) + way * cos(tilt), 0.02);
  }
}

// As near as the thickness of the cloth lets the borders come.
TEST(a_tunic_is_sewn_and_stays_on) {
  enum { COLUMNS = 41, ROWS = 49, PANEL = COLUMNS * ROWS };
  sim_run* run = finished_example("tunic.json", LONG_RUN(1) ? 4.0 : 1.2);
  for (uint32_t row = 0; row < ROWS; ++row) {
    float front[3], back[3];
    expect_get(sim_run_world(run), WEFT_ATTRIBUTE_POSITION, COLUMNS * row, 1, front);
    expect_get(sim_run_world(run), WEFT_ATTRIBUTE_POSITION, PANEL + COLUMNS * row, 1, back);
    const double gap = hypot(hypot((double)(front[0] - back[0]), (double)(front[1] - back[1])),
                             (double)(front[2] - back[2]));
    ck_assert_double_lt(gap, 0.0045);
  }
  const sim_facts facts = facts_of(run);
  ck_assert_double_lt(facts.measures.mean_strain, 0.01);
  ck_assert_float_gt(facts.measures.lower[1], 0.7f);
}

SUITE(examples) {
  find_examples();
  tcase_add_loop_test(tests, every_example_gives_one_hash_for_all_threads_and_instruction_sets, 0,
                      example_count);
}
