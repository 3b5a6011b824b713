/* CCD of cloth against cloth: nothing passes. */
#include "support/ccd_sheets.h"
#include "support/passing.h"
#include "support/test.h"

// a sheet thrown onto another, whose shape is set before, or only while the first falls
static void check_joining(bool joins_late) {
  enum { SIDE = 9, COUNT = SIDE * SIDE };
  weft_world_def def = faces_def();
  weft_scene* scene = new_scene();
  add_flat(scene, SIDE, 0.0f);
  add_flat(scene, SIDE, 0.1f);
  weft_world* world = new_world(&def, scene);
  const weft_particle_shape_def contact = cloth_contact();
  weft_particle_shape_def ghost = contact;
  ghost.collision = WEFT_COLLISION_SOFT;
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 2 * COUNT), &contact));
  if (joins_late) expect_ok(weft_world_set_particle_shape(world, weft_range(0, COUNT), &ghost));
  pin_rim(world, SIDE);
  weft_world_step(world, 1);
  // fewer particles than the world has: a step builds clusters, or finds them unchanged
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, COUNT - 1), &contact));
  expect_ok(weft_world_set_particle_shape(world, weft_range(COUNT - 1, 1), &contact));
  weft_world_step(world, 30);
  face_mesh mesh = new_sheet_mesh(SIDE, SIDE, 2);
  float* positions = new_positions(world);
  require(contact_stats_of(world).ccd_hits > 0);
  require(count_crossings(&mesh, positions) == 0);
  for (uint32_t i = COUNT; i < 2 * COUNT; ++i) require(positions[3 * i + 1] > -0.1f);
}

TEST(cloth_that_joins_while_the_world_runs_holds_what_falls_on_it) {
  check_joining(false);
  check_joining(true);
}

// Filters of a level sheet, and of the upper and the lower half of one that crosses it upright.
typedef struct crossing_filters {
  uint32_t category[3], mask[3];
  uint32_t environment; /* of the upright sheet */
  bool is_crossing;
} crossing_filters;

// Two sheets at rest without gravity; true if they are found to cross, and all stay in place if
// they are not.
static bool is_found_to_cross(const crossing_filters* filters) {
  enum { SIDE = 7, COUNT = SIDE * SIDE, UPPER = 4 * SIDE };
  weft_world_def def = faces_def();
  def.gravity[1] = 0.0f;
  weft_scene* scene = new_scene();
  add_flat(scene, SIDE, 0.0f);
  const weft_body body =
      add_cloth(scene, .side = SIDE, .spacing = SPACING,
                .origin = {-0.5f * SPACING * (float)(SIDE - 1) + 0.0017f, 3.5f * SPACING, 0.0031f});
  if (filters->environment > 0)
    expect_ok(weft_scene_set_environment(scene, &body, filters->environment));
  weft_world* world = new_world(&def, scene);
  const uint32_t first[4] = {0, COUNT, COUNT + UPPER, 2 * COUNT};
  for (int k = 0; k < 3; ++k) {
    weft_particle_shape_def contact = cloth_contact();
    contact.category = filters->category[k];
    contact.mask = filters->mask[k];
    expect_ok(weft_world_set_particle_shape(world, weft_range(first[k], first[k + 1] - first[k]),
                                            &contact));
  }
  float* start = new_positions(world);
  weft_world_step(world, 20);
  const bool is_found = contact_stats_of(world).crossings_found > 0;
  float* end = new_positions(world);
  for (uint32_t k = 0; k < 3 * 2 * COUNT && !is_found; ++k)
    require(fabsf(end[k] - start[k]) < 1e-6f);
  return is_found;
}

TEST(what_filters_let_pass_is_not_pulled_apart) {
  const crossing_filters cases[] = {
      {{1, 1, 1}, {1, 1, 1}, 0, true},   // all collide
      {{1, 2, 2}, {1, 2, 2}, 0, false},  // cloths with themselves alone
      {{1, 1, 1}, {2, 2, 2}, 0, false},  // none
      {{1, 1, 2}, {1, 3, 2}, 0, false},  // the lower half may be below
      {{1, 1, 1}, {1, 1, 1}, 1, false},  // environments
  };
  for (size_t n = 0; n < sizeof(cases) / sizeof(*cases); ++n) {
    require(is_found_to_cross(&cases[n]) == cases[n].is_crossing);
  }
}
