/* Refused input of the calls about colliders. */
#include "support/collided.h"
#include "support/test.h"

static weft_world* new_small_world(void) {
  const weft_world_def def = weft_plain_world_def();
  const float start[3] = {0.0f, 5.0f, 0.0f};
  return new_points(&def, start, 1);
}

static uint32_t count_of(const weft_world* world) {
  return contact_stats_of(world).collider_count;
}

TEST(sizes_that_a_shape_lacks_are_ignored) {
  weft_world* world = new_small_world();
  weft_collider_def plane = collider_of_shape(WEFT_COLLIDER_SHAPE_PLANE);
  plane.radius = plane.half_size[0] = NAN;
  (void)add_collider(world, &plane);
  weft_collider_def capsule = collider_of_shape(WEFT_COLLIDER_SHAPE_CAPSULE);
  capsule.half_size[0] = capsule.half_size[2] = NAN;
  (void)add_collider(world, &capsule);
  capsule.half_size[1] = 0.0f;
  weft_collider added;
  expect_error_at(weft_world_add_collider(world, &capsule, &added), WEFT_ERROR_RANGE,
                  "weft_collider_def.half_size", 1);
}

TEST(rotations_have_length_1) {
  weft_world* world = new_small_world();
  weft_collider_def def = weft_default_collider_def();
  def.rotation[3] = 1.0005f;
  const weft_collider added = add_collider(world, &def);
  float rotation[4];
  expect_ok(get_pose(world, added, NULL, rotation));
  ck_assert_float_eq(rotation[3], 1.0f);
  for (uint64_t k = 0; k < 4; ++k) {
    float bad[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    bad[k] = NAN;
    expect_error_at(weft_world_move_collider(world, added, NULL, bad), WEFT_ERROR_NOT_FINITE,
                    "rotation", k);
  }
  const float zero[4] = {0.0f};
  expect_error(weft_world_move_collider(world, added, NULL, zero), WEFT_ERROR_RANGE, "rotation");
}

TEST(null_is_refused) {
  weft_world* world = new_small_world();
  weft_collider added = {0};
  const weft_collider_def def = weft_default_collider_def();
  expect_null(weft_world_add_collider(NULL, &def, &added), "world");
  expect_null(weft_world_add_collider(world, NULL, &added), "def");
  expect_null(weft_world_add_collider(world, &def, NULL), "collider");
  ck_assert_uint_eq(count_of(world), 0);
}

TEST(the_lowest_free_index_comes_next) {
  weft_world* world = new_small_world();
  const weft_collider_def def = weft_default_collider_def();
  weft_collider added[4];
  for (uint32_t k = 0; k < 4; ++k) {
    added[k] = add_collider(world, &def);
    ck_assert_uint_eq(added[k].index, k);
  }
  expect_ok(weft_world_remove_collider(world, added[2]));
  expect_ok(weft_world_remove_collider(world, added[1]));
  const uint32_t expected[3] = {1, 2, 4};
  for (int k = 0; k < 3; ++k) ck_assert_uint_eq(add_collider(world, &def).index, expected[k]);
}

TEST(where_they_are_sent_is_checked) {
  weft_world* world = new_small_world();
  const weft_collider_def def = weft_default_collider_def();
  const weft_collider added = add_collider(world, &def);
  for (uint64_t axis = 0; axis < 3; ++axis) {
    float bad[3] = {0.0f, 0.0f, 0.0f};
    bad[axis] = NAN;
    expect_error_at(weft_world_move_collider(world, added, bad, NULL), WEFT_ERROR_NOT_FINITE,
                    "position", axis);
    expect_error_at(steer_collider(world, added, bad, NULL), WEFT_ERROR_NOT_FINITE,
                    "weft_collider_def.velocity", axis);
    expect_error_at(steer_collider(world, added, NULL, bad), WEFT_ERROR_NOT_FINITE,
                    "weft_collider_def.spin", axis);
    bad[axis] = 2e12f;
    expect_error_at(weft_world_move_collider(world, added, bad, NULL), WEFT_ERROR_RANGE, "position",
                    axis);
    expect_error_at(steer_collider(world, added, bad, NULL), WEFT_ERROR_RANGE,
                    "weft_collider_def.velocity", axis);
    bad[axis] = -2e6f;
    expect_error_at(steer_collider(world, added, NULL, bad), WEFT_ERROR_RANGE,
                    "weft_collider_def.spin", axis);
  }
  // a sphere has no points that could move
  weft_collider_def moving = def;
  moving.deforms = true;
  expect_error(weft_world_set_collider(world, added, &moving), WEFT_ERROR_RANGE,
               "weft_collider_def.deforms");
  expect_ok(weft_world_move_collider(world, added, NULL, NULL));
  expect_ok(steer_collider(world, added, NULL, NULL));
  weft_world_step(world, 2);
  float place[3];
  expect_ok(get_pose(world, added, place, NULL));
  for (int axis = 0; axis < 3; ++axis) ck_assert_float_eq(place[axis], 0.0f);
}
