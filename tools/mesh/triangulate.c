/* Delaunay triangulation of a panel, by Qhull, which triangulates the whole convex hull. Points of
 * the cut edge are closer to each other than to any other point, so that every piece of the edge is
 * a side of some triangle, and each triangle lies inside or outside of the panel. Only triangles
 * with three corners on the edge can be outside. */
#include <libqhull_r/qhull_ra.h>
#include <stdio.h>

#include "memory.h"
#include "panel.h"

static bool is_outside(const panel* piece, const uint32_t* corners) {
  for (int i = 0; i < 3; ++i) {
    if (corners[i] >= piece->loop_count) return false;
  }
  panel_point a = piece->points[corners[0]], b = piece->points[corners[1]];
  panel_point c = piece->points[corners[2]];
  return !panel_holds(piece, (a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3);
}

static void turn_counter_clockwise(const panel* piece, uint32_t* corners) {
  panel_point a = piece->points[corners[0]], b = piece->points[corners[1]];
  panel_point c = piece->points[corners[2]];
  if ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) >= 0) return;
  uint32_t swapped = corners[1];
  corners[1] = corners[2];
  corners[2] = swapped;
}

/* Copies the panel's triangles out of Qhull. */
static void collect(qhT* qh, panel* piece) {
  facetT* facet;
  vertexT *vertex, **vertexp;
  piece->triangles = resize_array(NULL, (size_t)qh->num_facets * 3, sizeof *piece->triangles);
  FORALLfacets {
    if (facet->upperdelaunay) continue;
    uint32_t* corners = piece->triangles + (size_t)piece->triangle_count * 3;
    int corner = 0;
    FOREACHvertex_(facet->vertices) corners[corner++] = (uint32_t)qh_pointid(qh, vertex->point);
    if (is_outside(piece, corners)) continue;
    turn_counter_clockwise(piece, corners);
    piece->triangle_count++;
  }
}

bool panel_triangulate(panel* piece) {
  // Qhull wants one array of coordinates, with room for its lifted third one
  double* coordinates = resize_array(NULL, (size_t)piece->point_count * 2, sizeof *coordinates);
  for (uint32_t i = 0; i < piece->point_count; ++i) {
    coordinates[2 * i] = piece->points[i].x;
    coordinates[2 * i + 1] = piece->points[i].y;
  }

  // d: Delaunay; Qbb: scale the lifted coordinate; Qt: only triangles, even for points on a circle
  char command[] = "qhull d Qbb Qt";
  qhT qh_memory = {0};
  qhT* qh = &qh_memory;
  qh_zero(qh, stderr);
  int failed =
      qh_new_qhull(qh, 2, (int)piece->point_count, coordinates, False, command, NULL, stderr);
  if (!failed) collect(qh, piece);

  int long_count, long_bytes;
  qh_freeqhull(qh, !qh_ALL);
  qh_memfreeshort(qh, &long_count, &long_bytes);
  free(coordinates);
  return !failed;
}
