/* Meshes of a square metre, and materials that resist strain in their plane. */
#ifndef TESTS_SUPPORT_MEMBRANES_H
#define TESTS_SUPPORT_MEMBRANES_H

#include "support/worlds.h"

enum { MOST_SIDE = 24, MOST_VERTICES = MOST_SIDE * MOST_SIDE };

// A square metre in the plane z = 0.
typedef struct net {
  uint32_t side;
  float positions[3 * MOST_VERTICES];
  uint32_t triangles[6 * MOST_VERTICES];
  uint32_t triangle_count;
} net;

// Mesh of a net: of irregular triangles, or, without `random`, of squares cut along one diagonal.
static inline weft_mesh_def make_net(net* n, uint32_t side, random_source* random,
                                     const weft_material_def* material) {
  n->side = side;
  n->triangle_count = 0;
  const float spacing = 1.0f / (float)(side - 1);
  for (uint32_t i = 0; i < side * side; ++i) {
    const uint32_t cell[2] = {i % side, i / side};
    for (uint32_t k = 0; k < 2; ++k) {
      const bool is_border =
          cell[0] == 0 || cell[1] == 0 || cell[0] + 1 == side || cell[1] + 1 == side;
      const float jitter = random != NULL && !is_border ? random_float(random, -0.3f, 0.3f) : 0.0f;
      n->positions[3 * i + k] = spacing * ((float)cell[k] + jitter);
    }
    n->positions[3 * i + 2] = 0.0f;
    if (cell[0] + 1 == side || cell[1] + 1 == side) continue;
    const uint32_t a = i, b = i + 1, c = i + side, d = i + side + 1;
    const uint32_t cuts[2][6] = {{a, b, d, a, d, c}, {a, b, c, b, d, c}};
    const uint32_t cut = random != NULL ? random_below(random, 2) : 0;
    memcpy(n->triangles + (size_t)3 * n->triangle_count, cuts[cut], sizeof(cuts[cut]));
    n->triangle_count += 2;
  }
  weft_mesh_def def =
      mesh_def(.positions = n->positions, .vertex_count = side * side, .triangles = n->triangles,
               .triangle_count = n->triangle_count, .material = material);
  def.warp[0] = 1.0f;
  return def;
}

static inline weft_material_def woven(void) {
  weft_material_def material =
      material_def(.membrane = true, .weft_stiffness = 800.0f, .stretch_stiffness = 2000.0f,
                   .shear_stiffness = 300.0f);
  material.poisson_ratio = 0.3f;
  return material;
}

static inline weft_world* new_membrane(const weft_mesh_def* mesh, weft_world_def def) {
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_mesh(scene, mesh, NULL));
  return new_world(&def, scene);
}

#endif
