/* Triangles, which are faces: thin, with two sides. */
#include <math.h>

#include "base/nearest.h"
#include "queries/forms.h"

// the rounding of a determinant of differences, as a share of the sum of its products' sizes
#define ROUNDING 1e-15
// the square of the sine below which two edges are one line
#define LEAST_SINE_SQ 1e-24

static weft__vector across(weft__vector a, weft__vector b) {
  return (weft__vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// at right angles to it, as long as twice its area; false where it has none
static bool find_normal(const weft__vector corner[3], weft__vector* normal) {
  const weft__vector ab = weft__minus(corner[1], corner[0]);
  const weft__vector ac = weft__minus(corner[2], corner[0]);
  *normal = across(ab, ac);
  return weft__dot(*normal, *normal) >
         LEAST_SINE_SQ * (weft__dot(ab, ab) * weft__dot(ac, ac));
}

// ---- near ----

static weft__vector nearest_of(const weft__vector corner[3], weft__vector point) {
  double share[3];
  (void)weft__nearest_of_triangle(point, corner, share);
  const weft__vector along = weft__scaled(share[1], weft__minus(corner[1], corner[0]));
  const weft__vector beside = weft__scaled(share[2], weft__minus(corner[2], corner[0]));
  return weft__plus(corner[0], weft__plus(along, beside));
}

static bool find_nearest(const weft__element* element, weft__vector point, double reach,
                         weft__answer* answer) {
  return weft__answer_near(nearest_of(element->corner, point), point, reach, answer);
}

// ---- rays ----

// The sign of way . (a x b), 0 where it is no more than rounding: exchanging a and b turns it around, so that no
// ray passes between two triangles that have an edge in common.
static int side(weft__vector way, weft__vector a, weft__vector b) {
  const double yz = a.y * b.z;
  const double zy = a.z * b.y;
  const double zx = a.z * b.x;
  const double xz = a.x * b.z;
  const double xy = a.x * b.y;
  const double yx = a.y * b.x;
  const double value = way.x * (yz - zy) + way.y * (zx - xz) + way.z * (xy - yx);
  const double bound = ROUNDING * (fabs(way.x) * (fabs(yz) + fabs(zy)) +
                                   fabs(way.y) * (fabs(zx) + fabs(xz)) +
                                   fabs(way.z) * (fabs(xy) + fabs(yx)));
  return (value > bound) - (value < -bound);
}

static bool passes(const weft__vector corner[3], const weft__way* way) {
  weft__vector seen[3];
  for (int k = 0; k < 3; ++k) seen[k] = weft__minus(corner[k], way->from);
  bool left = false;
  bool right = false;
  for (int k = 0; k < 3; ++k) {
    const int turn = side(way->direction, seen[k], seen[(k + 1) % 3]);
    left = left || turn < 0;
    right = right || turn > 0;
  }
  return !(left && right);
}

static bool cast_ray(const weft__vector corner[3], const weft__way* way, weft__answer* answer) {
  weft__vector normal;
  if (!find_normal(corner, &normal) || !passes(corner, way)) return false;
  const double size = sqrt(weft__dot(normal, normal));
  normal = weft__scaled(1.0 / size, normal);
  const double closing = -weft__dot(normal, way->direction);
  // along its plane there is nothing to meet
  if (!(fabs(closing) > ROUNDING)) return false;
  const double distance = weft__dot(normal, weft__minus(way->from, corner[0])) / closing;
  if (!(distance >= 0.0 && distance <= way->length)) return false;
  *answer = (weft__answer){.distance = distance,
                           .point = weft__way_at(way, distance),
                           .normal = weft__scaled(closing > 0.0 ? 1.0 : -1.0, normal)};
  return true;
}

// ---- balls on their way ----

// whether it has a point straight below
static bool is_above(const weft__vector corner[3], weft__vector normal, weft__vector point) {
  for (int k = 0; k < 3; ++k) {
    const weft__vector edge = weft__minus(corner[(k + 1) % 3], corner[k]);
    const weft__vector apart = weft__minus(point, corner[k]);
    if (!(weft__dot(across(edge, apart), normal) >= 0.0)) return false;
  }
  return true;
}

// where the ball comes to lie on it, beside its edges
static double cast_at_side(const weft__vector corner[3], const weft__way* way) {
  weft__vector normal;
  if (!find_normal(corner, &normal)) return INFINITY;
  const double size = sqrt(weft__dot(normal, normal));
  const double height = weft__dot(normal, weft__minus(way->from, corner[0])) / size;
  const double climb = weft__dot(normal, way->direction) / size;
  const double closing = height > 0.0 ? -climb : climb;
  const double gap = fabs(height) - way->radius;
  if (!(gap >= 0.0 && closing > 0.0)) return INFINITY;
  const double distance = gap / closing;
  return is_above(corner, normal, weft__way_at(way, distance)) ? distance : INFINITY;
}

static bool cast(const weft__element* element, const weft__way* way, double enter, double leave,
                 weft__answer* answer) {
  (void)enter;
  (void)leave;
  const weft__vector* corner = element->corner;
  const weft__vector apart = weft__minus(way->from, nearest_of(corner, way->from));
  if (weft__dot(apart, apart) <= way->radius * way->radius) {
    *answer = weft__inside(way->from);
    return true;
  }
  if (!(way->radius > 0.0)) return cast_ray(corner, way, answer);
  double distance = cast_at_side(corner, way);
  for (int k = 0; k < 3; ++k) {
    distance =
        fmin(distance, weft__cast_at_capsule(way, corner[k], corner[(k + 1) % 3], way->radius));
  }
  if (!(distance <= way->length) || distance == INFINITY) return false;
  weft__answer_met(way, distance, nearest_of(corner, weft__way_at(way, distance)), answer);
  return true;
}

// ---- boxes ----

// Whether a plane at right angles to a direction parts it from a box around 0, by more than rounding.
static bool parts(const weft__vector corner[3], const double half[3], weft__vector direction) {
  const double reach =
      half[0] * fabs(direction.x) + half[1] * fabs(direction.y) + half[2] * fabs(direction.z);
  double least = INFINITY;
  double most = -INFINITY;
  double size = reach;
  for (int k = 0; k < 3; ++k) {
    const weft__vector c = corner[k];
    const double at = weft__dot(c, direction);
    least = fmin(least, at);
    most = fmax(most, at);
    size = fmax(size, fabs(c.x * direction.x) + fabs(c.y * direction.y) + fabs(c.z * direction.z));
  }
  const double slack = 4.0 * ROUNDING * size;
  return least > reach + slack || most < -reach - slack;
}

// (Akenine-Moeller 2001, "Fast 3D triangle-box overlap testing")
static bool meets_box(const weft__element* element, const weft__extent* box) {
  const weft__vector axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  double half[3];
  double middle[3];
  for (int k = 0; k < 3; ++k) {
    half[k] = 0.5 * (box->most[k] - box->least[k]);
    middle[k] = 0.5 * (box->least[k] + box->most[k]);
  }
  weft__vector corner[3];
  for (int k = 0; k < 3; ++k) {
    corner[k] =
        weft__minus(element->corner[k], (weft__vector){middle[0], middle[1], middle[2]});
  }
  for (int k = 0; k < 3; ++k) {
    if (parts(corner, half, axis[k])) return false;
    const weft__vector edge = weft__minus(corner[(k + 1) % 3], corner[k]);
    for (int j = 0; j < 3; ++j) {
      if (parts(corner, half, across(edge, axis[j]))) return false;
    }
  }
  weft__vector normal;
  return !find_normal(corner, &normal) || !parts(corner, half, normal);
}

const weft__form_row weft__triangle_row = {
    .find_nearest = find_nearest,
    .cast = cast,
    .meets_box = meets_box,
};
