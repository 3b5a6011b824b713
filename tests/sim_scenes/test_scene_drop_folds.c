/* A sheet that falls in folds never passes through itself. */
#include "support/sim_runs.h"
#include "support/test.h"

LOOP_TEST(a_sheet_that_falls_in_folds_does_not_cross_itself, 0, 3) {
  static const struct {
    double rate, seconds;
    const char* sets[4];
  } cases[] = {
      {60, 3, {"size=33", "every=10"}},
      {60, 1.5, {"size=25", "every=10", "width=1", "friction=0"}},
      {120, 1.5, {"size=17", "every=10", "friction=1"}},
  };
  sim_case c = {.name = "drop-folds",
                .rate = cases[_i].rate,
                .seconds = ROUNDS(cases[_i].seconds, 0.3 * cases[_i].seconds)};
  memcpy(c.sets, cases[_i].sets, sizeof cases[_i].sets);
  sim_run* run = new_sim_run(&c);
  run_to_the_end(run);
  ck_assert_double_eq(result_of(run, "crossings"), 0.0);
  ck_assert_double_eq(result_of(run, "most_crossings"), 0.0);
  ck_assert_double_eq(result_of(run, "met_lost"), 0.0);
  ck_assert_double_le(result_of(run, "deepest"), 1e-6);
  ck_assert_double_lt(result_of(run, "mean_strain"), 0.03);
  ck_assert_double_lt(result_of(run, "fastest"), 15.0);
}

// Sensitivity of the oracle: without contacts it reports self-intersections.
TEST(without_contacts_it_does) {
  sim_run* run = new_run_of("drop-folds", 60.0, 2.0, SETS("size=33", "cloth=false", "ccd=false"));
  run_to_the_end(run);
  ck_assert_double_gt(result_of(run, "crossings"), 10.0);
}
