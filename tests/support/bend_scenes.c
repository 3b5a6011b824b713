#include "support/bend_scenes.h"

#include <math.h>
#include <stdlib.h>

#include "support/suite.h"

#define SPACING 0.01f

weft_material_def bend_material(float bend_stiffness) {
  return material_def(.bend_stiffness = bend_stiffness);
}

weft_world_def direct_def(void) {
  weft_world_def def = plain_def(.substeps = 16, .iterations = 8);
  def.solver.direct_bends = 10000;
  return def;
}

weft_body add_bend_sheet(weft_scene* scene, uint32_t columns, uint32_t rows, float bend_stiffness) {
  const weft_material_def material = bend_material(bend_stiffness);
  return add_cloth(scene, .columns = columns, .rows = rows, .spacing = SPACING,
                   .material = &material);
}

static void place_net(uint32_t columns, uint32_t rows, bool equilateral, float radius,
                      float* position) {
  const float height = equilateral ? sqrtf(0.75f) : 1.0f;
  for (uint32_t row = 0; row < rows; ++row) {
    const float shift = equilateral && row % 2 == 1 ? 0.5f : 0.0f;
    for (uint32_t column = 0; column < columns; ++column, position += 3) {
      const float x = SPACING * ((float)column + shift);
      position[0] = radius == 0.0f ? x : radius * sinf(x / radius);
      position[1] = -SPACING * height * (float)row;
      position[2] = radius == 0.0f ? 0.0f : radius * cosf(x / radius) - radius;
    }
  }
}

static uint32_t cut_net(uint32_t columns, uint32_t rows, bool equilateral, uint32_t* triangles) {
  uint32_t count = 0;
  for (uint32_t row = 0; row + 1 < rows; ++row) {
    for (uint32_t column = 0; column + 1 < columns; ++column) {
      const uint32_t a = row * columns + column;
      const uint32_t quad[4] = {a, a + columns, a + columns + 1, a + 1};
      // alternate rows and diagonals lean in opposite directions
      const uint32_t turn = equilateral && row % 2 == 0 ? 1 : 0;
      for (uint32_t half = 0; half < 2; ++half) {
        for (uint32_t k = 0; k < 3; ++k) triangles[count++] = quad[(turn + 2 * half + k) % 4];
      }
    }
  }
  return count / 3;
}

static weft_body add_net(weft_scene* scene, const weft_mesh_def* def, uint32_t columns,
                         uint32_t rows, bool equilateral, const float* positions) {
  uint32_t* triangles = test_alloc(sizeof(uint32_t[6]) * columns * rows);
  weft_mesh_def mesh = *def;
  mesh.positions = positions;
  mesh.vertex_count = columns * rows;
  mesh.triangles = triangles;
  mesh.triangle_count = cut_net(columns, rows, equilateral, triangles);
  weft_body body;
  expect_ok(weft_scene_add_mesh(scene, &mesh, &body));
  return body;
}

weft_body add_grid_mesh(weft_scene* scene, const weft_mesh_def* def, uint32_t columns,
                        uint32_t rows, const float* positions) {
  return add_net(scene, def, columns, rows, false, positions);
}

weft_body add_bend_net(weft_scene* scene, uint32_t columns, uint32_t rows, bool equilateral,
                       float radius, float bend_stiffness) {
  const weft_material_def material = bend_material(bend_stiffness);
  float* positions = test_alloc(sizeof(float[3]) * columns * rows);
  place_net(columns, rows, equilateral, radius, positions);
  const weft_mesh_def def = mesh_def(.material = &material);
  return add_net(scene, &def, columns, rows, equilateral, positions);
}

// fan of triangles around one vertex: all hinges share it, so no two may share a group
static void add_bend_fan(weft_scene* scene) {
  enum { RIM = 300 };
  const weft_material_def material = bend_material(1e-5f);
  float positions[3 * (RIM + 1)] = {0};
  uint32_t triangles[3 * RIM];
  for (uint32_t i = 0; i < RIM; ++i) {
    const float angle = 6.2831853f / RIM * (float)i;
    positions[3 * i + 3] = sinf(angle);
    positions[3 * i + 4] = cosf(angle);
    triangles[3 * i] = 0;
    triangles[3 * i + 1] = 1 + i;
    triangles[3 * i + 2] = 1 + (i + 1) % RIM;
  }
  (void)add_mesh_body(scene, .positions = positions, .vertex_count = RIM + 1,
                      .triangles = triangles, .triangle_count = RIM, .material = &material);
}

void crumple(weft_scene* scene, random_source* random, float size) {
  for (uint32_t i = 0; i < 3 * scene->particle_count; ++i) {
    scene->positions[i] += random_float(random, -size, size);
  }
}

weft_scene* new_bend_case(int number) {
  static const uint32_t sizes[][2] = {{1, 3},    {3, 1},    {2, 2},    {3, 3},
                                      {16, 16},  {33, 34},  {65, 70},  {64, 64},
                                      {128, 90}, {257, 65}, {37, 300}, {2049, 5}};
  weft_scene* scene = new_scene();
  if (number == BEND_CASES - 1) {
    add_bend_fan(scene);
    return scene;
  }
  const uint32_t* size = sizes[number / 2];
  if (number % 2 == 0) {
    (void)add_bend_sheet(scene, size[0], size[1], 1e-5f);
  } else {
    (void)add_bend_net(scene, size[0] % 100 + 3, size[1] % 100 + 3, number % 4 == 1, 0.0f, 1e-3f);
    (void)add_sheet(scene, 5, 7, ALL_FAMILIES);
    (void)add_bend_sheet(scene, size[1], size[0], 2e-5f);
  }
  return scene;
}
