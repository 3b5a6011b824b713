/* The scene `bodies`: poured bodies come to rest in the box, and a stack stands if there is
 * friction. */
#include "support/sim_runs.h"
#include "support/test.h"

static sim_run* run_all(double seconds, const char* const* sets) {
  sim_run* run = new_run_of("bodies", 60.0, seconds, sets);
  run_to_the_end(run);
  ck_assert_double_eq(result_of(run, "outside"), 0.0);
  ck_assert_double_le(result_of(run, "worst_overlap"), 0.01);
  ck_assert_double_eq(result_of(run, "lost_pairs"), 0.0);
  return run;
}

LOOP_TEST(what_pours_comes_to_rest, 0, ROUNDS(4, 2)) {
  char seed[32];
  snprintf(seed, sizeof seed, "seed=%d", _i);
  sim_run* run = run_all(ROUNDS(8.0, 5.0), SETS(ROUNDS("count=300", "count=60"), seed,
                                                _i % 2 == 0 ? "walls=colliders" : "walls=bounds"));
  ck_assert_double_lt(result_of(run, "fastest"), 0.01);
  ck_assert_double_gt(result_of(run, "pairs"), 20.0);
}

TEST(circles_that_roll_come_to_rest_lower) {
  sim_run* sliding = run_all(12.0, SETS("count=200", "turns=false"));
  sim_run* rolling = run_all(12.0, SETS("count=200", "turns=true"));
  ck_assert_double_lt(result_of(rolling, "fastest"), 0.02);
  ck_assert_double_lt(result_of(rolling, "fastest_spin"), 0.3);
  ck_assert_double_eq(result_of(sliding, "fastest_spin"), 0.0);
  // rolling gives way where static friction holds
  ck_assert_double_lt(result_of(rolling, "highest"), result_of(sliding, "highest"));
}

LOOP_TEST(a_stack_stands_for_a_minute, 0, ROUNDS(2, 1)) {
  sim_run* run = run_all(60.0, SETS("stack=10", "tilt=5", "friction=0.5",
                                    _i == 0 ? "walls=colliders" : "walls=bounds"));
  ck_assert_double_lt(result_of(run, "fastest"), 1e-3);
  ck_assert_double_lt(result_of(run, "aside"), 1e-3);
  ck_assert_double_gt(result_of(run, "highest"), 4.745);
}

TEST(a_stack_slides_where_nothing_rubs) {
  sim_run* run = run_all(2.0, SETS("stack=10", "tilt=5", "friction=0"));
  // displacement g sin 5 degrees t^2 / 2, for two seconds
  ck_assert_double_eq_tol(result_of(run, "aside"), 1.71, 0.02);
}

TEST(threads_change_nothing) {
  uint64_t hash[2];
  for (uint32_t i = 0; i < 2; ++i) {
    const sim_case c = {"bodies", .seconds = 0.3, .threads = 1 + 2 * i, .sets = {"count=400"}};
    sim_run* run = new_sim_run(&c);
    run_to_the_end(run);
    hash[i] = facts_of(run).hash;
  }
  ck_assert_uint_eq(hash[0], hash[1]);
}
