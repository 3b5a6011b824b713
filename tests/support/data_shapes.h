/* Colliders with data; the arrays are static. */
#ifndef TESTS_SUPPORT_DATA_SHAPES_H
#define TESTS_SUPPORT_DATA_SHAPES_H

#include "support/collided.h"
#include "support/random.h"

enum { SHEET_SIDE = 17, GRID_SIDE = 17, HULL_POINTS = 60 };

/* Mesh of 4 x 4 metres around 0, of squares of 1/4; points are up to `bump` metres off y = 0. */
static inline weft_collider_def bumpy_mesh(random_source* random, float bump) {
  static float points[SHEET_SIDE * SHEET_SIDE][3];
  static uint32_t triangles[2 * (SHEET_SIDE - 1) * (SHEET_SIDE - 1)][3];
  for (uint32_t i = 0; i < SHEET_SIDE * SHEET_SIDE; ++i) {
    points[i][0] = 0.25f * (float)(i % SHEET_SIDE) - 2.0f;
    points[i][1] = random_float(random, -bump, bump);
    points[i][2] = 0.25f * (float)(i / SHEET_SIDE) - 2.0f;
  }
  uint32_t count = 0;
  for (uint32_t i = 0; i < (SHEET_SIDE - 1) * (SHEET_SIDE - 1); ++i) {
    const uint32_t a = i / (SHEET_SIDE - 1) * SHEET_SIDE + i % (SHEET_SIDE - 1);
    const uint32_t quad[6] = {a, a + 1, a + SHEET_SIDE, a + 1, a + SHEET_SIDE + 1, a + SHEET_SIDE};
    for (uint32_t k = 0; k < 6; ++k) triangles[count + k / 3][k % 3] = quad[k];
    count += 2;
  }
  weft_collider_def def = collider_of_shape(WEFT_COLLIDER_SHAPE_MESH);
  def.points = points[0];
  def.point_count = SHEET_SIDE * SHEET_SIDE;
  def.triangles = triangles[0];
  def.triangle_count = count;
  return def;
}

/* Heightfield of the same size; its corner is at 0. */
static inline weft_collider_def bumpy_field(random_source* random, float bump) {
  static float heights[SHEET_SIDE * SHEET_SIDE];
  for (uint32_t i = 0; i < SHEET_SIDE * SHEET_SIDE; ++i) {
    heights[i] = random_float(random, -bump, bump);
  }
  weft_collider_def def = collider_of_shape(WEFT_COLLIDER_SHAPE_HEIGHTFIELD);
  def.samples = heights;
  def.size[0] = def.size[2] = SHEET_SIDE;
  def.spacing = 0.25f;
  return def;
}

/* Convex hull of points within a box of 2 x 1 x 2 around 0, and of the box's corners. */
static inline weft_collider_def box_hull(random_source* random) {
  static float points[HULL_POINTS][3];
  for (uint32_t i = 0; i < HULL_POINTS; ++i) {
    const float half[3] = {1.0f, 0.5f, 1.0f};
    for (int axis = 0; axis < 3; ++axis) {
      points[i][axis] = random_float(random, -half[axis], half[axis]);
      if (i < 8) points[i][axis] = (i >> axis & 1) != 0 ? half[axis] : -half[axis];
    }
  }
  weft_collider_def def = collider_of_shape(WEFT_COLLIDER_SHAPE_HULL);
  def.points = points[0];
  def.point_count = HULL_POINTS;
  return def;
}

/* Distance grid of a ball of radius 1/2 around (1, 1, 1). */
static inline weft_collider_def ball_grid(void) {
  static float samples[GRID_SIDE * GRID_SIDE * GRID_SIDE];
  for (uint32_t i = 0; i < GRID_SIDE * GRID_SIDE * GRID_SIDE; ++i) {
    const double x = 0.125 * (i % GRID_SIDE) - 1.0;
    const double y = 0.125 * (i / GRID_SIDE % GRID_SIDE) - 1.0;
    const double z = 0.125 * (i / GRID_SIDE / GRID_SIDE) - 1.0;
    samples[i] = (float)(sqrt(x * x + y * y + z * z) - 0.5);
  }
  weft_collider_def def = collider_of_shape(WEFT_COLLIDER_SHAPE_DISTANCE_GRID);
  def.samples = samples;
  def.size[0] = def.size[1] = def.size[2] = GRID_SIDE;
  def.spacing = 0.125f;
  return def;
}

#endif
