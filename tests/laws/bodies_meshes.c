#include "laws/bodies.h"

#include <math.h>
#include <stddef.h>

#include "laws/trial.h"
#include "libraries/bodies/turn.h"
#include "support/random.h"

enum { MOST_VERTICES = 1024, MOST_TRIANGLES = 2048 };

typedef struct surface {
  float positions[MOST_VERTICES][3];
  uint32_t triangles[MOST_TRIANGLES][3];
  uint32_t vertex_count, triangle_count;
} surface;

static uint32_t add_vertex(surface* s, double x, double y, double z) {
  float* position = s->positions[s->vertex_count];
  position[0] = (float)x, position[1] = (float)y, position[2] = (float)z;
  return s->vertex_count++;
}

static void add_triangle(surface* s, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t* corners = s->triangles[s->triangle_count++];
  corners[0] = a, corners[1] = b, corners[2] = c;
}

static void add_surface(weft_scene* scene, const surface* s, const weft_material_def* material) {
  weft_mesh_def def = weft_default_mesh_def();
  def.positions = s->positions[0], def.vertex_count = s->vertex_count;
  def.triangles = s->triangles[0], def.triangle_count = s->triangle_count;
  def.material = material;
  if (material != NULL && material->membrane) def.warp[0] = 1.0f;
  must(weft_scene_add_mesh(scene, &def, NULL));
}

static void add_ring(surface* s, uint32_t size, double radius, double height) {
  for (uint32_t i = 0; i < size; ++i) {
    const weft__turn turn = weft__turn_of(i, size);
    add_vertex(s, radius * turn.cosine, height, radius * turn.sine);
  }
}

void build_cone(weft_scene* scene, uint32_t size) {
  surface s = {.vertex_count = 0};
  add_ring(&s, size, 0.2, 0.0);
  const uint32_t tip = add_vertex(&s, 0.0, 0.3, 0.0);
  for (uint32_t i = 0; i < size; ++i) add_triangle(&s, tip, (i + 1) % size, i);
  add_surface(scene, &s, NULL);
}

void build_bipyramid(weft_scene* scene, uint32_t size) {
  surface s = {.vertex_count = 0};
  add_ring(&s, size, 0.2, 0.0);
  const uint32_t top = add_vertex(&s, 0.0, 0.2, 0.0), bottom = add_vertex(&s, 0.0, -0.2, 0.0);
  for (uint32_t i = 0; i < size; ++i) add_triangle(&s, top, (i + 1) % size, i);
  for (uint32_t i = 0; i < size; ++i) add_triangle(&s, bottom, i, (i + 1) % size);
  add_surface(scene, &s, NULL);
}

// columns of a closed sphere: `size`, and at a seam one more on the first
static void add_poles(surface* s, uint32_t size, uint32_t columns) {
  const uint32_t rings = size < 16 ? size / 2 - 1 : 7;
  for (uint32_t r = 0; r < rings; ++r) {
    const weft__turn down = weft__turn_of(r + 1, 2 * (rings + 1));
    for (uint32_t c = 0; c < columns; ++c) {
      const weft__turn around = weft__turn_of(c % size, size);
      add_vertex(s, 0.3 * down.sine * around.cosine, 0.3 * down.cosine,
                 0.3 * down.sine * around.sine);
    }
  }
  const uint32_t top = add_vertex(s, 0.0, 0.3, 0.0), bottom = add_vertex(s, 0.0, -0.3, 0.0);
  for (uint32_t c = 0; c < size; ++c) {
    const uint32_t next = (c + 1) % columns, last = (rings - 1) * columns;
    add_triangle(s, top, next, c);
    for (uint32_t r = 0; r + 1 < rings; ++r) {
      const uint32_t a = r * columns + c, b = r * columns + next;
      add_triangle(s, a, b, a + columns);
      add_triangle(s, b, b + columns, a + columns);
    }
    add_triangle(s, bottom, last + c, last + next);
  }
}

void build_poles(weft_scene* scene, uint32_t size) {
  surface s = {.vertex_count = 0};
  add_poles(&s, size, size);
  add_surface(scene, &s, NULL);
}

void build_seam(weft_scene* scene, uint32_t size) {
  surface s = {.vertex_count = 0};
  add_poles(&s, size, size + 1);
  add_surface(scene, &s, NULL);
}

