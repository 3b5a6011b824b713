/* The scenes `ragdolls` and `crowd`: limbs keep their lengths, joints bend one way, all come to
 * rest. */
#include "support/sim_runs.h"
#include "support/test.h"

enum { PARTS = WEFT_RAGDOLL_PARTICLE_COUNT };

// particle ranges: the hanging figure first, the dragged one second
enum { HANGING, DRAGGED };

static void expect_whole(const sim_run* run) {
  ck_assert_double_lt(result_of(run, "worst_strain"), 0.04);
  ck_assert_double_lt(result_of(run, "strain"), 0.005);
  ck_assert_double_eq(result_of(run, "wrong_bends"), 0.0);
  ck_assert_double_lt(result_of(run, "worst_bend"), 3.0);
  ck_assert_double_gt(result_of(run, "head_gap"), -1e-5);
}

LOOP_TEST(figures_keep_their_limbs_and_joints_and_come_to_rest, 0, ROUNDS(2, 1)) {
  static const sim_case cases[] = {
      {"ragdolls", .seconds = 8.0, .sets = {"seed=1", "plane=one"}},
      {"ragdolls", .seconds = 8.0, .sets = {"count=6", "seed=3", "flat=false"}}};
  sim_run* run = new_sim_run(&cases[_i]);
  run_to_the_end(run);
  expect_whole(run);
  ck_assert_double_lt(result_of(run, "speed"), 0.5);
}

LOOP_TEST(hard_falls_are_borne_at_any_rate, 0, ROUNDS(5, 1)) {
  static const sim_case cases[] = {
      {"ragdolls", .seconds = 2.0, .rate = 30.0, .sets = {"drop=6", "damping=0", "seed=5"}},
      {"ragdolls", .seconds = 2.0, .rate = 240.0, .sets = {"drop=10", "damping=0", "seed=6"}},
      {"ragdolls", .seconds = 2.0, .sets = {"drop=20", "speed=8", "damping=0", "seed=7"}},
      {"ragdolls", .seconds = 2.0, .sets = {"count=12", "friction=0", "seed=8"}},
      {"ragdolls", .seconds = 2.0, .sets = {"restitution=1", "seed=9"}},
  };
  sim_run* run = new_sim_run(&cases[_i]);
  run_to_the_end(run);
  ck_assert_double_lt(result_of(run, "worst_strain"), 0.04);
  ck_assert_double_gt(result_of(run, "head_gap"), -1e-5);
}

TEST(the_one_that_hangs_hangs_below_its_hand) {
  const sim_case c = {"ragdolls", .sets = {"count=1"}};
  sim_run* run = new_sim_run(&c);
  run_to_the_end(run);
  // arm length 0.58 m, pelvis half a metre below the shoulder
  ck_assert_double_gt(result_of(run, "hangs_by"), 0.7);
  float places[PARTS][3], velocity[3];
  expect_ok(weft_world_get_positions(sim_run_world(run), 0, PARTS, &places[0][0]));
  for (int i = 0; i < PARTS; ++i)
    ck_assert(places[i][1] <= places[WEFT_RAGDOLL_HAND_LEFT][1] + 0.1f);
  expect_ok(weft_world_get_velocities(sim_run_world(run), WEFT_RAGDOLL_PELVIS, 1, velocity));
  ck_assert(fabsf(velocity[0]) + fabsf(velocity[1]) < 0.5f);
}

TEST(dragging_moves_the_one_that_is_dragged_and_no_other) {
  const sim_case c[2] = {{"ragdolls", .seconds = 5.0, .sets = {"count=4", "drag=2"}},
                         {"ragdolls", .seconds = 5.0, .sets = {"count=4", "drag=0"}}};
  float places[2][4 * PARTS][3];
  for (int i = 0; i < 2; ++i) {
    sim_run* run = new_sim_run(&c[i]);
    run_to_the_end(run);
    expect_whole(run);
    if (i == 0) ck_assert_double_gt(result_of(run, "dragged"), 1.2);
    if (i == 1) ck_assert_double_eq(result_of(run, "dragged"), 0.0);
    expect_ok(weft_world_get_positions(sim_run_world(run), 0, 4 * PARTS, &places[i][0][0]));
  }
  for (int i = 0; i < 4 * PARTS; ++i) {
    const bool same = memcmp(places[0][i], places[1][i], sizeof places[0][i]) == 0;
    if (i / PARTS != DRAGGED) require(same);
  }
  const float* with = places[0][DRAGGED * PARTS + WEFT_RAGDOLL_HEAD];
  const float* without = places[1][DRAGGED * PARTS + WEFT_RAGDOLL_HEAD];
  ck_assert(fabsf(with[0] - without[0]) + fabsf(with[1] - without[1]) > 0.5f);
}

LOOP_TEST(a_crowd_falls_and_swings_as_one_figure_and_one_rope_do, ROUNDS(0, 1), 4) {
  static const sim_case cases[] = {
      {"crowd", .seconds = 1.2, .sets = {"ragdolls=100", "ropes=10"}},
      {"crowd", .seconds = 1.2, .rate = 120.0, .sets = {"ragdolls=40", "ropes=7", "drop=4"}},
      {"crowd", .seconds = 1.0, .rate = 240.0, .sets = {"ragdolls=0", "ropes=20", "links=90"}},
      {"crowd", .seconds = 1.2, .sets = {"ragdolls=60", "ropes=0", "friction=0"}},
  };
  sim_run* run = new_sim_run(&cases[_i]);
  run_to_the_end(run);
  if (_i != 2) {
    // as they land, by Newton iterations that friction leaves unfinished; 0.3 % two seconds later
    ck_assert_double_lt(result_of(run, "ragdoll_strain"), 0.05);
    ck_assert_double_gt(result_of(run, "head_gap"), -1e-5);
    // heads have reached the floor
    ck_assert_double_lt(result_of(run, "head_gap"), 0.3);
    ck_assert_float_eq(facts_of(run).measures.lower[1], 0.0f);
  }
  if (_i != 3) ck_assert_double_lt(result_of(run, "rope_strain"), 0.01);
}

TEST(a_crowd_of_none_is_refused) {
  sim_settings settings = sim_default_settings();
  const char* sets[] = {"ragdolls=0", "ropes=0"};
  sim_run* run = NULL;
  tool_message why;
  settings.sets = sets;
  settings.set_count = 2;
  ck_assert_int_eq(sim_run_create("crowd", &settings, &run, &why), SIM_FAILED);
  ck_assert_str_eq(why.text, "a crowd needs ragdolls or ropes: both are 0");
}
