#include <math.h>

#include "memory.h"
#include "panel.h"
#include "shapes.h"

#define PI 3.14159265358979323846
#define DOME 0.002 /* metres */

/* Scattered points at a distance of 1 that fit an area of 1, as measured. A point of a cut edge,
 * with cloth on one side only, takes the place of half a scattered one. */
#define POINTS_PER_SQUARE 0.615

double shape_spacing(double area, double border, uint32_t point_count) {
  double spacing = sqrt(POINTS_PER_SQUARE * area / point_count);
  // edge points depend on the spacing: a few rounds settle it
  for (int i = 0; i < 4; ++i) {
    double on_edge = border / (SHAPE_EDGE_STEP * spacing);
    spacing = sqrt(POINTS_PER_SQUARE * area / (point_count - on_edge / 2));
  }
  return spacing;
}

static void add_ring(panel* piece, double spacing) {
  uint32_t count = (uint32_t)(2 * PI / (SHAPE_EDGE_STEP * spacing));
  for (uint32_t i = 0; i < count; ++i) {
    double angle = 2 * PI * i / count;
    panel_add_point(piece, cos(angle), sin(angle));
  }
  piece->loop_count = piece->point_count;
}

/* Places a flat panel in space. */
static mesh raise_dome(const panel* piece) {
  mesh cloth = {.vertex_count = piece->point_count, .triangle_count = piece->triangle_count};
  cloth.positions = resize_array(NULL, cloth.vertex_count, sizeof *cloth.positions);
  for (uint32_t i = 0; i < cloth.vertex_count; ++i) {
    double x = piece->points[i].x, y = piece->points[i].y;
    cloth.positions[i][0] = (float)x;
    cloth.positions[i][1] = (float)y;
    cloth.positions[i][2] = (float)(DOME * (1 - x * x - y * y));
  }
  cloth.triangles = resize_array(NULL, cloth.triangle_count, sizeof *cloth.triangles);
  for (uint32_t i = 0; i < cloth.triangle_count * 3; ++i) {
    cloth.triangles[i / 3][i % 3] = piece->triangles[i];
  }
  return cloth;
}

shape_result shape_disc(uint32_t vertex_count, random_source* source) {
  shape_result result = {.expected_loops = 1};
  panel piece = {0};
  double spacing = shape_spacing(PI, 2 * PI, vertex_count);
  add_ring(&piece, spacing);
  panel_scatter(&piece, spacing, source);
  result.made = panel_triangulate(&piece);
  if (result.made) result.cloth = raise_dome(&piece);
  panel_free(&piece);
  return result;
}
