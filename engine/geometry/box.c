#include <math.h>

#include "geometry/convex.h"

// Nearest face from inside; on a tie the axis with the lowest number.
static void find_nearest_inside(const double half[3], const double point[3], double normal[3],
                                double nearest[3], double* distance) {
  int face_axis = 0;
  for (int k = 1; k < 3; ++k) {
    if (half[k] - fabs(point[k]) < half[face_axis] - fabs(point[face_axis])) face_axis = k;
  }
  normal[face_axis] = point[face_axis] < 0.0 ? -1.0 : 1.0;
  nearest[face_axis] = normal[face_axis] * half[face_axis];
  *distance = fabs(point[face_axis]) - half[face_axis];
}

static bool find_nearest(const weft__shape* shape, weft__vec3 at, double reach,
                         weft__surface_point* nearest) {
  const double* half = shape->half_size;
  const double point[3] = {at.x, at.y, at.z};
  double clamped[3];
  double normal[3] = {0.0, 0.0, 0.0};
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) {
    clamped[k] = point[k] > half[k] ? half[k] : point[k] < -half[k] ? -half[k] : point[k];
    normal[k] = point[k] - clamped[k];
    sum += normal[k] * normal[k];
  }
  double distance = sqrt(sum);
  if (distance > reach) return false;
  if (distance > WEFT__MIN_LENGTH) {
    for (int k = 0; k < 3; ++k) normal[k] /= distance;
  } else {
    for (int k = 0; k < 3; ++k) normal[k] = 0.0;
    find_nearest_inside(half, point, normal, clamped, &distance);
  }
  *nearest = (weft__surface_point){
      distance, {clamped[0], clamped[1], clamped[2]}, {normal[0], normal[1], normal[2]}};
  return true;
}

static bool cast(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double radius,
                 weft__cast* hit) {
  return weft__convex_cast(&weft__box_row, shape, from, to, radius, hit);
}

// Separating axis test: true if the projections onto `axis` do not overlap.
static bool is_separated(const double half[3], weft__vec3 center, const weft__vec3 half_edges[3],
                         weft__vec3 axis) {
  double reach = half[0] * fabs(axis.x) + half[1] * fabs(axis.y) + half[2] * fabs(axis.z);
  for (int k = 0; k < 3; ++k) reach += fabs(weft__dot(half_edges[k], axis));
  return fabs(weft__dot(center, axis)) > reach;
}

// Separating axis test of two oriented boxes: face normals of both, then cross products of their
// edges (Gottschalk, Lin, Manocha 1996, "OBBTree").
static bool overlaps_box(const weft__shape* shape, weft__vec3 center,
                         const weft__vec3 half_edges[3]) {
  const weft__vec3 face_axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  for (int i = 0; i < 3; ++i) {
    if (is_separated(shape->half_size, center, half_edges, face_axis[i])) return false;
    // face normal by cross product: valid also where one half edge has no length
    const weft__vec3 normal = weft__cross(half_edges[(i + 1) % 3], half_edges[(i + 2) % 3]);
    if (is_separated(shape->half_size, center, half_edges, normal)) return false;
    if (is_separated(shape->half_size, center, half_edges, half_edges[i])) return false;
    for (int j = 0; j < 3; ++j) {
      const weft__vec3 e = half_edges[i];
      const weft__vec3 cross_axis[3] = {{0.0, e.z, -e.y}, {-e.z, 0.0, e.x}, {e.y, -e.x, 0.0}};
      if (is_separated(shape->half_size, center, half_edges, cross_axis[j])) return false;
    }
  }
  return true;
}

const weft__shape_row weft__box_row = {
    .check = weft__check_half_size,
    .bound = weft__bounds_from_half_size,
    .find_nearest = find_nearest,
    .cast = cast,
    .overlaps_box = overlaps_box,
};
