/* Sheets that fall onto a box lie one above the other. */
#include <math.h>

#include "support/sim_runs.h"

START_TEST(sheets_keep_their_order_and_come_to_rest) {
  static const struct {
    double rate;
    const char* sets[4];
  } cases[] = {
      {60, {"size=25"}},
      {60, {"size=25", "box=1.4", "turn=0"}},
      {60, {"size=25", "layers=3", "friction=0.6"}},
  };
  sim_case c = {.name = "sheets", .rate = cases[_i].rate, .seconds = ROUNDS(5.0, 1.0)};
  memcpy(c.sets, cases[_i].sets, sizeof cases[_i].sets);
  sim_run* run = new_sim_run(&c);
  run_to_the_end(run);
  ck_assert_double_eq(result_of(run, "crossings"), 0.0);
  ck_assert_double_eq(result_of(run, "out_of_order"), 0.0);
  ck_assert_double_eq(result_of(run, "met_lost"), 0.0);
  ck_assert_double_le(result_of(run, "deepest"), 1e-6);
  if (ROUNDS(true, false)) ck_assert_double_lt(result_of(run, "speed"), 0.05);
  sim_run_destroy(&run);
}
END_TEST

int main(void) {
  const test_suite suite = new_suite("scene_sheets");
  tcase_add_loop_test(suite.tests, sheets_keep_their_order_and_come_to_rest, 0, 3);
  return run_suite(suite);
}
