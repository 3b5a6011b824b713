/* Ellipsoids. The surface point nearest to p is x_k = a_k^2 p_k / (t + a_k^2), where t is the
 * largest root of
 *
 *     F(t) = sum (a_k p_k / (t + a_k^2))^2 - 1 = 0,        t > -a_min^2.
 *
 * F is convex and falls there: Newton's method, started left of the root, converges without passing
 * it. (Eberly 2013, "Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid") */
#include <math.h>

#include "geometry/convex.h"

#include "base/min_max.h"

#define MAX_STEPS 100

// Root in u = t + a_min^2, precise for points deep inside. `over`: a_k^2 - a_min^2
static double find_root(const double half[3], const double over[3], const double point[3]) {
  double u = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double left = half[k] * fabs(point[k]) - over[k];
    if (left > u) u = left;
  }
  for (int step = 0; step < MAX_STEPS; ++step) {
    double value = -1.0;
    double slope = 0.0;
    for (int k = 0; k < 3; ++k) {
      if (point[k] == 0.0) continue;
      const double below = u + over[k];
      const double part = half[k] * point[k] / below;
      value += part * part;
      slope += part * part / below;
    }
    if (!(value > 0.0)) break;
    const double next = u + 0.5 * value / slope;
    if (!(next > u)) break;
    u = next;
  }
  return u;
}

// No root, near the centre: the nearest point then lies off the symmetry plane across the shortest
// axis, along which `point` is 0.
static bool is_medial(const double half[3], const double over[3], const double point[3],
                      double* left) {
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) {
    if (over[k] == 0.0) {
      if (point[k] != 0.0) return false;
      continue;
    }
    const double part = half[k] * point[k] / over[k];
    sum += part * part;
  }
  *left = 1.0 - sum;
  return sum < 1.0;
}

static void find_surface_point(const double half[3], const double point[3], double surface[3]) {
  int shortest = 0;
  for (int k = 1; k < 3; ++k) {
    if (half[k] < half[shortest]) shortest = k;
  }
  double over[3];
  for (int k = 0; k < 3; ++k) {
    over[k] = (half[k] - half[shortest]) * (half[k] + half[shortest]);
  }
  double left = 0.0;
  const bool medial = is_medial(half, over, point, &left);
  const double u = medial ? 0.0 : find_root(half, over, point);
  for (int k = 0; k < 3; ++k) {
    surface[k] = point[k] == 0.0 ? 0.0 : half[k] * half[k] * point[k] / (u + over[k]);
  }
  if (medial) surface[shortest] = half[shortest] * sqrt(left);
}

static bool find_nearest(const weft__shape* shape, weft__vec3 at, double reach,
                         weft__surface_point* nearest) {
  const double* half = shape->half_size;
  const double point[3] = {at.x, at.y, at.z};
  double surface[3];
  double inside = 0.0;
  for (int k = 0; k < 3; ++k) {
    if (fabs(point[k]) > half[k] + reach) return false;
    inside += point[k] / half[k] * (point[k] / half[k]);
  }
  find_surface_point(half, point, surface);
  // gradient at the surface point, scaled against overflow
  double normal[3];
  double distance_sq = 0.0;
  double length = 0.0;
  const double scale = weft__min(half[0], weft__min(half[1], half[2]));
  for (int k = 0; k < 3; ++k) {
    normal[k] = surface[k] / half[k] * (scale / half[k]);
    length += normal[k] * normal[k];
    distance_sq += (point[k] - surface[k]) * (point[k] - surface[k]);
  }
  length = sqrt(length);
  const double distance = inside < 1.0 ? -sqrt(distance_sq) : sqrt(distance_sq);
  if (distance > reach) return false;
  *nearest = (weft__surface_point){distance,
                                   {surface[0], surface[1], surface[2]},
                                   {normal[0] / length, normal[1] / length, normal[2] / length}};
  return true;
}

static bool cast(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double radius,
                 weft__cast* hit) {
  // fast path: one slab of the AABB culls
  const double begins[3] = {from.x, from.y, from.z};
  const double ends[3] = {to.x, to.y, to.z};
  for (int k = 0; k < 3; ++k) {
    const double reach = shape->half_size[k] + radius;
    if ((begins[k] > reach && ends[k] > reach) || (begins[k] < -reach && ends[k] < -reach)) {
      return false;
    }
  }
  return weft__convex_cast(&weft__ellipsoid_row, shape, from, to, radius, hit);
}

// Exact up to rounding, where the ellipsoid is the unit sphere.
static bool overlaps_box(const weft__shape* shape, weft__vec3 center,
                         const weft__vec3 half_edges[3]) {
  const double* half = shape->half_size;
  weft__vec3 edges[3];
  for (int k = 0; k < 3; ++k) {
    edges[k] = (weft__vec3){half_edges[k].x / half[0], half_edges[k].y / half[1],
                            half_edges[k].z / half[2]};
  }
  const weft__vec3 middle = {center.x / half[0], center.y / half[1], center.z / half[2]};
  return weft__zonotope_is_near(middle, edges, 3, 1.0);
}

const weft__shape_row weft__ellipsoid_row = {
    .check = weft__check_half_size,
    .bound = weft__bounds_from_half_size,
    .find_nearest = find_nearest,
    .cast = cast,
    .overlaps_box = overlaps_box,
};
