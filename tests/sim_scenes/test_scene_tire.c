/* The scene `tire`: rolls or slides as the closed forms say, and ends at rest and round. */
#include "support/sim_runs.h"
#include "support/test.h"

#define PI 3.14159265358979323846
#define GRAVITY 9.81

// two step rates, by a factor of four, around the default
static const double rates[] = {30.0, 120.0};
enum { RATES = sizeof rates / sizeof rates[0], PARTICLES = 32 };

// moment of inertia over mass times radius squared: the hub in the middle adds mass only
static const double inertia = PARTICLES / (PARTICLES + 1.0);

static double gravity_along(double slope) {
  return GRAVITY * sin(slope * PI / 180.0);
}

static double gravity_against(double slope) {
  return GRAVITY * cos(slope * PI / 180.0);
}

static sim_run* run_on_slope(double slope, double friction, double rate, double seconds) {
  char sets[2][64];
  snprintf(sets[0], sizeof sets[0], "slope=%.17g", slope);
  snprintf(sets[1], sizeof sets[1], "friction=%.17g", friction);
  const sim_case c = {
      .name = "tire",
      .seconds = seconds,
      .rate = rate,
      .sets = {"drop=0", "damping=0", "level=0", "wall=0", "tires=2", sets[0], sets[1]},
  };
  sim_run* run = new_sim_run(&c);
  run_to_the_end(run);
  return run;
}

/* Close to half the acceleration of a sliding block: the other half of the force turns the tire. */
LOOP_TEST(a_tire_that_grips_goes_down_as_a_hoop_does, 0, ROUNDS(RATES, 1)) {
  static const double slopes[] = {5.0, 10.0, 20.0};
  for (int i = 0; i < ROUNDS(3, 1); ++i) {
    sim_run* run = run_on_slope(slopes[i], 0.8, rates[_i], 2.0);
    const double way = 0.5 * gravity_along(slopes[i]) / (1.0 + inertia) * 2.0 * 2.0;
    ck_assert_double_eq_tol(result_of(run, "distance"), way, 0.05 * way);
    ck_assert_double_lt(fabs(result_of(run, "slip")), 0.01);
    ck_assert_double_eq_tol(result_of(run, "turns"), way / (2.0 * PI * 0.35), 0.1);
  }
}

/* Slip condition: friction below tan(slope) / (1 + 1 / inertia). */
LOOP_TEST(a_tire_that_slips_is_braked_by_friction_alone_and_turned_by_it, 0, ROUNDS(RATES, 1)) {
  const double slope = 30.0, friction = 0.1;
  sim_run* run = run_on_slope(slope, friction, rates[_i], 2.0);
  const double braked = friction * gravity_against(slope);
  const double way = 0.5 * (gravity_along(slope) - braked) * 2.0 * 2.0;
  const double turns = 0.5 * braked / (inertia * 0.35) * 2.0 * 2.0 / (2.0 * PI);
  ck_assert_double_eq_tol(result_of(run, "distance"), way, 0.03 * way);
  ck_assert_double_eq_tol(result_of(run, "turns"), turns, 0.1 * turns);
  ck_assert_double_gt(result_of(run, "slip"), 0.5);
}

LOOP_TEST(a_tire_on_ice_slides_and_does_not_turn, 0, ROUNDS(RATES, 1)) {
  sim_run* run = run_on_slope(10.0, 0.0, rates[_i], 2.0);
  const double way = 0.5 * gravity_along(10.0) * 2.0 * 2.0;
  ck_assert_double_eq_tol(result_of(run, "distance"), way, 0.01 * way);
  ck_assert_double_lt(fabs(result_of(run, "turns")), 0.05);
}

/* Bounds on all samples, not on the last state only: no speed above free fall over the whole
 * height. */
LOOP_TEST(tires_run_out_on_the_level_and_come_to_rest_round, 0, 1) {
  const sim_case c = {.name = "tire", .seconds = 26.0, .rate = rates[_i], .sets = {"tires=2"}};
  sim_run* run = new_sim_run(&c);
  for (double t = 0.25; t <= 26.0; t += 0.25) {
    run_until(run, t);
    require(result_of(run, "fastest") < 15.0);
    require(fabs(result_of(run, "distance")) < 15.1);
  }
  const sim_facts facts = facts_of(run);
  for (int axis = 0; axis < 2; ++axis) {
    ck_assert(facts.measures.lower[axis] >= (axis == 0 ? -15.36f : 0.0f));
    ck_assert(facts.measures.upper[axis] <= (axis == 0 ? 15.36f : 0.71f));
  }
  ck_assert_double_lt(result_of(run, "fastest"), 0.02);
  ck_assert_double_gt(result_of(run, "roundness"), 0.98);
  // turns down the slope and beyond
  ck_assert_double_gt(result_of(run, "turns"), 2.0);
}

LOOP_TEST(a_tire_that_is_squashed_gets_round_again, RATES - 1, RATES) {
  const sim_case c = {.name = "tire",
                      .seconds = 20.0,
                      .rate = rates[_i],
                      .sets = {"tires=1", "drop=5", "slope=0", "level=0"}};
  sim_run* run = new_sim_run(&c);
  run_until(run, 2.0);
  ck_assert_double_lt(result_of(run, "least_roundness"), 0.9);
  run_to_the_end(run);
  ck_assert_double_gt(result_of(run, "roundness"), 0.98);
  ck_assert_double_lt(result_of(run, "fastest"), 0.02);
}

LOOP_TEST(a_wall_stops_a_tire, 0, 1) {
  const sim_case c = {.name = "tire",
                      .seconds = 12.0,
                      .rate = rates[_i],
                      .sets = {"tires=1", "drop=0", "level=0", "wall=4"}};
  sim_run* run = new_sim_run(&c);
  run_to_the_end(run);
  // the tire leans on the wall, as flat there as on the floor
  ck_assert_double_eq_tol(result_of(run, "distance"), 4.0, 0.02);
  ck_assert_double_lt(result_of(run, "fastest"), 0.02);
  ck_assert_double_gt(result_of(run, "roundness"), 0.98);
}
