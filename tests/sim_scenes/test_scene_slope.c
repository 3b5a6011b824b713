/* A sheet on a slope: friction holds it, or it slides at the expected speed. */
#include "support/sim_runs.h"
#include "support/test.h"

// tan 20 degrees is 0.36397
LOOP_TEST(above_the_slopes_tangent_friction_holds_for_a_minute, 0, 3) {
  static const struct {
    const char *tilt, *friction;
  } cases[] = {{"tilt=collider", "friction=0.38"},
               {"tilt=gravity", "friction=0.38"},
               {"tilt=collider", "friction=3"}};
  sim_run* run = new_run_of("slope", 60.0, ROUNDS(60.0, 6.0),
                            SETS(cases[_i].tilt, cases[_i].friction, "size=17"));
  run_to_the_end(run);
  ck_assert_double_lt(result_of(run, "creep"), 1.0);
  ck_assert_double_lt(result_of(run, "deepest"), 1e-4);
  ck_assert(isnan(result_of(run, "acceleration_error")));
}

LOOP_TEST(below_it_the_sheet_slides_as_the_closed_form_says, 0, 6) {
  static const struct {
    double rate;
    const char *tilt, *friction, *slope;
  } cases[] = {
      {60, "tilt=collider", "friction=0.34", "slope=20"},
      {60, "tilt=collider", "friction=0.2", "slope=20"},
      {60, "tilt=gravity", "friction=0.2", "slope=20"},
      {60, "tilt=collider", "friction=0", "slope=20"},
      {240, "tilt=collider", "friction=0.3", "slope=45"},
      {30, "tilt=gravity", "friction=0.1", "slope=10"},
  };
  sim_run* run = new_run_of("slope", cases[_i].rate, 3.0,
                            SETS(cases[_i].tilt, cases[_i].friction, cases[_i].slope, "size=17"));
  run_to_the_end(run);
  ck_assert_double_lt(result_of(run, "acceleration_error"), 0.02);
  ck_assert_double_lt(result_of(run, "deepest"), 1e-3);
}
