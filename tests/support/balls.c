#include "support/balls.h"

#include <math.h>
#include <stdlib.h>

#include "support/suite.h"

// vertex number of a point of the octahedron |x| + |y| + |z| = cuts; adds the vertex if it is new
static uint32_t vertex_at(ball* b, uint32_t* numbers, int cuts, const int point[3]) {
  const int side = 2 * cuts + 1;
  uint32_t* number =
      &numbers[((point[0] + cuts) * side + point[1] + cuts) * side + point[2] + cuts];
  if (*number > 0) return *number - 1;
  const double length =
      sqrt((double)(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]));
  for (int axis = 0; axis < 3; ++axis) {
    b->positions[3 * b->vertex_count + (uint32_t)axis] = (float)(point[axis] / length);
  }
  *number = ++b->vertex_count;
  return *number - 1;
}

// point of an octant, i steps from its first corner to the second and j steps to the third
static uint32_t corner_at(ball* b, uint32_t* numbers, int cuts, int octant, int i, int j) {
  const int point[3] = {(octant & 1 ? -1 : 1) * (cuts - i - j), (octant & 2 ? -1 : 1) * i,
                        (octant & 4 ? -1 : 1) * j};
  return vertex_at(b, numbers, cuts, point);
}

static void push_triangle(ball* b, bool turned, uint32_t x, uint32_t y, uint32_t z) {
  uint32_t* corner = b->triangles + 3 * b->triangle_count++;
  corner[0] = x;
  corner[1] = turned ? z : y;
  corner[2] = turned ? y : z;
}

static void cut_octant(ball* b, uint32_t* numbers, int cuts, int octant) {
  const bool turned = (__builtin_popcount((unsigned)octant) & 1) != 0;
  for (int i = 0; i < cuts; ++i) {
    for (int j = 0; i + j < cuts; ++j) {
      const uint32_t here = corner_at(b, numbers, cuts, octant, i, j);
      const uint32_t right = corner_at(b, numbers, cuts, octant, i + 1, j);
      const uint32_t up = corner_at(b, numbers, cuts, octant, i, j + 1);
      push_triangle(b, turned, here, right, up);
      if (i + j + 1 == cuts) continue;
      push_triangle(b, turned, right, corner_at(b, numbers, cuts, octant, i + 1, j + 1), up);
    }
  }
}

ball new_ball(uint32_t cuts, float radius, const float center[3]) {
  const size_t side = 2 * (size_t)cuts + 1;
  uint32_t* numbers = test_alloc((side * side * side) * sizeof(uint32_t));
  ball b = {.positions = test_alloc(sizeof(float[3]) * (4 * cuts * cuts + 2)),
            .triangles = test_alloc(sizeof(uint32_t[3]) * 8 * cuts * cuts)};
  for (int octant = 0; octant < 8; ++octant) cut_octant(&b, numbers, (int)cuts, octant);
  for (uint32_t i = 0; i < 3 * b.vertex_count; ++i) {
    b.positions[i] = center[i % 3] + radius * b.positions[i];
  }
  return b;
}

weft_mesh_def mesh_of_ball(const ball* b) {
  return mesh_def(.positions = b->positions, .vertex_count = b->vertex_count,
                  .triangles = b->triangles, .triangle_count = b->triangle_count);
}

weft_body add_ball(weft_scene* scene, uint32_t cuts, float radius, const float center[3]) {
  ball b = new_ball(cuts, radius, center);
  const weft_mesh_def def = mesh_of_ball(&b);
  weft_body body;
  expect_ok(weft_scene_add_mesh(scene, &def, &body));
  return body;
}

double volume_of_faces(const float* positions, const uint32_t* triangles, uint32_t triangle_count) {
  double volume = 0.0;
  for (uint32_t t = 0; t < triangle_count; ++t) {
    const float* a = positions + (size_t)3 * triangles[3 * t];
    const float* b = positions + (size_t)3 * triangles[3 * t + 1];
    const float* c = positions + (size_t)3 * triangles[3 * t + 2];
    // projected area: the prism between the face and the plane z = 0
    const double shadow = 0.5 * (((double)b[0] - (double)a[0]) * ((double)c[1] - (double)a[1]) -
                                 ((double)b[1] - (double)a[1]) * ((double)c[0] - (double)a[0]));
    volume += shadow * ((double)a[2] + (double)b[2] + (double)c[2]) / 3.0;
  }
  return volume;
}
