/* Adding and removing joints, and results independent of the number of workers. */
#include "support/joined.h"
#include "support/test.h"

// ---- adding and removing ----

TEST(a_joint_that_was_removed_has_never_been) {
  uint64_t hashes[2];
  for (int i = 0; i < 2; ++i) {
    weft_world* world = new_world_of(new_sheet_scene(20, 20, ALL_FAMILIES));
    const weft_joint_def def = joint_between(3, 77);
    if (i == 1) {
      expect_ok(weft_world_remove_joint(world, add_joint(world, &def)));
      ck_assert_uint_eq(whole_joints(world), 0);
    }
    weft_world_step(world, 10);
    hashes[i] = weft_world_hash(world);
  }
  ck_assert_uint_eq(hashes[0], hashes[1]);
}

LOOP_TEST(a_world_has_as_many_joints_as_it_was_made_for, 0, 4) {
  weft_world_def world_def = weft_plain_world_def();
  const uint32_t rooms[] = {0, 1, 3, 64};
  world_def.max_joints = rooms[_i];
  weft_world* world = new_world(&world_def, new_sheet_scene(10, 10, ALL_FAMILIES));
  weft_joint_def def = joint_between(0, 1);
  weft_joint joint = {7, 0};
  for (uint32_t i = 0; i < rooms[_i]; ++i) {
    def.particle = i;
    def.to[0] = i + 1;
    ck_assert_uint_eq(add_joint(world, &def).index, i);
  }
  expect_error(weft_world_add_joint(world, &def, &joint), WEFT_ERROR_TOO_MANY,
               "weft_world_def.max_joints");
  ck_assert_uint_eq(joint.index, 7);
  ck_assert_uint_eq(whole_joints(world), rooms[_i]);
  weft_world_step(world, 3);
}

// ---- removed bodies ----

TEST(joints_at_a_body_that_is_taken_out_break) {
  const float positions[12] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
  const float inverse_masses[4] = {1, 1, 1, 1};
  const weft_world_def def = weft_plain_world_def();
  weft_world* world = new_particles(&def, positions, inverse_masses, 4);
  const weft_joint_def between = joint_between(0, 1);
  const weft_joint_def apart_from_it = joint_between(2, 3);
  const weft_joint gone = add_joint(world, &between);
  const weft_joint left = add_joint(world, &apart_from_it);
  const weft_body body = {.first_particle = 1, .particle_count = 1};
  expect_ok(weft_world_remove_body(world, &body));
  ck_assert(is_broken(world, gone) && !is_broken(world, left));
  ck_assert_uint_eq(whole_joints(world), 1);
}
