/* Cloth in contact with itself comes to rest. */
#include "support/cloths.h"

// millimetres per second, root mean square by mass
static double speed_of(const weft_world* world) {
  weft_measures measures;
  expect_ok(weft_world_measure(world, &measures));
  return 1e3 * sqrt(2.0 * measures.kinetic / measures.mass);
}

typedef struct resting_case {
  uint32_t columns;
  uint32_t substeps;
  uint32_t seconds;
  double upper; /* millimetres per second */
} resting_case;

// A level sheet 1.95 m wide that falls on a sphere.
static weft_world* new_draped(const resting_case* c) {
  const float friction = 0.4f;
  weft_sheet_def sheet = weft_default_sheet_def();
  const weft_material_def material = weft_default_material_def();
  sheet.material = &material;
  sheet.columns = sheet.rows = c->columns;
  sheet.spacing = 1.95f / (float)(c->columns - 1);
  sheet.origin[1] = 0.6f;
  sheet.down[1] = 0.0f;
  sheet.down[2] = 1.0f;
  weft_scene* scene = new_scene();
  weft_body body;
  expect_ok(weft_scene_add_sheet(scene, &sheet, &body));
  weft_world_def def = weft_plain_world_def();
  def.substeps = c->substeps;
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  make_cloth(world, 0, body.particle_count, 0.56f * sheet.spacing, friction);
  weft_collider_def sphere = weft_default_collider_def();
  weft_collider added;
  sphere.position[0] = sphere.position[2] = 0.975f;
  sphere.radius = 0.5f;
  sphere.static_friction = sphere.dynamic_friction = friction;
  expect_ok(weft_world_add_collider(world, &sphere, &added));
  return world;
}

START_TEST(draped_cloth_in_contact_with_itself_calms_down) {
  // free corners swing for longer than contacts take to come to rest; the finest sheet trembles on
  // the sphere for ever
  static const resting_case cases[] = {
      {20, 1, 20, 4.0},
      {20, 4, 20, 8.0},
      {40, 4, 10, 20.0},
  };
  const resting_case* c = &cases[_i];
  weft_world* world = new_draped(c);
  weft_world_step(world, 60 * c->seconds);
  ck_assert_double_le(speed_of(world), c->upper);
  weft_world_destroy(&world);
}
END_TEST

SUITE(self_rest) {
  tcase_add_loop_test(tests, draped_cloth_in_contact_with_itself_calms_down, 0, 3);
}
