#include "geometry/closest_points.h"

#include <stdbool.h>

#include "geometry/triangle.h"

// Relative tolerance: a cross product below this share of its value at right angles counts as zero.
#define PARALLEL_TOLERANCE 1e-12

static double square(weft__vec3 a) {
  return weft__dot(a, a);
}

static weft__vec3 point_along(weft__vec3 start, weft__vec3 direction, double share) {
  return weft__plus(start, weft__scaled(share, direction));
}

// ---- point and triangle ----

// Projects the point onto the plane. True if the foot lies within the triangle: then it is the
// nearest point.
static bool project_onto_triangle(weft__vec3 from_first, const weft__vec3 side[2],
                                  double share[3]) {
  const weft__vec3 normal = weft__cross(side[0], side[1]);
  const double area_sq = square(normal);
  if (!(area_sq > PARALLEL_TOLERANCE * square(side[0]) * square(side[1]))) return false;
  share[1] = weft__dot(weft__cross(from_first, side[1]), normal) / area_sq;
  share[2] = weft__dot(weft__cross(side[0], from_first), normal) / area_sq;
  share[0] = 1.0 - share[1] - share[2];
  return share[0] >= 0.0 && share[1] >= 0.0 && share[2] >= 0.0;
}

static double nearest_on_edges(weft__vec3 point, const weft__vec3 corner[3], double share[3]) {
  double nearest_sq = 0.0;
  for (int k = 0; k < 3; ++k) {
    const weft__vec3 direction = weft__minus(corner[(k + 1) % 3], corner[k]);
    const double s = weft__nearest_on_segment(point, corner[k], corner[(k + 1) % 3]);
    const double distance = square(weft__minus(point_along(corner[k], direction, s), point));
    if (k > 0 && !(distance < nearest_sq)) continue;
    nearest_sq = distance;
    share[k] = 1.0 - s;
    share[(k + 1) % 3] = s;
    share[(k + 2) % 3] = 0.0;
  }
  return nearest_sq;
}

double weft__closest_on_triangle(weft__vec3 point, const weft__vec3 corner[3], double share[3]) {
  const weft__vec3 side[2] = {weft__minus(corner[1], corner[0]), weft__minus(corner[2], corner[0])};
  const weft__vec3 from_first = weft__minus(point, corner[0]);
  if (!project_onto_triangle(from_first, side, share))
    return nearest_on_edges(point, corner, share);
  const weft__vec3 foot =
      weft__plus(weft__scaled(share[1], side[0]), weft__scaled(share[2], side[1]));
  return square(weft__minus(from_first, foot));
}

// ---- segments ----

typedef struct segments {
  weft__vec3 start[2], direction[2];
} segments;

static double gap_sq(const segments* s, double along_a, double along_b) {
  return square(weft__minus(point_along(s->start[0], s->direction[0], along_a),
                            point_along(s->start[1], s->direction[1], along_b)));
}

// Nearest points of the two lines. True if both lie within their segments.
static bool nearest_on_lines(const segments* s, double* along_a, double* along_b) {
  const double aa = square(s->direction[0]);
  const double bb = square(s->direction[1]);
  const double ab = weft__dot(s->direction[0], s->direction[1]);
  const double determinant = aa * bb - ab * ab;
  if (!(determinant > PARALLEL_TOLERANCE * aa * bb)) return false;
  const weft__vec3 offset = weft__minus(s->start[1], s->start[0]);
  const double to_a = weft__dot(offset, s->direction[0]);
  const double to_b = weft__dot(offset, s->direction[1]);
  *along_a = (to_a * bb - to_b * ab) / determinant;
  *along_b = (to_a * ab - to_b * aa) / determinant;
  return *along_a >= 0.0 && *along_a <= 1.0 && *along_b >= 0.0 && *along_b <= 1.0;
}

double weft__closest_on_segments(const weft__vec3 a[2], const weft__vec3 b[2], double* along_a,
                                 double* along_b) {
  const segments s = {{a[0], b[0]}, {weft__minus(a[1], a[0]), weft__minus(b[1], b[0])}};
  if (nearest_on_lines(&s, along_a, along_b)) return gap_sq(&s, *along_a, *along_b);
  // parallel, or clamped: the nearest pair includes an end point
  double nearest_sq = 0.0;
  for (int k = 0; k < 4; ++k) {
    const double end = (double)(k % 2);
    const bool of_b = k >= 2;
    const double on_a = of_b ? weft__nearest_on_segment(b[k % 2], a[0], a[1]) : end;
    const double on_b = of_b ? end : weft__nearest_on_segment(a[k % 2], b[0], b[1]);
    const double distance = gap_sq(&s, on_a, on_b);
    if (k > 0 && !(distance < nearest_sq)) continue;
    nearest_sq = distance;
    *along_a = on_a;
    *along_b = on_b;
  }
  return nearest_sq;
}
