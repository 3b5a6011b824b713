/* Sheets that fall onto a box lie one above the other. */
#include "support/sim_runs.h"
#include "support/test.h"

LOOP_TEST(sheets_keep_their_order, 0, 4) {
  static const char* const cases[][6] = {
      {"size=9"},
      {"size=9", "box=1.4"},
      {"size=9", "layers=2", "box=1.4", "turn=0", "ccd=false"},
      {"size=9", "layers=3", "friction=0.6"},
  };
  sim_case c = {.name = "sheets", .rate = 60.0, .seconds = ROUNDS(2.0, 0.5)};
  memcpy(c.sets, cases[_i], sizeof cases[_i]);
  sim_run* run = new_sim_run(&c);
  run_to_the_end(run);
  ck_assert_double_eq(result_of(run, "crossings"), 0.0);
  ck_assert_double_eq(result_of(run, "out_of_order"), 0.0);
  ck_assert_double_eq(result_of(run, "met_lost"), 0.0);
  ck_assert_double_le(result_of(run, "deepest"), 1e-6);
}
