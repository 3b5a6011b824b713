#define WIDE_LANES 1
#include "geometry/closest_points.h"

#include <math.h>

#include "geometry/closest_points.inl"

double weft__nearest_on_segment(weft__vec3 point, weft__vec3 a, weft__vec3 b) {
  return nearest_share(point, a, weft__minus(b, a));
}

double weft__closest_on_segments(const weft__vec3 a[2], const weft__vec3 b[2], double along[2]) {
  return closest_on_segments((const weft__vec3[]){a[0], a[1], b[0], b[1]}, along);
}

double weft__closest_on_triangle(weft__vec3 point, const weft__vec3 corner[3], double share[3]) {
  return closest_on_triangle((const weft__vec3[]){point, corner[0], corner[1], corner[2]}, share);
}

// Signed area seen along the normal, times twice the normal's length.
static double signed_area(weft__vec3 normal, weft__vec3 point, weft__vec3 a, weft__vec3 b) {
  return weft__dot(normal, weft__cross(weft__minus(b, a), weft__minus(point, a)));
}

weft__triangle_point weft__nearest_on_triangle(weft__vec3 point, const weft__triangle* triangle) {
  const weft__vec3 corners[3] = {triangle->a, triangle->b, triangle->c};
  const weft__vec3 normal = weft__triangle_normal(triangle);
  const double normal_sq = weft__dot(normal, normal);
  weft__triangle_point nearest = {.distance = INFINITY};
  double shares[3];
  bool inside = normal_sq > 0.0;
  for (int k = 0; k < 3; ++k) {
    // corner k's barycentric coordinate is the area across from it
    shares[k] = signed_area(normal, point, corners[(k + 1) % 3], corners[(k + 2) % 3]);
    if (!(shares[k] >= 0.0)) inside = false;
  }
  if (inside) {
    const double height = weft__dot(normal, weft__minus(point, triangle->a)) / normal_sq;
    nearest.point = weft__minus(point, weft__scaled(height, normal));
    nearest.distance = fabs(height) * sqrt(normal_sq);
    const double sum = shares[0] + shares[1] + shares[2];
    for (int k = 0; k < 3; ++k) nearest.shares[k] = sum > 0.0 ? shares[k] / sum : k == 0;
    nearest.inside = true;
    return nearest;
  }
  // nearest on an edge that the point is outside of
  for (int k = 0; k < 3; ++k) {
    if (normal_sq > 0.0 && shares[k] >= 0.0) continue;
    const int first = (k + 1) % 3;
    const int second = (k + 2) % 3;
    const double share = weft__nearest_on_segment(point, corners[first], corners[second]);
    const weft__vec3 at = weft__plus(
        corners[first], weft__scaled(share, weft__minus(corners[second], corners[first])));
    const double distance = weft__length(weft__minus(point, at));
    if (!(distance < nearest.distance)) continue;
    nearest.distance = distance;
    nearest.point = at;
    nearest.shares[k] = 0.0;
    nearest.shares[first] = 1.0 - share;
    nearest.shares[second] = share;
  }
  return nearest;
}