// `noise`: share of a cell by which inner vertices are displaced, with random diagonals
static void add_square(surface* s, uint32_t size, float noise) {
  random_source random = {.state = 7};
  const double cell = 0.6 / (double)(size - 1);
  for (uint32_t row = 0; row < size; ++row) {
    for (uint32_t column = 0; column < size; ++column) {
      const bool inner = row > 0 && column > 0 && row + 1 < size && column + 1 < size;
      const float by = inner ? noise : 0.0f;
      const double x = column + (double)random_float(&random, -by, by);
      const double y = row + (double)random_float(&random, -by, by);
      add_vertex(s, x * cell - 0.3, 0.3 - y * cell, 0.0);
    }
  }
  for (uint32_t row = 0; row + 1 < size; ++row) {
    for (uint32_t column = 0; column + 1 < size; ++column) {
      const uint32_t a = row * size + column, b = a + 1, c = a + size, d = c + 1;
      const bool other = noise > 0.0f ? random_chance(&random, 2) : (row + column) % 2 == 1;
      add_triangle(s, a, c, other ? d : b);
      add_triangle(s, other ? a : b, other ? d : c, other ? b : d);
    }
  }
}

void build_grid(weft_scene* scene, uint32_t size) {
  surface s = {.vertex_count = 0};
  add_square(&s, size, 0.0f);
  add_surface(scene, &s, NULL);
}

void build_irregular(weft_scene* scene, uint32_t size) {
  surface s = {.vertex_count = 0};
  add_square(&s, size, 0.3f);
  add_surface(scene, &s, NULL);
}

void build_border(weft_scene* scene, uint32_t size) {
  build_irregular(scene, size);
  must(weft_scene_pin(scene, weft_range(0, size)));
}

void build_membrane(weft_scene* scene, uint32_t size) {
  weft_material_def material = weft_default_material_def();
  material.membrane = true;
  surface s = {.vertex_count = 0};
  add_square(&s, size, 0.3f);
  add_surface(scene, &s, &material);
}

void build_plates(weft_scene* scene, uint32_t size) {
  weft_material_def material = weft_default_material_def();
  material.bend_stiffness = 1e-4f;
  surface s = {.vertex_count = 0};
  add_square(&s, size, 0.3f);
  add_surface(scene, &s, &material);
}

void build_fans(weft_scene* scene, uint32_t size) {
  surface s = {.vertex_count = 0};
  for (uint32_t i = 0; i < size; ++i) add_vertex(&s, 0.04 * i - 0.02 * size, 0.012, 0.0);
  for (uint32_t i = 0; i < size; ++i) add_vertex(&s, 0.04 * i - 0.02 * size, 0.0, 0.0);
  for (uint32_t i = 0; i + 1 < size; ++i) add_triangle(&s, i, 2 * size - 1, i + 1);
  for (uint32_t i = 0; i + 1 < size; ++i) add_triangle(&s, 0, size + i, size + i + 1);
  add_surface(scene, &s, NULL);
}

// turned by 0.3 radians, so that coordinates are no round numbers
static void add_turned(surface* s, double x, double y) {
  const weft__turn turn = weft__turn_by(0.3);
  add_vertex(s, x * turn.cosine - y * turn.sine, x * turn.sine + y * turn.cosine, 0.31);
}

void build_slivers(weft_scene* scene, uint32_t size) {
  surface s = {.vertex_count = 0};
  for (uint32_t i = 0; i <= size; ++i) add_turned(&s, 0.01 * i, 0.01);
  for (uint32_t i = 0; i <= 2 * size; ++i) add_turned(&s, 0.005 * i, 0.0);
  for (uint32_t i = 0; i <= size; ++i) add_turned(&s, 0.01 * i, -0.01);
  for (uint32_t i = 0; i < size; ++i) {
    const uint32_t a = size + 1 + 2 * i, b = a + 1, c = a + 2, below = 3 * size + 2 + i;
    add_triangle(&s, i, a, i + 1);
    add_triangle(&s, i + 1, a, c);
    add_triangle(&s, a, b, c);  // without area
    add_triangle(&s, a, below, b);
    add_triangle(&s, b, below, below + 1);
    add_triangle(&s, b, below + 1, c);
  }
  add_surface(scene, &s, NULL);
}
