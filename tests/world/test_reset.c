/* A world that is reset has the bits of a new one, whatever has been done to it. */
#include "support/busy.h"
#include "support/test.h"

#define STEPS ROUNDS(20, 5)

// hash over what can be read after some steps
static uint64_t run(weft_world* world, bool with_things) {
  weft_advance advance;
  uint32_t links[8] = {0}, count = 0;
  if (with_things) set_up_busy(world);
  weft_world_step(world, STEPS);
  expect_ok(weft_world_advance(world, 20000000, &advance));
  const weft_world_stats stats = stats_of(world);
  expect_ok(weft_world_take_torn(world, 8, links, &count));
  const weft_contact_stats contacts = contact_stats_of(world);
  uint64_t hash = weft_world_hash(world);
  const uint64_t rest[] = {stats.step_count,
                           stats.torn_count,
                           stats.joint_count,
                           stats.lost_events,
                           contacts.collider_count,
                           contacts.particle_pairs,
                           advance.steps,
                           count,
                           links[0],
                           (uint64_t)((double)advance.interpolation * 0x1p24)};
  for (size_t i = 0; i < sizeof rest / sizeof rest[0]; ++i) hash = hash * 31 + rest[i];
  return hash;
}

LOOP_TEST(a_world_that_is_reset_has_the_bits_of_a_new_one, 0, WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1) {
  static const uint32_t workers[] = {1, 2, 3};
  weft_scene* scene = new_busy_scene();
  weft_world_def def = busy_def((weft_integrator)_i);
  uint64_t first[2] = {0, 0};
  for (machine m = {0}; next_machine_in_turn(&m, 3, _i);) {
    def.isa = m.isa;
    def.worker_count = workers[m.w];
    for (int things = m.isa % 2; things < 2; things += 2) {
      weft_world* world = new_world(&def, scene);
      weft_world* const same = world;
      const uint64_t fresh = run(world, things == 1);
      if (first[things] == 0) first[things] = fresh;
      ck_assert_uint_eq(fresh, first[things]);
      if (things == 0) set_up_busy(world);
      disturb_busy(world);
      expect_ok(weft_world_reset(world, scene));
      ck_assert_ptr_eq(world, same);
      ck_assert_uint_eq(run(world, things == 1), fresh);
      // and again
      expect_ok(weft_world_reset(world, scene));
      ck_assert_uint_eq(run(world, things == 1), fresh);
    }
  }
  ck_assert_uint_ne(first[0], first[1]);
}

TEST(a_world_may_be_reset_to_another_scene) {
  const weft_world_def def = weft_default_world_def();
  weft_scene* scene = new_busy_scene();
  weft_scene* other = new_scene_case(3);
  weft_world* world = new_world(&def, scene);
  weft_world* expected = new_world(&def, other);
  weft_world_step(world, 3);
  expect_ok(weft_world_reset(world, other));
  weft_world_step(world, 3);
  weft_world_step(expected, 3);
  ck_assert_uint_eq(weft_world_hash(world), weft_world_hash(expected));
}

TEST(a_reset_that_cannot_be_changes_nothing) {
  const weft_world_def def = weft_default_world_def();
  weft_scene* scene = new_busy_scene();
  weft_scene* empty = new_scene();
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, 3);
  const uint64_t hash = weft_world_hash(world);
  expect_null(weft_world_reset(NULL, scene), "world");
  expect_null(weft_world_reset(world, NULL), "scene");
  expect_error(weft_world_reset(world, empty), WEFT_ERROR_EMPTY, "scene");
  ck_assert_uint_eq(weft_world_hash(world), hash);
}
