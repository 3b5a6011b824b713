/* Every allocation of a call on an existing world may fail: the call then returns an error and
 * changes nothing. */
#include "support/ask.h"
#include "support/balls.h"
#include "support/busy.h"
#include "support/data_shapes.h"
#include "support/saved.h"
#include "support/shortage.h"
#include "support/snapshot.h"
#include "support/test.h"

// requires that a failed call leaves no trace: the next step equals that of an untouched world
static void expect_same_steps(weft_world* world, weft_world* other) {
  weft_world_step(world, 1);
  weft_world_step(other, 1);
  ck_assert(weft_world_hash(world) == weft_world_hash(other));
}

// ---- cuts, moves, colliders and bounds ----

TEST(a_restore_that_finds_no_memory_says_so_and_changes_nothing) {
  weft_scene* scene = new_busy_scene();
  const weft_world_def def = busy_def(WEFT_INTEGRATOR_POSITION_VERLET);
  weft_world* busy = new_world(&def, scene);
  weft_world* world = new_world(&def, scene);
  weft_world* untouched = new_world(&def, scene);
  weft_particle_shape_def cloth = weft_default_particle_shape_def();
  cloth.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  cloth.half_size[0] = 0.01f;
  cloth.collision = WEFT_COLLISION_EXACT;
  set_up_busy(busy);
  expect_ok(weft_world_set_particle_shape(busy, weft_range(0, 400), &cloth));
  weft_world_step(busy, 3);
  saved_world saved = save_world(busy);
  for (int n = 0; fails_after(n, weft_world_restore(world, saved.bytes, saved.size)); ++n) {
    expect_same_steps(world, untouched);
  }
  weft_world_step(world, 5);
  weft_world_step(busy, 5);
  ck_assert_uint_eq(weft_world_hash(world), weft_world_hash(busy));
}

// ---- queries ----

TEST(an_index_that_finds_no_memory_says_so_and_can_be_had_later) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 20, 20, ALL_FAMILIES);
  weft_world* world = new_world_of(scene);
  const float point[3] = {0.0f, 0.0f, 0.0f};
  uint32_t plain = 0;
  expect_ok(ask_sphere(world, point, 0.2f, NULL, 0, NULL, &plain));
  bool done = false;
  for (int n = 0; !done; ++n) {
    done = !fails_after(n, weft_world_build_index(world));
    // queries allocate nothing
    uint32_t count = 0;
    ck_assert(!fails_after(0, ask_sphere(world, point, 0.2f, NULL, 0, NULL, &count)));
    ck_assert_uint_eq(count, plain);
    ck_assert_int_lt(n, 10);
  }
  // rebuilding an index allocates nothing
  weft_world_step(world, 1);
  ck_assert(!fails_after(0, weft_world_build_index(world)));
}

// ---- shapes ----

TEST(a_collider_that_finds_no_memory_says_so_and_is_not_there) {
  random_source random = {9};
  const weft_world_def world_def = weft_plain_world_def();
  const weft_collider_def defs[] = {bumpy_mesh(&random, 0.1f), bumpy_field(&random, 0.1f),
                                    box_hull(&random), ball_grid()};
  weft_world* world = new_points(&world_def, (const float[3]){0.0f, 5.0f, 0.0f}, 1);
  weft_contact_stats stats;
  for (int k = 0; k < 4; ++k) {
    for (int n = 0;; ++n) {
      weft_collider added = {77, 0};
      allocations_left = n;
      const weft_result result = weft_world_add_collider(world, &defs[k], &added);
      const bool ran_out = allocations_left < 0;
      allocations_left = -1;
      expect_ok(weft_world_get_contact_stats(world, &stats));
      if (result.error == WEFT_OK && !ran_out) break;
      ck_assert_int_eq((int)result.error, WEFT_ERROR_OUT_OF_MEMORY);
      ck_assert(added.index == 77 && stats.collider_count == (uint32_t)k);
      ck_assert_int_lt(n, 1000);
    }
    ck_assert_uint_eq(stats.collider_count, (uint32_t)k + 1);
  }
}
