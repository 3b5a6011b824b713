/* Layers that have passed through each other come apart, and nothing is thrown about. */
#include "support/sim_runs.h"
#include "support/test.h"

LOOP_TEST(layers_that_cross_come_apart, 0, 3) {
  static const struct {
    double least; /* crossings to begin with */
    const char* sets[6];
  } cases[] = {
      {100, {"size=65", "width=0.64", "regions=3"}},
      {100, {"size=65", "width=0.64", "regions=3", "seed=7", "surfaces=true"}},
      {30, {"size=33", "width=1.28", "regions=2"}},
  };
  sim_case c = {.name = "tangle", .seconds = 1.1};
  memcpy(c.sets, cases[_i].sets, sizeof cases[_i].sets);
  sim_run* run = new_sim_run(&c);
  run_to_the_end(run);
  ck_assert_double_gt(result_of(run, "first_crossings"), cases[_i].least);
  ck_assert_double_eq(result_of(run, "crossings"), 0.0);
  ck_assert_double_le(result_of(run, "free_at"), 1.0);
  ck_assert_double_lt(result_of(run, "fastest"), 5.0);
  ck_assert_double_lt(result_of(run, "strain"), 0.1);
}
