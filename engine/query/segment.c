/* Segments, which are links. */
#include <math.h>

#include "geometry/triangle.h"
#include "query/forms.h"

static weft__vec3 nearest_of(weft__vec3 a, weft__vec3 b, weft__vec3 point) {
  const double share = weft__nearest_on_segment(point, a, b);
  return share == 1.0 ? b : weft__plus(a, weft__scaled(share, weft__minus(b, a)));
}

// where it meets the side of the cylinder between the ends
static double cast_at_side(const weft__query_path* way, weft__vec3 a, weft__vec3 b, double radius) {
  const weft__vec3 whole = weft__minus(b, a);
  const double length = sqrt(weft__dot(whole, whole));
  if (!(length > 0.0)) return INFINITY;
  const weft__vec3 axis = weft__scaled(1.0 / length, whole);
  // all seen along the axis
  const weft__vec3 apart = weft__minus(way->from, a);
  const double up = weft__dot(apart, axis);
  const double climb = weft__dot(way->direction, axis);
  const weft__vec3 flat_apart = weft__minus(apart, weft__scaled(up, axis));
  const weft__vec3 flat_way = weft__minus(way->direction, weft__scaled(climb, axis));
  const double speed_sq = weft__dot(flat_way, flat_way);
  // along the axis only the ends are met
  if (!(speed_sq > 1e-24)) return INFINITY;
  const double nearest_at = -weft__dot(flat_apart, flat_way) / speed_sq;
  const weft__vec3 beside = weft__plus(flat_apart, weft__scaled(nearest_at, flat_way));
  const double half_sq = radius * radius - weft__dot(beside, beside);
  if (!(half_sq >= 0.0)) return INFINITY;
  const double distance = nearest_at - sqrt(half_sq / speed_sq);
  const double met_at = up + distance * climb;
  return distance >= 0.0 && met_at >= 0.0 && met_at <= length ? distance : INFINITY;
}

static double cast_at_capsule(const weft__query_path* way, weft__vec3 a, weft__vec3 b,
                              double radius) {
  const double side = cast_at_side(way, a, b, radius);
  const double ends = fmin(weft__cast_at_ball(way, a, radius), weft__cast_at_ball(way, b, radius));
  return fmin(side, ends);
}

static bool find_nearest(const weft__element* element, weft__vec3 point, double reach,
                         weft__answer* answer) {
  return weft__answer_near(nearest_of(element->corner[0], element->corner[1], point), point, reach,
                           answer);
}

static bool cast(const weft__element* element, const weft__query_path* way, double enter,
                 double leave, weft__answer* answer) {
  (void)enter;
  (void)leave;
  if (!(way->radius > 0.0)) return false;
  const weft__vec3 a = element->corner[0];
  const weft__vec3 b = element->corner[1];
  const weft__vec3 apart = weft__minus(way->from, nearest_of(a, b, way->from));
  if (weft__dot(apart, apart) <= way->radius * way->radius) {
    *answer = weft__inside(way->from);
    return true;
  }
  const double distance = cast_at_capsule(way, a, b, way->radius);
  if (!(distance <= way->length) || distance == INFINITY) return false;
  const weft__vec3 center = weft__way_at(way, distance);
  weft__answer_met(way, distance, nearest_of(a, b, center), answer);
  return true;
}

// the part of a segment, in shares of it, that lies between two planes across an axis
static bool clip(double from, double to, double least, double most, double* enter, double* leave) {
  const double way = to - from;
  if (way == 0.0) return from >= least && from <= most;
  const double first = ((way > 0.0 ? least : most) - from) / way;
  const double last = ((way > 0.0 ? most : least) - from) / way;
  *enter = fmax(*enter, first);
  *leave = fmin(*leave, last);
  return true;
}

static bool meets_box(const weft__element* element, const weft__extent* box) {
  const weft__vec3 a = element->corner[0];
  const weft__vec3 b = element->corner[1];
  double enter = 0.0;
  double leave = 1.0;
  return clip(a.x, b.x, box->least[0], box->most[0], &enter, &leave) &&
         clip(a.y, b.y, box->least[1], box->most[1], &enter, &leave) &&
         clip(a.z, b.z, box->least[2], box->most[2], &enter, &leave) && enter <= leave;
}

const weft__form_row weft__segment_row = {
    .find_nearest = find_nearest,
    .cast = cast,
    .meets_box = meets_box,
};
