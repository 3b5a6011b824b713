/* The flag: lift, flutter without a repeated state, and integrity. */
#include "support/sim_runs.h"
#include "support/test.h"

static const struct {
  double rate;
  const char *columns, *rows, *wind;
} flags[] = {
    {60, "columns=16", "rows=11", "wind=8"},  {30, "columns=16", "rows=11", "wind=8"},
    {240, "columns=10", "rows=7", "wind=8"},  {60, "columns=31", "rows=21", "wind=6"},
    {60, "columns=16", "rows=11", "wind=20"},
};

enum { FLAGS = sizeof flags / sizeof flags[0] };

LOOP_TEST(wind_lifts_a_flag_and_it_flutters, 0, ROUNDS(FLAGS, 1)) {
  sim_case c = {.name = "flag",
                .seconds = 6.0,
                .rate = flags[_i].rate,
                .sets = {flags[_i].columns, flags[_i].rows, "wind=0"}};
  sim_run* still = new_sim_run(&c);
  run_to_the_end(still);
  c.sets[2] = flags[_i].wind;
  sim_run* blown = new_sim_run(&c);
  run_to_the_end(blown);
  // length 1.5 metres: the flag hangs in still air and flies in the wind
  ck_assert_double_lt(result_of(still, "lift"), 0.6);
  ck_assert_double_lt(result_of(still, "tip_height"), -0.8);
  ck_assert_double_gt(result_of(blown, "lift"), 0.8);
  ck_assert_double_gt(result_of(blown, "tip_height"), result_of(still, "tip_height") + 0.6);
  ck_assert_double_gt(result_of(blown, "flutter"), 3.0);
  ck_assert_double_gt(result_of(blown, "flutter"), 2.0 * result_of(still, "flutter"));
}

LOOP_TEST(a_flag_never_comes_to_the_same_state_twice_in_ten_seconds, 0, 2) {
  // with gusts (case 0) and in a steady wind (case 1)
  const sim_case c = {.name = "flag",
                      .seconds = 10.0,
                      .sets = {"columns=16", "rows=11", _i == 0 ? "gust=0.5" : "gust=0"}};
  sim_run* run = new_sim_run(&c);
  run_to_the_end(run);
  ck_assert_double_eq(result_of(run, "states_noted"), 601.0);
  ck_assert_double_eq(result_of(run, "states"), 601.0);
  ck_assert_double_gt(result_of(run, "flutter"), 3.0);
}

TEST(other_gusts_make_another_flight) {
  uint64_t hashes[2];
  for (int i = 0; i < 2; ++i) {
    const sim_case c = {.name = "flag",
                        .seconds = 0.5,
                        .sets = {"columns=10", "rows=7", i == 0 ? "seed=1" : "seed=2"}};
    sim_run* run = new_sim_run(&c);
    run_to_the_end(run);
    hashes[i] = weft_world_hash(sim_run_world(run));
  }
  ck_assert_uint_ne(hashes[0], hashes[1]);
}

// A flag may crack like a whip: the speed of its corner exceeds the wind's by a bounded factor.
LOOP_TEST(a_flag_never_explodes, 0, 10) {
  static const struct {
    double rate, strongest; /* strongest gust in metres per second */
    const char* sets[5];
  } cases[] = {
      {60, 12, {"gust=0.5", "wind=8"}},
      {240, 12, {"gust=0.5", "wind=8"}},
      {30, 80, {"gust=1", "wind=40"}},
      {120, 120, {"gust=2", "wind=40", "density=0.02"}},
      {60, 300, {"gust=0.5", "wind=200", "length=5"}},
      {60, 110, {"gust=10", "wind=10", "gust_period=0.01", "gust_size=0.05"}},
      {60, 4, {"gust=1", "wind=2", "density=0.001"}},
      {60, 16, {"gust=1", "wind=8", "density=20"}},
      {60, 16, {"gust=1", "wind=8", "bend=0.001"}},
      {60, 16, {"gust=1", "wind=8", "veer=90"}},
  };
  const double seconds = 2.5;
  sim_case c = {.name = "flag", .seconds = seconds, .rate = cases[_i].rate};
  c.sets[0] = "columns=16";
  c.sets[1] = "rows=11";
  memcpy(c.sets + 2, cases[_i].sets, sizeof cases[_i].sets);
  sim_run* run = new_sim_run(&c);
  run_to_the_end(run);
  const double falling = sqrt(2.0 * 9.81 * seconds);
  ck_assert_double_lt(result_of(run, "fastest"), 3.0 * cases[_i].strongest + falling);
  const weft_measures measures = facts_of(run).measures;
  for (int axis = 0; axis < 3; ++axis) {
    ck_assert(measures.lower[axis] > -8.0f && measures.upper[axis] < 8.0f);
  }
}
