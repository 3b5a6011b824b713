/* Bodies that are shifted, and refused moves. */
#include "support/moved.h"
#include "support/ropes.h"
#include "support/test.h"

// ---- shift ----

LOOP_TEST(a_body_that_is_shifted_keeps_its_velocities_and_others_stay, 0, 3) {
  weft_scene* scene = new_sheet_scene(9, 7, ALL_FAMILIES);
  const weft_body body = add_sheet(scene, 8, 5, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, weft_range(body.first_particle + 3, 1)));
  (void)add_sheet(scene, 6, 6, ALL_FAMILIES);
  weft_world* world = new_world_with(scene, 1 + (uint32_t)_i);
  weft_world_step(world, 3);
  const uint32_t count = particle_count_of(world);
  float* before = new_positions(world);
  float* velocities_before = new_velocities(world);
  const float offset[3] = {1.5f, -0.25f, 0.3f};
  expect_add(world, WEFT_ATTRIBUTE_POSITION, body.first_particle, body.particle_count, offset,
             WEFT_SAME);
  float* now = new_positions(world);
  float* velocities = new_velocities(world);
  for (uint32_t i = 0; i < 3 * count; ++i) {
    const uint32_t particle = i / 3;
    const bool is_its =
        particle >= body.first_particle && particle < body.first_particle + body.particle_count;
    require(now[i] == before[i] + (is_its ? offset[i % 3] : 0.0f));
    require(fabsf(velocities[i] - velocities_before[i]) <= (is_its ? 1e-3f : 0.0f));
  }
}

// ---- refused input ----

static const float not_finite[] = {NAN, INFINITY, -INFINITY};

LOOP_TEST(a_move_that_cannot_be_is_refused, 0, 3) {
  weft_world* world = new_world_of(new_pinned_sheet());
  const uint32_t count = particle_count_of(world);
  const float good[3] = {0};
  expect_null(weft_world_set(NULL, WEFT_ATTRIBUTE_TARGET, weft_range(0, 1), good, 0), "world");
  expect_null(weft_world_set(world, WEFT_ATTRIBUTE_TARGET, weft_range(0, 1), NULL, 0), "values");
  expect_past_end(weft_world_set(world, WEFT_ATTRIBUTE_TARGET, weft_range(count, 1), good, 0));
  expect_past_end(weft_world_set(world, WEFT_ATTRIBUTE_TARGET, weft_range(UINT32_MAX, 1), good, 0));
  expect_error_at(weft_world_set(world, WEFT_ATTRIBUTE_TARGET, weft_range(0, 2), good, WEFT_SAME),
                  WEFT_ERROR_RANGE, "selection.first", 1);
  for (uint32_t axis = 0; axis < 3; ++axis) {
    float bad[3] = {0};
    bad[axis] = not_finite[_i];
    expect_error(weft_world_set(world, WEFT_ATTRIBUTE_TARGET, weft_range(0, 1), bad, 0),
                 WEFT_ERROR_NOT_FINITE, "values");
  }
}

LOOP_TEST(a_shift_that_cannot_be_is_refused, 0, 3) {
  weft_world* world = new_world_of(new_pinned_sheet());
  const uint32_t count = particle_count_of(world);
  const float good[3] = {1.0f, 2.0f, 3.0f};
  const weft_selection all = weft_range(0, count);
  expect_null(weft_world_add(NULL, WEFT_ATTRIBUTE_POSITION, all, good, WEFT_SAME), "world");
  expect_null(weft_world_add(world, WEFT_ATTRIBUTE_POSITION, all, NULL, WEFT_SAME), "values");
  const uint32_t past[2][2] = {{1, count}, {UINT32_MAX, UINT32_MAX}};
  for (int k = 0; k < 2; ++k) {
    const weft_selection behind = weft_range(past[k][0], past[k][1]);
    expect_past_end(weft_world_add(world, WEFT_ATTRIBUTE_POSITION, behind, good, WEFT_SAME));
  }
  for (uint32_t axis = 0; axis < 3; ++axis) {
    float bad[3] = {0};
    bad[axis] = not_finite[_i];
    expect_error(weft_world_add(world, WEFT_ATTRIBUTE_POSITION, all, bad, WEFT_SAME),
                 WEFT_ERROR_NOT_FINITE, "values");
  }
  expect_add(world, WEFT_ATTRIBUTE_POSITION, count, 0, good, WEFT_SAME);
}

TEST(a_shift_too_far_is_refused_and_moves_nothing) {
  weft_scene* scene = new_scene();
  const float positions[6] = {0.0f, 0.0f, 0.0f, 0.0f, 0.9e9f, 0.0f};
  const float inverse_masses[2] = {0.0f, 0.0f};
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, 2, NULL));
  weft_world* world = new_world_of(scene);
  const uint64_t hash = weft_world_hash(world);
  const float offset[3] = {1.0f, 0.9e9f, 0.0f};
  expect_error_at(
      weft_world_add(world, WEFT_ATTRIBUTE_POSITION, weft_range(0, 2), offset, WEFT_SAME),
      WEFT_ERROR_RANGE, "values", 1);
  ck_assert_uint_eq(weft_world_hash(world), hash);
}
