/* The scenes `ragdolls` and `crowd`: limbs keep their lengths, joints bend one way, all come to
 * rest. */
#include "support/sim_runs.h"
#include "support/test.h"

enum { PARTS = WEFT_RAGDOLL_PARTICLE_COUNT };

// particle ranges: the hanging figure first, the dragged one second
enum { HANGING, DRAGGED };

static void expect_whole(const sim_run* run) {
  ck_assert_double_lt(result_of(run, "worst_strain"), 0.04);
  ck_assert_double_lt(result_of(run, "strain"), 0.005);
  ck_assert_double_eq(result_of(run, "wrong_bends"), 0.0);
  ck_assert_double_lt(result_of(run, "worst_bend"), 3.0);
  ck_assert_double_gt(result_of(run, "head_gap"), -1e-5);
}

TEST(dragging_moves_the_one_that_is_dragged_and_no_other) {
  const sim_case c[2] = {{"ragdolls", .seconds = 5.0, .sets = {"count=4", "drag=2"}},
                         {"ragdolls", .seconds = 5.0, .sets = {"count=4", "drag=0"}}};
  float places[2][4 * PARTS][3];
  for (int i = 0; i < 2; ++i) {
    sim_run* run = new_sim_run(&c[i]);
    run_to_the_end(run);
    expect_whole(run);
    if (i == 0) ck_assert_double_gt(result_of(run, "dragged"), 1.2);
    if (i == 1) ck_assert_double_eq(result_of(run, "dragged"), 0.0);
    expect_get(sim_run_world(run), WEFT_ATTRIBUTE_POSITION, 0, 4 * PARTS, &places[i][0][0]);
  }
  for (int i = 0; i < 4 * PARTS; ++i) {
    const bool same = memcmp(places[0][i], places[1][i], sizeof places[0][i]) == 0;
    if (i / PARTS != DRAGGED) require(same);
  }
  const float* with = places[0][DRAGGED * PARTS + WEFT_RAGDOLL_HEAD];
  const float* without = places[1][DRAGGED * PARTS + WEFT_RAGDOLL_HEAD];
  ck_assert(fabsf(with[0] - without[0]) + fabsf(with[1] - without[1]) > 0.5f);
}
