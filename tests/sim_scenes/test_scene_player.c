/* The scene `player`, against closed forms of a point mass that is thrown, slides and bounces. */
#include "sim/keys.h"
#include "support/sim_runs.h"
#include "support/test.h"

static const double rates[] = {30.0, 60.0, 144.0, 480.0};

enum { RATES = 4 };

static sim_run* finished(double rate, double seconds, const char* const* sets) {
  sim_run* run = new_run_of("player", rate, seconds, sets);
  run_to_the_end(run);
  return run;
}

// ---- scripts ----

TEST(a_press_holds_from_its_second_to_its_end_and_for_one_step_at_least) {
  const double h = 1.0 / 60.0;
  const sim_press half = {0, 0.5, 2.0}, tap = {0, 0.5, 0.5}, between = {0, 0.501, 0.502};
  for (uint64_t step = 0; step < 200; ++step) {
    ck_assert(sim_press_holds(&half, step, h) == (step >= 30 && step < 120));
    ck_assert(sim_press_holds(&tap, step, h) == (step == 30));
    ck_assert(sim_press_holds(&between, step, h) == (step == 31));
  }
}

TEST(a_script_is_read_or_refused_in_words) {
  static const char* const names[] = {"left", "right", "jump", NULL};
  static const char* const cases[][2] = {
      {"jmp 1", "script: 'jmp' is not a key (did you mean jump?)"},
      {"jump", "script: 'jump' is followed by SECOND or FROM-TO"},
      {"jump 1 2", "script: 'jump' is followed by SECOND or FROM-TO"},
      {"jump 1, left 3-2", "script: '3-2' ends before it begins"},
      {"jump -1", "script: '' is not a number from 0 to 1e+06"},
      {"jump 1-x", "script: 'x' is not a number from 0 to 1e+06"},
      {"jump 1,,jump 2", "script: nothing between two commas, or at an end"},
  };
  sim_script script = {.count = 0};
  tool_message why;
  ck_assert(sim_script_read("script", " right 0.5-2,jump 1.5 ", names, &script, &why));
  ck_assert_uint_eq(script.count, 2);
  ck_assert(script.presses[0].key == 1 && script.presses[1].key == 2);
  ck_assert(script.presses[0].from == 0.5 && script.presses[0].to == 2.0);
  ck_assert(script.presses[1].from == 1.5 && script.presses[1].to == 1.5);
  sim_script_free(&script);
  ck_assert(sim_script_read("script", "  ", names, &script, &why) && script.count == 0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    ck_assert(!sim_script_read("script", cases[i][0], names, &script, &why));
    ck_assert_str_eq(why.text, cases[i][1]);
    sim_script_free(&script);
  }
}

// ---- the original tuning ----

static const double standard_gravity = 9.80665;

TEST(the_soft_floor_takes_back_30_percent_of_the_penetration_and_leaves_its_margin) {
  // without gravity: 0.1 m deep after the first step
  for (int steps = 1; steps < 30; ++steps) {
    sim_run* run =
        new_run_of("player", 60.0, 1.0,
                   SETS("preset=original", "gravity=0", "resistance=0", "launch_y=-6", "script="));
    take_steps(run, (uint64_t)steps);
    const double depth = 0.01 + 0.09 * pow(0.7, steps - 1);
    ck_assert_double_eq_tol(result_of(run, "y"), -depth, 1e-5);
  }
  // at rest the share is what gravity adds in a step
  for (size_t i = 0; i < RATES; ++i) {
    const double h = 1.0 / rates[i], depth = 0.01 + 0.5 * standard_gravity * h * h / 0.3;
    sim_run* run = finished(rates[i], 4.0, SETS("preset=original", "drop=0.5", "script="));
    ck_assert_double_eq_tol(result_of(run, "y"), -depth, 0.01 * depth);
    ck_assert_double_eq(result_of(run, "bounces"), 0.0);
  }
}
