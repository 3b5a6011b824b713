/* A sheet between two spheres is squeezed, and comes out as it went in. */
#include <math.h>

#include "support/sim_runs.h"

START_TEST(a_sheet_between_two_spheres_stays_whole) {
  static const struct {
    double rate;
    const char* sets[5];
  } cases[] = {
      {60, {"size=33"}},
      {60, {"size=33", "cloth=false", "gap=0"}},
      {60, {"size=33", "cloth=false", "gap=-0.05"}},
      {120, {"size=25", "offset=0.2", "period=1"}},
      {60, {"size=25", "exact=true"}},
  };
  sim_case c = {.name = "squeeze", .rate = cases[_i].rate, .seconds = ROUNDS(4.0, 1.2)};
  memcpy(c.sets, cases[_i].sets, sizeof cases[_i].sets);
  sim_run* run = new_sim_run(&c);
  run_to_the_end(run);
  ck_assert_double_lt(result_of(run, "fastest"), 20.0);
  ck_assert_double_lt(result_of(run, "most_strain"), 1.0);
  if (ROUNDS(true, false)) ck_assert_double_lt(result_of(run, "strain"), 0.05);
  sim_run_destroy(&run);
}
END_TEST

int main(void) {
  const test_suite suite = new_suite("scene_squeeze");
  tcase_add_loop_test(suite.tests, a_sheet_between_two_spheres_stays_whole, 0, 5);
  return run_suite(suite);
}
