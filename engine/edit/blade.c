#include "edit/blade.h"

#include <math.h>

#include "base/min_max.h"

// Error of a determinant, over the sum of its products' magnitudes.
#define ROUNDING 1e-15

static int sign_of(double value, double size) {
  const double bound = ROUNDING * size;
  return (value > bound) - (value < -bound);
}

// Sign of u . (v x w), 0 within rounding; swapping v and w negates it exactly.
static int side(weft__vec3 u, weft__vec3 v, weft__vec3 w) {
  const double yz = v.y * w.z;
  const double zy = v.z * w.y;
  const double zx = v.z * w.x;
  const double xz = v.x * w.z;
  const double xy = v.x * w.y;
  const double yx = v.y * w.x;
  const double value = u.x * (yz - zy) + u.y * (zx - xz) + u.z * (xy - yx);
  const double size = fabs(u.x) * (fabs(yz) + fabs(zy)) + fabs(u.y) * (fabs(zx) + fabs(xz)) +
                      fabs(u.z) * (fabs(xy) + fabs(yx));
  return sign_of(value, size);
}

static bool have_both_signs(int p, int q, int r) {
  return (p > 0 || q > 0 || r > 0) && (p < 0 || q < 0 || r < 0);
}

typedef struct point2 {
  double x, y;
} point2;

static point2 project(weft__vec3 v, int axis) {
  if (axis == 0) return (point2){v.y, v.z};
  return axis == 1 ? (point2){v.z, v.x} : (point2){v.x, v.y};
}

// Sign of (u - o) x (v - o), 0 within rounding.
static int orientation(point2 o, point2 u, point2 v) {
  const double xy = (u.x - o.x) * (v.y - o.y);
  const double yx = (u.y - o.y) * (v.x - o.x);
  return sign_of(xy - yx, fabs(xy) + fabs(yx));
}

static bool intervals_overlap(double a, double b, double c, double d) {
  return weft__max(weft__min(a, b), weft__min(c, d)) <= weft__min(weft__max(a, b), weft__max(c, d));
}

static bool segments_cross(point2 a, point2 b, point2 c, point2 d) {
  if (orientation(a, b, c) * orientation(a, b, d) > 0 ||
      orientation(c, d, a) * orientation(c, d, b) > 0)
    return false;
  // collinear
  return intervals_overlap(a.x, b.x, c.x, d.x) && intervals_overlap(a.y, b.y, c.y, d.y);
}

static bool touches_coplanar(point2 p, point2 q, point2 r, point2 a, point2 b) {
  if (!have_both_signs(orientation(a, p, q), orientation(a, q, r), orientation(a, r, p)))
    return true;
  return segments_cross(a, b, p, q) || segments_cross(a, b, q, r) || segments_cross(a, b, r, p);
}

// Largest projected area; -1 if there is none.
static int projection_axis(const weft__blade* blade) {
  int axis = -1;
  double largest = 0.0;
  for (int k = 0; k < 3; ++k) {
    const point2 p = project(blade->corner[0], k);
    const point2 q = project(blade->corner[1], k);
    const point2 r = project(blade->corner[2], k);
    if (orientation(p, q, r) == 0) continue;
    const double area = fabs((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x));
    if (area <= largest) continue;
    largest = area;
    axis = k;
  }
  return axis;
}

bool weft__blade_touches(const void* blade, weft__vec3 a, weft__vec3 b) {
  const weft__vec3* corner = ((const weft__blade*)blade)->corner;
  const int axis = projection_axis(blade);
  if (axis < 0) return false;
  const weft__vec3 p = weft__minus(corner[0], a);
  const weft__vec3 q = weft__minus(corner[1], a);
  const weft__vec3 r = weft__minus(corner[2], a);
  const weft__vec3 along = weft__minus(b, a);
  const int side_a = side(p, q, r);
  const int side_b =
      side(weft__minus(corner[0], b), weft__minus(corner[1], b), weft__minus(corner[2], b));
  if (side_a * side_b > 0) return false;
  if (side_a != 0 || side_b != 0) {
    return !have_both_signs(side(along, p, q), side(along, q, r), side(along, r, p));
  }
  return touches_coplanar(project(corner[0], axis), project(corner[1], axis),
                          project(corner[2], axis), project(a, axis), project(b, axis));
}
