/* The magnet against its closed form, and its state in a snapshot. */
#include "magnet.h"
#include "step/stage.h"
#include "support/saved.h"
#include "support/test.h"

static weft_world* new_particle(uint32_t substeps) {
  const float origin[3] = {0.0f, 0.0f, 0.0f}, inverse_mass = 1.0f;
  return new_plain_world(new_points_scene(origin, &inverse_mass, 1), .weightless = true,
                         .undamped = true, .substeps = substeps);
}

// Seconds to fall from rest at a distance of 1 m to 0.5 m, where the core of 0.01 m^2 is small:
// pi / 4 + 1 / 2 over sqrt(2 strength), the Kepler problem of no angular momentum.
TEST(a_particle_falls_as_a_body_to_the_sun) {
  const float point[3] = {1.0f, 0.0f, 0.0f};
  for (uint32_t substeps = 8; substeps <= 16; substeps *= 2) {
    weft_world* world = new_particle(substeps);
    expect_ok(weft_world_set_magnet(world, point, 1.0f));
    float at[3] = {0.0f, 0.0f, 0.0f};
    uint32_t steps = 0;
    for (; at[0] < 0.5f && steps < 600; ++steps) {
      weft_world_step(world, 1);
      expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 1, at);
    }
    ck_assert_double_eq_tol((double)steps / 60.0, (0.785398 + 0.5) / 1.414214, 0.03);
  }
}

TEST(a_snapshot_holds_the_magnet) {
  weft_world* world = new_particle(1);
  weft_world* fresh = new_particle(1);
  expect_ok(weft_world_set_magnet(world, (const float[3]){1.0f, 2.0f, 3.0f}, -5.0f));
  saved_world saved = save_world(world);
  restore_world(fresh, &saved);
  float point[3], strength;
  expect_ok(weft_world_get_magnet(fresh, point, &strength));
  ck_assert(strength == -5.0f && point[0] == 1.0f && point[1] == 2.0f && point[2] == 3.0f);
  weft_world_step(world, 10);
  weft_world_step(fresh, 10);
  ck_assert_uint_eq(weft_world_hash(fresh), weft_world_hash(world));
}

TEST(attributes_of_a_module_that_is_not_built_are_unsupported) {
  weft_world* world = new_particle(1);
  const weft_attribute attribute = WEFT_ATTRIBUTE_ORIENTATION;
  const weft_selection one = weft_range(0, 1);
  float turn[4] = {0.0f, 0.0f, 0.0f, 1.0f};
  if (weft__stages_attribute(attribute) != NULL) return;
  expect_error(weft_world_get(world, attribute, one, turn, 0), WEFT_ERROR_UNSUPPORTED, "attribute");
  expect_error(weft_world_set(world, attribute, one, turn, 0), WEFT_ERROR_UNSUPPORTED, "attribute");
  expect_error(weft_world_add(world, attribute, one, turn, 0), WEFT_ERROR_UNSUPPORTED, "attribute");
}
