/* A sheet squeezed between two spheres, and released. */
#include "support/sim_runs.h"
#include "support/test.h"

LOOP_TEST(a_sheet_between_two_spheres_stays_whole, 0, 4) {
  static const char* const cases[][5] = {
      {"size=33"},
      {"size=33", "cloth=false"},
      {"size=25", "offset=0.2", "period=1"},
      {"size=17", "ccd=true"},
  };
  sim_case c = {.name = "squeeze", .rate = 60.0, .seconds = ROUNDS(4.0, 1.2)};
  memcpy(c.sets, cases[_i], sizeof cases[_i]);
  sim_run* run = new_sim_run(&c);
  run_to_the_end(run);
  ck_assert_double_lt(result_of(run, "fastest"), 4.0);
  ck_assert_double_lt(result_of(run, "most_strain"), 0.2);
  ck_assert_double_eq(result_of(run, "crossings"), 0.0);
}

// The gap is negative, so the cloth is pushed aside: it may stretch, but recovers after the spheres
// part.
LOOP_TEST(spheres_that_leave_no_room_do_not_burst_it, 0, 2) {
  static const char* const gaps[] = {"gap=-0.01", "gap=-0.1"};
  sim_run* run = new_run_of("squeeze", 60.0, 4.0, SETS("size=33", "cloth=false", gaps[_i]));
  run_to_the_end(run);
  ck_assert_double_lt(result_of(run, "fastest"), 40.0);
  ck_assert(isfinite(result_of(run, "most_strain")));
  ck_assert_double_lt(result_of(run, "mean_strain"), 0.05);
}
