#define WIDE_LANES 1
#include "geometry/convex.h"
#include "geometry/simple_shapes.inl"
#include "geometry/triangle.h"

static bool find_nearest(const weft__shape* shape, weft__vec3 at, double reach,
                         weft__surface_point* nearest) {
  const dwide_nearest found = nearest_to_box(shape->half_size, at);
  *nearest = (weft__surface_point){found.distance, found.point, found.normal};
  return found.distance <= reach;
}

static bool cast(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double radius,
                 weft__cast* hit) {
  return weft__convex_cast(&weft__box_row, shape, from, to, radius, hit);
}

// Exact up to rounding. (Gottschalk, Lin, Manocha 1996, "OBBTree")
static bool overlaps_box(const weft__shape* shape, weft__vec3 center,
                         const weft__vec3 half_edges[3]) {
  const double* half = shape->half_size;
  weft__polyhedron body = {.normals = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                           .edges = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                           .corner_count = 8,
                           .normal_count = 3,
                           .edge_count = 3};
  for (int k = 0; k < 8; ++k) {
    body.corners[k] =
        (weft__vec3){(k & 1) != 0 ? half[0] : -half[0], (k & 2) != 0 ? half[1] : -half[1],
                     (k & 4) != 0 ? half[2] : -half[2]};
  }
  return weft__polyhedron_meets_box(&body, center, half_edges);
}

const weft__shape_row weft__box_row = {
    .check = weft__check_half_size,
    .bound = weft__bounds_from_half_size,
    .find_nearest = find_nearest,
    .cast = cast,
    .overlaps_box = overlaps_box,
};
