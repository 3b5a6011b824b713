/* The scene `shapes`: bodies in the box come to rest undeformed, friction stops sliding ones, and
 * composites are lifted and removed as a whole. */
#include "support/sim_runs.h"
#include "support/test.h"

// two step rates, by a factor of four, around the default
static const double rates[] = {30.0, 120.0};
enum { RATES = sizeof rates / sizeof rates[0], KINDS = 5, COMPOSITE = 3 };

/* Particle ranges of the bodies, one of each kind in order: a circle of 16 with a hub, a box, a
 * triangle, a house. */
enum { FIRST_OF_HOUSE = 17 + 4 + 3, OF_HOUSE = 5 };

static void get_house(const sim_run* run, float house[OF_HOUSE][3]) {
  expect_get(sim_run_world(run), WEFT_ATTRIBUTE_POSITION, FIRST_OF_HOUSE, OF_HOUSE, house[0]);
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
