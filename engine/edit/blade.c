#include "edit/blade.h"

#include <math.h>

// the rounding of a determinant of differences, as a share of the sum of its products' sizes
#define ROUNDING 1e-15

static int sign_of(double value, double size) {
  const double bound = ROUNDING * size;
  return (value > bound) - (value < -bound);
}

// the sign of u . (v x w); exchanging v and w turns it around, rounding and all
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

static bool differ(int p, int q, int r) {
  return (p > 0 || q > 0 || r > 0) && (p < 0 || q < 0 || r < 0);
}

// ---- in the plane of the blade ----

// what is left of a vector that is looked at along an axis
typedef struct flat {
  double x, y;
} flat;

static flat flatten(weft__vec3 v, int axis) {
  if (axis == 0) return (flat){v.y, v.z};
  return axis == 1 ? (flat){v.z, v.x} : (flat){v.x, v.y};
}

// the sign of (u - o) x (v - o)
static int turn(flat o, flat u, flat v) {
  const double xy = (u.x - o.x) * (v.y - o.y);
  const double yx = (u.y - o.y) * (v.x - o.x);
  return sign_of(xy - yx, fabs(xy) + fabs(yx));
}

static bool overlap(double a, double b, double c, double d) {
  return fmax(fmin(a, b), fmin(c, d)) <= fmin(fmax(a, b), fmax(c, d));
}

static bool cross(flat a, flat b, flat c, flat d) {
  if (turn(a, b, c) * turn(a, b, d) > 0 || turn(c, d, a) * turn(c, d, b) > 0) return false;
  // along one line
  return overlap(a.x, b.x, c.x, d.x) && overlap(a.y, b.y, c.y, d.y);
}

static bool touches_flat(flat p, flat q, flat r, flat a, flat b) {
  if (!differ(turn(a, p, q), turn(a, q, r), turn(a, r, p))) return true;
  return cross(a, b, p, q) || cross(a, b, q, r) || cross(a, b, r, p);
}

// the axis along which the blade is seen largest; -1 where it has no area
static int facing(const weft__blade* blade) {
  int axis = -1;
  double most = 0.0;
  for (int k = 0; k < 3; ++k) {
    const flat p = flatten(blade->corner[0], k);
    const flat q = flatten(blade->corner[1], k);
    const flat r = flatten(blade->corner[2], k);
    if (turn(p, q, r) == 0) continue;
    const double area = fabs((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x));
    if (area <= most) continue;
    most = area;
    axis = k;
  }
  return axis;
}

// ---- anywhere ----

bool weft__blade_touches(const void* blade, weft__vec3 a, weft__vec3 b) {
  const weft__vec3* corner = ((const weft__blade*)blade)->corner;
  const int axis = facing(blade);
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
    return !differ(side(along, p, q), side(along, q, r), side(along, r, p));
  }
  return touches_flat(flatten(corner[0], axis), flatten(corner[1], axis), flatten(corner[2], axis),
                      flatten(a, axis), flatten(b, axis));
}
