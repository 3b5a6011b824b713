/* Numbers beyond the largest magnitude are refused by the name of their argument. Fields of defs
 * are in test_defs.c, arrays over particles in test_ranges.c; that worlds stay finite below it is
 * for random programs: see tests/fuzz/test_programs.c. */
#include "support/test.h"

enum { FREE = 36 };

LOOP_TEST(numbers_beyond_the_largest_magnitude_are_refused_by_name, 0, 3) {
  static const float too_large[] = {1.0001f * WEFT_MAX_MAGNITUDE, 1.9e19f, 3.4e38f};
  const float far[3] = {0.0f, 0.0f, too_large[_i]}, here[3] = {0.0f};
  weft_scene* scene = new_cloth_scene(.side = 6);
  const float positions[6] = {0.0f, 1.0f, 0.0f, 0.0f, 2.0f, 0.0f}, inverse_masses[2] = {0.0f, 1.0f};
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, 2, NULL));

  expect_error_at(weft_scene_add_particles(scene, far, inverse_masses, 1, NULL), WEFT_ERROR_RANGE,
                  "positions", 0);
  weft_link_def link = {.a = FREE, .b = FREE + 1, .rest_length = far[2], .relaxation = 1.0f};
  expect_error(weft_scene_add_links(scene, &link, 1, NULL), WEFT_ERROR_RANGE, "links");
  link.rest_length = 1.0f;
  link.mode = WEFT_LINK_MODE_RANGE;
  link.max_length = far[2];
  expect_error(weft_scene_add_links(scene, &link, 1, NULL), WEFT_ERROR_RANGE, "links");
  const float corners[9] = {0.0f, 0.0f, 0.0f, far[2], 0.0f, 0.0f, 0.0f, 1.0f, 0.0f};
  static const uint32_t triangle[3] = {0, 1, 2};
  const weft_mesh_def mesh =
      mesh_def(.positions = corners, .vertex_count = 3, .triangles = triangle, .triangle_count = 1);
  expect_error_at(weft_scene_add_mesh(scene, &mesh, NULL), WEFT_ERROR_RANGE,
                  "weft_mesh_def.positions", 1);

  weft_world* world = new_world_of(scene);
  weft_grip grip;
  expect_error_at(weft_world_add_grip(world, far, 1e-3f, &grip), WEFT_ERROR_RANGE, "place", 2);
  expect_ok(weft_world_add_grip(world, here, 0.1f, &grip));
  expect_error_at(weft_world_move_grip(world, grip, far), WEFT_ERROR_RANGE, "place", 2);
  expect_error_at(weft_world_add(world, WEFT_ATTRIBUTE_POSITION, weft_range(8, 12), far, WEFT_SAME),
                  WEFT_ERROR_RANGE, "values", 0);
  expect_error_at(weft_world_set_gravity(world, far), WEFT_ERROR_RANGE, "gravity", 2);
  const weft_collider ball = put_collider(world, .shape = WEFT_COLLIDER_SHAPE_SPHERE);
  expect_error_at(weft_world_move_collider(world, ball, far, NULL), WEFT_ERROR_RANGE, "position",
                  2);
  expect_error_at(steer_collider(world, ball, far, NULL), WEFT_ERROR_RANGE,
                  "weft_collider_def.velocity", 2);
  const float points[12] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f,
                            0.0f, 1.0f, 0.0f, 0.0f, 0.0f, far[2]};
  weft_collider_def hull = collider_def(.shape = WEFT_COLLIDER_SHAPE_HULL);
  weft_collider added;
  hull.points = points;
  hull.point_count = 4;
  expect_error_at(weft_world_add_collider(world, &hull, &added), WEFT_ERROR_RANGE,
                  "weft_collider_def.points", 3);
  weft_collider_def field = collider_def(.shape = WEFT_COLLIDER_SHAPE_HEIGHTFIELD);
  const float samples[4] = {0.0f, 0.0f, far[2], 0.0f};
  field.samples = samples;
  field.size[0] = field.size[2] = 2;
  expect_error_at(weft_world_add_collider(world, &field, &added), WEFT_ERROR_RANGE,
                  "weft_collider_def.samples", 2);
}

// Columns of a sheet that begins at the largest magnitude lie beyond it.
TEST(a_sheet_that_reaches_beyond_the_largest_magnitude_is_refused) {
  weft_sheet_def def =
      sheet_def(.columns = 2, .rows = 2001, .spacing = 1e6f, .origin = {0.0f, 1e9f});
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_sheet(scene, &def, NULL));
  def.origin[1] = 0.5e9f;
  expect_error(weft_scene_add_sheet(scene, &def, NULL), WEFT_ERROR_RANGE, "weft_sheet_def.spacing");
}
