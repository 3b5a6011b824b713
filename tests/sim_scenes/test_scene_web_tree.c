/* The scenes `web` and `tree`: rest state, deformation under load, and recovery. */
#include "support/sim_runs.h"
#include "support/test.h"

#define GRAVITY 9.81

// two step rates, by a factor of four, around the default
static const double rates[] = {30.0, 120.0};
enum { RATES = sizeof rates / sizeof rates[0] };

// ---- web ----

LOOP_TEST(a_web_hangs_from_its_pins_and_keeps_what_it_has_caught, 0, 1) {
  const sim_case c = {.name = "web", .seconds = 20.0, .rate = rates[_i], .sets = {"flies=12"}};
  sim_run* run = new_sim_run(&c);
  for (double t = 0.5; t <= 20.0; t += 0.5) {
    run_until(run, t);
    require(result_of(run, "fastest") < 6.0);
    require(result_of(run, "sag") < 0.3);
  }
  ck_assert_double_eq(result_of(run, "caught"), 12.0);
  ck_assert_double_eq(result_of(run, "held"), 12.0);
  // at rest the pull equals the weight of the flies
  const double weight = 12.0 * 0.002 * GRAVITY;
  ck_assert_double_eq_tol(result_of(run, "pull"), weight, 0.01 * weight);
  ck_assert_double_lt(result_of(run, "fastest"), 0.01);
  ck_assert_uint_eq(facts_of(run).stats.torn_count, 0);
}

/* The web sags less than a single thread of the same length and tension. */
LOOP_TEST(a_web_without_flies_stays_in_its_plane_and_at_rest, 0, ROUNDS(RATES, 1)) {
  const sim_case c = {.name = "web", .seconds = 8.0, .rate = rates[_i], .sets = {"flies=0"}};
  sim_run* run = new_sim_run(&c);
  run_to_the_end(run);
  const sim_facts facts = facts_of(run);
  ck_assert_float_eq(facts.measures.lower[2], 0.0f);
  ck_assert_float_eq(facts.measures.upper[2], 0.0f);
  // single thread: weight a metre * length^2 / (8 * tension), tension = strain / compliance
  const double tension = 0.02 / 0.05, span = 0.6;
  ck_assert_double_lt(result_of(run, "sag"), 0.001 * GRAVITY * span * span / (8.0 * tension));
  ck_assert_double_lt(result_of(run, "fastest"), 1e-3);
}

LOOP_TEST(light_flies_tear_nothing_and_heavy_ones_fly_through, 0, ROUNDS(RATES, 1)) {
  for (int heavy = 0; heavy < 2; ++heavy) {
    const sim_case c = {.name = "web",
                        .seconds = 6.0,
                        .rate = rates[_i],
                        .sets = {"flies=3", "tear=0.5", heavy ? "fly=200" : "fly=1",
                                 heavy ? "speed=20" : "speed=2"}};
    sim_run* run = new_sim_run(&c);
    run_to_the_end(run);
    ck_assert_double_eq(result_of(run, "held"), heavy ? 0.0 : 3.0);
    ck_assert((facts_of(run).stats.torn_count > 0) == (heavy == 1));
    ck_assert(isfinite(result_of(run, "fastest")));
  }
}

LOOP_TEST(a_fly_that_meets_a_gap_flies_on, 0, ROUNDS(RATES, 1)) {
  const sim_case c = {.name = "web",
                      .seconds = 8.0,
                      .rate = rates[_i],
                      .sets = {"flies=8", "radials=3", "rings=1", "size=0.001", "aim=1"}};
  sim_run* run = new_sim_run(&c);
  run_to_the_end(run);
  ck_assert_double_lt(result_of(run, "caught"), 8.0);
  ck_assert(isfinite(result_of(run, "fastest")));
}

// ---- tree ----

LOOP_TEST(a_tree_sways_in_the_wind_and_goes_back_to_its_place, RATES - 1, RATES) {
  const sim_case c = {.name = "tree", .seconds = 30.0, .rate = rates[_i]};
  sim_run* run = new_sim_run(&c);
  double furthest = 0.0;
  for (double t = 0.5; t <= 30.0; t += 0.5) {
    run_until(run, t);
    if (t > 5.0 && t <= 15.0) furthest = fmax(furthest, result_of(run, "lean"));
    require(result_of(run, "fastest") < 12.0);
    require(result_of(run, "offset") < 1.0);
  }
  const double height = result_of(run, "height");
  // lean in the direction of the wind
  ck_assert_double_gt(furthest, 0.02 * height);
  ck_assert(result_of(run, "sway") >= furthest && result_of(run, "sway") < 1.5 * furthest);
  ck_assert_double_lt(result_of(run, "offset"), 0.002 * height);
  ck_assert_double_lt(result_of(run, "fastest"), 0.03);
}

LOOP_TEST(a_tree_leans_as_the_square_of_a_steady_wind, 0, ROUNDS(RATES, 1)) {
  double lean[3];
  static const char* const winds[] = {"wind=4", "wind=8", "wind=-8"};
  for (int i = 0; i < 3; ++i) {
    const sim_case c = {.name = "tree",
                        .seconds = 10.0,
                        .rate = rates[_i],
                        .sets = {winds[i], "gust=0", "until=100", "damping=2", "flat=true"}};
    sim_run* run = new_sim_run(&c);
    run_to_the_end(run);
    lean[i] = result_of(run, "lean");
  }
  ck_assert_double_eq_tol(lean[1], 4.0 * lean[0], 0.5 * lean[0]);
  ck_assert_double_eq_tol(lean[2], -lean[1], 0.2 * lean[1]);
}

LOOP_TEST(a_tree_that_is_pulled_goes_back_to_its_place, 0, 1) {
  const sim_case c = {
      .name = "tree", .seconds = 18.0, .rate = rates[_i], .sets = {"wind=0", "drag=0.5"}};
  sim_run* run = new_sim_run(&c);
  run_to_the_end(run);
  const double height = result_of(run, "height");
  ck_assert_double_gt(result_of(run, "sway"), 0.2);
  ck_assert_double_lt(result_of(run, "offset"), 0.002 * height);
  ck_assert_double_lt(result_of(run, "fastest"), 0.03);
}
