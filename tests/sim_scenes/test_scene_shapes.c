/* The scene `shapes`: bodies in the box come to rest undeformed, friction stops sliding ones, and
 * composites are lifted and removed as a whole. */
#include "support/sim_runs.h"
#include "support/test.h"

#define GRAVITY 9.81

// two step rates, by a factor of four, around the default
static const double rates[] = {30.0, 120.0};
enum { RATES = sizeof rates / sizeof rates[0], KINDS = 5, COMPOSITE = 3 };

/* Particle ranges of the bodies, one of each kind in order: a circle of 16 with a hub, a box, a
 * triangle, a house. */
enum { FIRST_OF_HOUSE = 17 + 4 + 3, OF_HOUSE = 5 };

LOOP_TEST(all_that_falls_into_the_box_comes_to_rest_in_its_shape, 0, ROUNDS(RATES, 1)) {
  const sim_case c = {
      .name = "shapes", .seconds = 16.0, .rate = rates[_i], .sets = {"count=5", "remove=0"}};
  sim_run* run = new_sim_run(&c);
  for (double t = 0.5; t <= 16.0; t += 0.5) {
    run_until(run, t);
    const sim_facts facts = facts_of(run);
    // speed bound from drop, lift and throw
    require(result_of(run, "fastest") < 15.0);
    require(result_of(run, "strain") < 0.15);
    require(facts.measures.lower[1] >= 0.0f && facts.measures.upper[1] < 3.5f);
    require(facts.measures.lower[0] > -3.0f && facts.measures.upper[0] < 7.0f);
  }
  ck_assert_double_eq(result_of(run, "standing"), KINDS);
  ck_assert_double_lt(result_of(run, "fastest"), 0.02);
  ck_assert_double_lt(result_of(run, "strain"), 0.005);
}

/* Stopping distance v^2 / (2 friction g), for any shape. */
LOOP_TEST(what_slides_is_stopped_by_friction, 0, ROUNDS(RATES, 1)) {
  static const double speeds[] = {1.0, 2.0, 4.0};
  for (int i = 0; i < 3; ++i) {
    char thrown[64];
    snprintf(thrown, sizeof thrown, "throw=%g", speeds[i]);
    const sim_case c = {
        .name = "shapes",
        .seconds = 3.0,
        .rate = rates[_i],
        .sets = {"count=3", "drop=0", "tilt=0", "damping=0", "room=100", "friction=0.5", thrown}};
    sim_run* run = new_sim_run(&c);
    run_to_the_end(run);
    const double way = speeds[i] * speeds[i] / (2.0 * 0.5 * GRAVITY);
    ck_assert_double_eq_tol(result_of(run, "box_moved"), way, 0.03 * way);
    ck_assert_double_eq_tol(result_of(run, "triangle_moved"), way, 0.03 * way);
    // the circle rolls on
    ck_assert_double_gt(result_of(run, "circle_moved"), 1.5 * way);
  }
}

static void get_house(const sim_run* run, float house[OF_HOUSE][3]) {
  expect_ok(weft_world_get_positions(sim_run_world(run), FIRST_OF_HOUSE, OF_HOUSE, house[0]));
}

LOOP_TEST(composites_are_lifted_and_taken_out_as_one, 0, ROUNDS(RATES, 1)) {
  const sim_case c = {.name = "shapes",
                      .seconds = 16.0,
                      .rate = rates[_i],
                      .sets = {"count=5", "lift=6", "height=3", "remove=13"}};
  sim_run* run = new_sim_run(&c);
  float before[OF_HOUSE][3], after[OF_HOUSE][3];
  run_until(run, 6.0);
  get_house(run, before);
  run_until(run, 6.0 + 1.0 / rates[_i]);
  get_house(run, after);
  for (int i = 0; i < OF_HOUSE; ++i) {
    ck_assert_float_eq_tol(after[i][0], before[i][0], 2e-3f);
    // lift of 3 metres, less one step of free fall
    ck_assert_float_eq_tol(after[i][1], before[i][1] + 3.0f, 0.02f);
  }
  // the house falls and stands again
  run_until(run, 13.0);
  ck_assert_double_eq(result_of(run, "standing"), KINDS);
  ck_assert_double_lt(result_of(run, "strain"), 0.005);
  get_house(run, before);
  run_until(run, 16.0);
  get_house(run, after);
  ck_assert_mem_eq(before, after, sizeof before);
  ck_assert_double_eq(result_of(run, "standing"), KINDS - 1);
}

/* The skin stretches until its tension balances the pressure: p r / 2, in newtons a metre. */
LOOP_TEST(a_ball_with_gas_in_it_stands_up_and_one_without_does_not, 0, ROUNDS(RATES, 1)) {
  double volume[2];
  for (int i = 0; i < 2; ++i) {
    const sim_case c = {.name = "shapes",
                        .seconds = 8.0,
                        .rate = rates[_i],
                        .sets = {"count=5", i == 0 ? "pressure=500" : "pressure=0"}};
    sim_run* run = new_sim_run(&c);
    run_to_the_end(run);
    volume[i] = result_of(run, "volume");
  }
  // for small strain the relative volume change is three times the strain
  const double strain = 500.0 * 0.25 / (2.0 * 5000.0);
  ck_assert_double_eq_tol(volume[0], 1.0 + 3.0 * strain, 1.5 * strain);
  ck_assert_double_lt(volume[1], 0.9);
}

TEST(a_gas_that_needs_shorter_steps_is_refused) {
  const char* sets[] = {"mass=0.01"};
  sim_settings settings = sim_default_settings();
  sim_run* run = NULL;
  tool_message why;
  settings.sets = sets;
  settings.set_count = 1;
  ck_assert_int_eq(sim_run_create("shapes", &settings, &run, &why), SIM_FAILED);
  ck_assert_str_eq(why.text,
                   "balls of this size, mass and pressure need 382 steps a second or more");
  settings.rate = 382.0;
  ck_assert_int_eq(sim_run_create("shapes", &settings, &run, &why), SIM_OK);
}
