/* Snapshots of ranges of particles: environments of a world that are reset one by one. */
#include "support/collided.h"
#include "support/saved.h"
#include "support/test.h"

enum { SIDE = 12, TOWELS = 8, TOWEL = SIDE * SIDE };

// Towels apart, each above a sphere of its own, and three spheres that rest on each other.
static weft_world* new_environments(void) {
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = sheet_def(.side = SIDE, .spacing = 0.05f);
  for (uint32_t t = 0; t < TOWELS; ++t) {
    sheet.origin[0] = 2.0f * (float)t;
    expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  }
  for (uint32_t k = 0; k < 3; ++k) {
    const float place[3] = {-3.0f, 0.2f * (float)k, 0.001f * (float)k};
    const float inverse_mass = 1.0f;
    expect_ok(weft_scene_add_particles(scene, place, &inverse_mass, 1, NULL));
  }
  const weft_world_def def = weft_default_world_def();
  weft_world* world = new_world(&def, scene);
  weft_bounds_def bounds = weft_default_bounds_def();
  weft_particle_shape_def shape = sphere_contact(0.1f);
  bounds.lower[1] = -0.5f;
  bounds.surface.static_friction = bounds.surface.dynamic_friction = 0.5f;
  expect_ok(weft_world_set_bounds(world, &bounds));
  expect_ok(weft_world_set_particle_shape(world, weft_range(TOWELS * TOWEL, 3), &shape));
  shape.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  shape.half_size[0] = 0.01f;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, TOWELS * TOWEL), &shape));
  return world;
}

static uint64_t hash_range(const weft_world* world, uint32_t first, uint32_t count) {
  uint64_t hash = 0;
  for (uint32_t n = 0; n < count; ++n) {
    float row[6];
    expect_get(world, WEFT_ATTRIBUTE_POSITION, first + n, 1, row);
    expect_get(world, WEFT_ATTRIBUTE_VELOCITY, first + n, 1, row + 3);
    for (int k = 0; k < 6; ++k) {
      uint32_t bits = 0;
      memcpy(&bits, &row[k], sizeof(bits));
      hash = hash * 31 + bits;
    }
  }
  return hash;
}

// The first reset is that of a range that has been left as it was.
LOOP_TEST(a_range_goes_on_alike_after_each_reset_and_others_are_left_alone, 0, 2) {
  const uint32_t first = _i == 0 ? 3 * TOWEL : TOWELS * TOWEL;
  const uint32_t count = _i == 0 ? TOWEL : 3;
  weft_world* world = new_environments();
  weft_world* undisturbed = new_environments();
  weft_world_step(world, 10);
  weft_world_step(undisturbed, 10);
  saved_world saved = save_range(world, first, count);
  restore_range(world, &saved);
  weft_world_step(world, 40);
  weft_world_step(undisturbed, 40);
  const uint64_t hash = hash_range(world, first, count);
  for (int round = 0; round < 2; ++round) {
    weft_world_step(world, (uint32_t)(7 * round));
    weft_world_step(undisturbed, (uint32_t)(7 * round));
    const float velocity[3] = {0.3f, 0.5f, -0.2f};
    expect_set(world, WEFT_ATTRIBUTE_VELOCITY, first, count, velocity, WEFT_SAME);
    restore_range(world, &saved);
    weft_world_step(world, 40);
    weft_world_step(undisturbed, 40);
    ck_assert_uint_eq(hash_range(world, first, count), hash);
  }
  ck_assert_uint_eq(hash_range(world, 0, TOWEL), hash_range(undisturbed, 0, TOWEL));
}

TEST(ranges_with_removed_particles_and_foreign_ones_are_refused) {
  weft_world* world = new_environments();
  weft_scene* scene = new_sheet_scene(8, 8, ALL_FAMILIES);
  weft_world* other = new_world_of(scene);
  saved_world saved = save_range(world, TOWEL, 2 * TOWEL);
  const weft_body towel = {2 * TOWEL, TOWEL, 0, 0};
  size_t size = 0;
  expect_error(weft_world_restore(world, saved.bytes, saved.size), WEFT_ERROR_CORRUPT, "snapshot");
  expect_error(weft_world_restore_range(other, saved.bytes, saved.size), WEFT_ERROR_FOREIGN,
               "scene");
  expect_past_end(weft_world_get_range_size(world, 0, UINT32_MAX, &size));
  expect_ok(weft_world_remove_body(world, &towel));
  const uint64_t hash = weft_world_hash(world);
  expect_error_at(weft_world_restore_range(world, saved.bytes, saved.size), WEFT_ERROR_STALE,
                  "first", TOWEL);
  expect_error_at(weft_world_save_range(world, TOWEL, 2 * TOWEL, saved.bytes, saved.size, &size),
                  WEFT_ERROR_STALE, "first", TOWEL);
  saved.bytes[100] ^= 1;
  expect_error(weft_world_restore_range(world, saved.bytes, saved.size), WEFT_ERROR_CORRUPT,
               "snapshot");
  ck_assert_uint_eq(weft_world_hash(world), hash);
}
