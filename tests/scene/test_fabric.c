/* Measured fabrics. */
#include "support/test.h"

LOOP_TEST(a_fabric_is_found_by_its_name_and_no_other_has_it, 0, WEFT_FABRIC_COUNT) {
  weft_fabric_data data;
  weft_fabric found;
  expect_ok(weft_get_fabric_data((weft_fabric)_i, &data));
  expect_ok(weft_find_fabric(data.name, &found));
  ck_assert_int_eq(found, _i);
  require(data.composition[0] && data.source[0]);
}

LOOP_TEST(a_sheet_and_a_membrane_take_the_material_of_a_fabric, 0, WEFT_FABRIC_COUNT) {
  static const float corners[][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  static const uint32_t triangle[] = {0, 1, 2};
  weft_scene* scene = new_scene();
  weft_material_def material;
  weft_sheet_def sheet = weft_default_sheet_def();
  expect_ok(weft_fabric_material((weft_fabric)_i, false, &material));
  sheet.material = &material;
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  expect_ok(weft_fabric_material((weft_fabric)_i, true, &material));
  weft_mesh_def mesh = mesh_def(.positions = corners[0], .vertex_count = 3, .triangles = triangle,
                                .triangle_count = 1, .material = &material);
  mesh.warp[0] = 1.0f;
  expect_ok(weft_scene_add_mesh(scene, &mesh, NULL));
}

TEST(a_fabric_that_does_not_exist_is_refused_and_changes_nothing) {
  const weft_fabric none = (weft_fabric)WEFT_FABRIC_COUNT;
  weft_fabric_data data = {.density = 7.0f};
  weft_material_def material = {.density = 7.0f};
  weft_fabric found = WEFT_FABRIC_PONTE;
  expect_error_at(weft_get_fabric_data(none, &data), WEFT_ERROR_RANGE, "fabric", 0);
  expect_error_at(weft_fabric_material(none, false, &material), WEFT_ERROR_RANGE, "fabric", 0);
  expect_error_at(weft_find_fabric("Denim", &found), WEFT_ERROR_INDEX, "name", 0);
  expect_error_at(weft_find_fabric(NULL, &found), WEFT_ERROR_NULL, "name", 0);
  require(data.density == 7.0f && material.density == 7.0f && found == WEFT_FABRIC_PONTE);
}
