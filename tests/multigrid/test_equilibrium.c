/* Coarse levels speed up convergence of a cloth but do not change its equilibrium. */
#include "support/test.h"

// ---- strip under tension ----

enum { LOADS = 2, RESOLUTIONS = 3 };

static const uint32_t strip_columns[RESOLUTIONS] = {4, 6, 11};
static const float loads[LOADS] = {1.0f, 10.0f}; /* newtons */
static const float strip_width = 0.2f;           /* metres; the length is 1 metre */

// triangles of a grid of particles with alternating diagonals
static void add_grid_mesh(weft_scene* scene, uint32_t columns, uint32_t rows, float spacing,
                          const weft_material_def* material) {
  float* positions = test_alloc(sizeof(float[3]) * columns * rows);
  uint32_t* triangles = test_alloc(sizeof(uint32_t[6]) * columns * rows);
  uint32_t count = 0;
  for (uint32_t i = 0; i < columns * rows; ++i) {
    positions[3 * (size_t)i] = spacing * (float)(i % columns);
    positions[3 * (size_t)i + 1] = -spacing * (float)(i / columns);
    positions[3 * (size_t)i + 2] = 0.0f;
    if (i % columns + 1 == columns || i / columns + 1 == rows) continue;
    const uint32_t a = i, b = i + 1, c = i + columns, d = i + columns + 1;
    const uint32_t corners[2][6] = {{a, c, b, b, c, d}, {a, c, d, a, d, b}};
    const uint32_t* chosen = corners[(i % columns + i / columns) % 2];
    for (uint32_t k = 0; k < 6; ++k) triangles[3 * (size_t)count + k] = chosen[k];
    count += 2;
  }
  (void)add_mesh_body(scene, .positions = positions, .vertex_count = columns * rows,
                      .triangles = triangles, .triangle_count = count, .material = material);
}

static weft_scene* new_cloth(bool is_mesh, uint32_t columns, uint32_t rows, float spacing,
                             const weft_material_def* material) {
  weft_scene* scene = new_scene();
  if (is_mesh) {
    add_grid_mesh(scene, columns, rows, spacing, material);
    return scene;
  }
  (void)add_cloth(scene, .columns = columns, .rows = rows, .spacing = spacing,
                  .material = material);
  return scene;
}

// length at rest of a strip that is held at one end and loaded at the other
static double pulled_length(bool is_mesh, uint32_t columns, float load, uint32_t coarse) {
  const uint32_t rows = 5 * (columns - 1) + 1;
  const weft_material_def material = weft_default_material_def();
  weft_scene* scene =
      new_cloth(is_mesh, columns, rows, strip_width / (float)(columns - 1), &material);
  expect_ok(weft_scene_pin(scene, weft_range(0, columns)));
  weft_world* world = new_plain_world(scene, .weightless = true, .substeps = 8, .iterations = 8,
                                      .coarse_iterations = coarse, .damping = 3.0f);
  const uint32_t last_row = (rows - 1) * columns;
  for (uint32_t step = 0; step < 200; ++step) {
    for (uint32_t i = 0; i < columns; ++i) {
      const float share = i == 0 || i + 1 == columns ? 0.5f : 1.0f;
      const float force[3] = {0.0f, -load * share / (float)(columns - 1), 0.0f};
      expect_add(world, WEFT_ATTRIBUTE_FORCE, last_row + i, 1, force, 0);
    }
    weft_world_step(world, 1);
  }
  float* positions = new_positions(world);
  double length = 0.0;
  for (uint32_t i = 0; i < columns; ++i) {
    length -= (double)positions[3 * (size_t)(last_row + i) + 1] / columns;
  }
  return length;
}

// Length 1 + load / (width x stiffness), and never below 1. A mesh stretches more than a sheet
// because its links are not parallel to the strip.
LOOP_TEST(a_pulled_strip_is_as_long_with_coarse_levels_as_its_material_says, 0,
          2 * LOADS * RESOLUTIONS) {
  const bool is_mesh = _i >= LOADS * RESOLUTIONS;
  const uint32_t columns = strip_columns[_i % RESOLUTIONS];
  const float load = loads[_i / RESOLUTIONS % LOADS];
  const double stiffness = (double)weft_default_material_def().stretch_stiffness;
  const double expected = 1.0 + (double)load / ((double)strip_width * stiffness);
  const double length = pulled_length(is_mesh, columns, load, 8);
  ck_assert_double_gt(length, 1.0);
  ck_assert_double_eq_tol(length, expected, is_mesh ? 0.02 : 0.002);
}
