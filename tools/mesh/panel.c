#include "panel.h"

#include <math.h>
#include <stdlib.h>

#include "memory.h"

void panel_add_point(panel* piece, double x, double y) {
  if (piece->point_count == piece->point_capacity) {
    piece->point_capacity = piece->point_capacity > 0 ? 2 * piece->point_capacity : 1024;
    piece->points = resize_array(piece->points, piece->point_capacity, sizeof *piece->points);
  }
  panel_point snapped = {round(x * 0x1p24) * 0x1p-24, round(y * 0x1p24) * 0x1p-24};
  piece->points[piece->point_count++] = snapped;
}

bool panel_holds(const panel* piece, double x, double y) {
  // count how often a ray to the right crosses the loop
  bool inside = false;
  panel_point from = piece->points[piece->loop_count - 1];
  for (uint32_t i = 0; i < piece->loop_count; ++i) {
    panel_point to = piece->points[i];
    if ((from.y > y) != (to.y > y)) {
      double crossing_x = from.x + (to.x - from.x) * (y - from.y) / (to.y - from.y);
      if (x < crossing_x) inside = !inside;
    }
    from = to;
  }
  return inside;
}

double panel_area(const panel* piece) {
  double twice_area = 0;
  panel_point from = piece->points[piece->loop_count - 1];
  for (uint32_t i = 0; i < piece->loop_count; ++i) {
    panel_point to = piece->points[i];
    twice_area += from.x * to.y - to.x * from.y;
    from = to;
  }
  return twice_area / 2;
}

void panel_free(panel* piece) {
  free(piece->points);
  free(piece->triangles);
  *piece = (panel){0};
}
