/* Bending of meshes by the direct solver: shape at any resolution, changes, limits. */
#include "support/bend_scenes.h"
#include "support/saved.h"
#include "support/test.h"

enum { ACROSS = 5 };

// A strip in the plane y = 0, 32 cm along z from its second row, 4 cells across; inner vertices are
// displaced and cells cut along either diagonal at random.
static weft_scene* new_strip(uint32_t rows, double spacing, const weft_material_def* material) {
  random_source random = {rows};
  float* positions = test_alloc(sizeof(float[3]) * ACROSS * rows);
  uint32_t* triangles = test_alloc(sizeof(uint32_t[6]) * ACROSS * rows);
  uint32_t corners = 0;
  for (uint32_t i = 0; i < ACROSS * rows; ++i) {
    const uint32_t row = i / ACROSS, column = i % ACROSS;
    const bool inner = row > 1 && row + 1 < rows && column > 0 && column + 1 < ACROSS;
    const float reach = inner ? 0.25f : 0.0f;
    positions[3 * i] =
        (float)spacing * ((float)column + reach * random_float(&random, -1.0f, 1.0f));
    positions[3 * i + 1] = 0.0f;
    positions[3 * i + 2] =
        (float)spacing * ((float)row + reach * random_float(&random, -1.0f, 1.0f));
    if (row + 1 == rows || column + 1 == ACROSS) continue;
    const uint32_t a = i, b = i + 1, c = i + ACROSS, d = c + 1;
    const bool falls = random_float(&random, 0.0f, 1.0f) < 0.5f;
    const uint32_t cell[6] = {a, c, falls ? d : b, falls ? a : b, falls ? d : c, falls ? b : d};
    memcpy(triangles + corners, cell, sizeof(cell));
    corners += 6;
  }
  weft_scene* scene = new_scene();
  (void)add_mesh_body(scene, .positions = positions, .vertex_count = ACROSS * rows,
                      .triangles = triangles, .triangle_count = corners / 3, .material = material);
  return scene;
}

LOOP_TEST(a_mesh_bends_alike_at_any_resolution, 0, LONG_RUN(9)) {
  // height over width of theta'' = -weight (1 - s) cos theta, theta(0) = 0, theta'(1) = 0
  static const struct {
    double spacing, weight, shape, tolerance;
  } cases[] = {{0.02, 1.0, 0.1246, 0.02},
               {0.02, 10.0, 1.067, 0.02},
               {0.01, 5.0, 0.5857, 0.02},
               {0.01, 20.0, 1.864, 0.02},
               {0.005, 1.0, 0.1246, 0.02},
               {0.005, 10.0, 1.067, 0.02},
               // limp strips turn down at the clamp, within one of these cells
               {0.02, 100.0, 5.888, 0.04},
               {0.02, 500.0, 14.773, 0.08},
               {0.01, 500.0, 14.773, 0.05}};
  const double spacing = cases[_i].spacing, length = 0.32;
  const uint32_t rows = (uint32_t)lround(length / spacing) + 2;
  weft_material_def material = bend_material(0.0f);
  material.bend_stiffness =
      (float)((double)material.density * 9.81 * pow(length, 3.0) / cases[_i].weight);
  weft_scene* scene = new_strip(rows, spacing, &material);
  expect_ok(weft_scene_pin(scene, 0, 2 * ACROSS));
  weft_world_def def = direct_def();
  def.damping = 5.0f;
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, 270);
  float tip[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, ACROSS * (rows - 1) + ACROSS / 2, 1, tip);
  const double shape = -(double)tip[1] / ((double)tip[2] - spacing);
  ck_assert_double_eq_tol(shape / cases[_i].shape, 1.0, cases[_i].tolerance);
}

LOOP_TEST(a_free_mesh_keeps_its_momentum_and_gains_no_energy, 0, LONG_RUN(3)) {
  const float stiffness[] = {1e-5f, 1e-2f, 1e6f};
  // at the limit of stiffness the rounding of factors is seen: 7 mm/s after 5 s
  const double tolerances[] = {2e-3, 5e-3, 0.3};
  random_source random = {3};
  const weft_material_def material = bend_material(stiffness[_i]);
  weft_scene* scene = new_strip(30, 0.01, &material);
  crumple(scene, &random, 0.004f);
  weft_world_def def = direct_def();
  def.gravity[1] = 0.0f;
  def.damping = 0.0f;
  weft_world* world = new_world(&def, scene);
  weft_measures first, last;
  weft_world_step(world, 1);
  expect_ok(weft_world_measure(world, &first));
  weft_world_step(world, 300);
  expect_ok(weft_world_measure(world, &last));
  ck_assert_double_lt(last.kinetic, 1.2 * first.kinetic);
  const double scale = sqrt(2.0 * first.kinetic * 150 * 0.2e-4);
  for (int axis = 0; axis < 3; ++axis) {
    ck_assert_double_lt(fabs(last.momentum[axis] - first.momentum[axis]), tolerances[_i] * scale);
  }
}

// hash after 4 steps with this limit
static uint64_t hash_with(const weft_scene* scene, uint32_t limit) {
  weft_world_def def = direct_def();
  def.direct_bends = limit;
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, 4);
  return weft_world_hash(world);
}

TEST(meshes_above_the_limit_and_with_creases_or_tears_are_swept) {
  weft_material_def material = bend_material(1e-3f);
  weft_scene* scene = new_strip(10, 0.01, &material);
  ck_assert_uint_eq(hash_with(scene, 0), hash_with(scene, 10 * ACROSS - 1));
  ck_assert_uint_ne(hash_with(scene, 0), hash_with(scene, 10 * ACROSS));
  material.crease_angle = 0.5f;
  scene = new_strip(10, 0.01, &material);
  ck_assert_uint_eq(hash_with(scene, 0), hash_with(scene, 10 * ACROSS));
}
