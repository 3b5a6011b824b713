/* A sheet draped over a sphere: no penetration and no stretch. */
#include "support/sim_runs.h"
#include "support/test.h"

LOOP_TEST(no_particle_is_ever_in_the_sphere, 0, 4) {
  static const struct {
    double rate;
    const char *size, *cloth, *friction;
  } cases[] = {
      {60, "size=33", "cloth=false", "friction=0.5"},
      {60, "size=33", "cloth=false", "friction=0"},
      {60, "size=21", "cloth=true", "friction=0.5"},
      {120, "size=25", "cloth=true", "friction=0.3"},
  };
  sim_run* run = new_run_of("drape-sphere", cases[_i].rate, ROUNDS(3.0, 0.5),
                            SETS(cases[_i].size, cases[_i].cloth, cases[_i].friction));
  run_to_the_end(run);
  ck_assert_double_le(result_of(run, "deepest_share"), 1e-6);
  ck_assert_double_lt(result_of(run, "mean_strain"), 0.02);
  ck_assert_double_lt(result_of(run, "most_strain"), 0.8);
  ck_assert_double_lt(result_of(run, "fastest"), 20.0);
  if (strcmp(cases[_i].cloth, "cloth=true") == 0) {
    ck_assert_double_eq(result_of(run, "crossings"), 0.0);
  }
}
