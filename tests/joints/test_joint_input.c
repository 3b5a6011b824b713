/* Invalid arguments of the joint calls: correct error, state unchanged. */
#include "support/joined.h"
#include "support/test.h"

enum { CLOTH = 30 };

static weft_world* new_small_world(void) {
  return new_world_of(new_sheet_scene(6, 5, ALL_FAMILIES));
}

static void expect_refusal(weft_world* world, const weft_joint_def* def, weft_error error,
                           const char* field, uint64_t index) {
  weft_joint joint = {99, 0};
  expect_error_at(weft_world_add_joint(world, def, &joint), error, field, index);
  ck_assert_uint_eq(joint.index, 99);
  ck_assert_uint_eq(whole_joints(world), 0);
}

TEST(weights_sum_to_one) {
  weft_world* world = new_small_world();
  weft_joint_def def = joint_between(0, 1);
  def.to[1] = 2;
  def.weights[0] = 0.5f;
  expect_refusal(world, &def, WEFT_ERROR_RANGE, "weft_joint_def.weights", 0);
  def.weights[1] = 0.51f;
  expect_refusal(world, &def, WEFT_ERROR_RANGE, "weft_joint_def.weights", 0);
  def.weights[1] = 0.50001f;
  (void)add_joint(world, &def);
}

TEST(particles_must_exist_and_differ_unless_they_weigh_nothing) {
  const uint32_t beyond[] = {CLOTH, CLOTH + 1, UINT32_MAX};
  weft_world* world = new_small_world();
  weft_joint_def good = joint_between(0, 1);
  good.to[1] = 2;
  good.to[2] = 3;
  good.weights[0] = 0.25f;
  good.weights[1] = 0.25f;
  good.weights[2] = 0.5f;
  for (int i = 0; i < 3; ++i) {
    weft_joint_def def = good;
    def.particle = beyond[i];
    expect_refusal(world, &def, WEFT_ERROR_INDEX, "weft_joint_def.particle", 0);
    def = good;
    def.to[i] = beyond[i];
    expect_refusal(world, &def, WEFT_ERROR_INDEX, "weft_joint_def.to", (uint64_t)i);
    def.to[i] = def.particle;
    expect_refusal(world, &def, WEFT_ERROR_SELF_LINK, "weft_joint_def.to", (uint64_t)i);
    def = good;
    def.to[(i + 1) % 3] = def.to[i];
    expect_refusal(world, &def, WEFT_ERROR_DUPLICATE, "weft_joint_def.to", i == 0 ? 1 : 2);
  }
  weft_joint_def def = joint_between(0, 1);
  def.to[1] = UINT32_MAX;
  def.to[2] = 1;
  (void)add_joint(world, &def);
  weft_world_step(world, 2);
}

TEST(a_range_of_lengths_and_null_are_refused) {
  weft_world* world = new_small_world();
  weft_joint_def def = joint_between(0, 1);
  weft_joint joint;
  def.mode = WEFT_LINK_MODE_RANGE;
  expect_refusal(world, &def, WEFT_ERROR_RANGE, "weft_joint_def.mode", 0);
  def = joint_between(0, 1);
  expect_null(weft_world_add_joint(NULL, &def, &joint), "world");
  expect_null(weft_world_add_joint(world, NULL, &joint), "def");
  expect_null(weft_world_add_joint(world, &def, NULL), "joint");
}
