#include <math.h>

#include "base/aabb.h"
#include "base/min_max.h"
#include "geometry/closest_points.h"
#include "geometry/convex.h"
#include "modules/query/forms/forms.h"

static weft__vec3 nearest_of(weft__vec3 a, weft__vec3 b, weft__vec3 point) {
  const double share = weft__nearest_on_segment(point, a, b);
  return share == 1.0 ? b : weft__plus(a, weft__scaled(share, weft__minus(b, a)));
}

static double cast_at_cylinder(const weft__query_path* path, weft__vec3 a, weft__vec3 b,
                               double radius) {
  const weft__vec3 whole = weft__minus(b, a);
  const double length = weft__length(whole);
  if (!(length > 0.0)) return INFINITY;
  const weft__vec3 axis = weft__scaled(1.0 / length, whole);
  // components along the axis and across it
  const weft__vec3 offset = weft__minus(path->from, a);
  const double axial = weft__dot(offset, axis);
  const double axial_rate = weft__dot(path->direction, axis);
  const weft__vec3 lateral = weft__minus(offset, weft__scaled(axial, axis));
  const weft__vec3 lateral_rate = weft__minus(path->direction, weft__scaled(axial_rate, axis));
  const double speed_sq = weft__dot(lateral_rate, lateral_rate);
  // parallel to the axis only the ends can be hit
  if (!(speed_sq > 1e-24)) return INFINITY;
  const double nearest_at = -weft__dot(lateral, lateral_rate) / speed_sq;
  const weft__vec3 beside = weft__plus(lateral, weft__scaled(nearest_at, lateral_rate));
  const double half_sq = radius * radius - weft__dot(beside, beside);
  if (!(half_sq >= 0.0)) return INFINITY;
  const double distance = nearest_at - sqrt(half_sq / speed_sq);
  const double hit_axial = axial + distance * axial_rate;
  return distance >= 0.0 && hit_axial >= 0.0 && hit_axial <= length ? distance : INFINITY;
}

static double cast_at_capsule(const weft__query_path* path, weft__vec3 a, weft__vec3 b,
                              double radius) {
  const double side = cast_at_cylinder(path, a, b, radius);
  const double at_a = weft__time_to_sphere(weft__minus(path->from, a), path->direction, radius);
  const double at_b = weft__time_to_sphere(weft__minus(path->from, b), path->direction, radius);
  return weft__min(side, weft__min(at_a, at_b));
}

static bool find_nearest(const weft__element* element, weft__vec3 point, double reach,
                         weft__query_result* result) {
  return weft__result_near(nearest_of(element->corner[0], element->corner[1], point), point, reach,
                           result);
}

static bool cast(const weft__element* element, const weft__query_path* path, double enter,
                 double leave, weft__query_result* result) {
  (void)enter;
  (void)leave;
  if (!(path->radius > 0.0)) return false;
  const weft__vec3 a = element->corner[0];
  const weft__vec3 b = element->corner[1];
  const weft__vec3 offset = weft__minus(path->from, nearest_of(a, b, path->from));
  if (weft__dot(offset, offset) <= path->radius * path->radius) {
    *result = weft__result_inside(path->from);
    return true;
  }
  const double distance = cast_at_capsule(path, a, b, path->radius);
  if (!(distance <= path->length) || distance == INFINITY) return false;
  const weft__vec3 center = weft__query_path_at(path, distance);
  weft__result_of_hit(path, distance, nearest_of(a, b, center), result);
  return true;
}

static bool overlaps_box(const weft__element* element, const weft__extent* box) {
  const weft__vec3 a = element->corner[0];
  const weft__vec3 b = element->corner[1];
  const double from[3] = {a.x, a.y, a.z};
  const double to[3] = {b.x, b.y, b.z};
  double enter = 0.0;
  double leave = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (!weft__clip_to_slab(box->lower[axis] - from[axis], box->upper[axis] - from[axis],
                            to[axis] - from[axis], &enter, &leave)) {
      return false;
    }
  }
  return enter <= leave;
}

const weft__form_row weft__segment_form_row = {
    .find_nearest = find_nearest,
    .cast = cast,
    .overlaps_box = overlaps_box,
};
