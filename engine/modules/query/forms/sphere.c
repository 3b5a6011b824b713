#include <math.h>

#include "geometry/convex.h"
#include "modules/query/forms/forms.h"

#include "base/min_max.h"

bool weft__result_near(weft__vec3 nearest, weft__vec3 point, double reach,
                       weft__query_result* result) {
  const weft__vec3 away = weft__minus(point, nearest);
  const double distance = weft__length(away);
  if (!(distance <= reach)) return false;
  *result = (weft__query_result){.distance = distance, .point = nearest};
  if (distance > 0.0) result->normal = weft__scaled(1.0 / distance, away);
  return true;
}

void weft__result_of_hit(const weft__query_path* path, double distance, weft__vec3 nearest,
                         weft__query_result* result) {
  const weft__vec3 away = weft__minus(weft__query_path_at(path, distance), nearest);
  const double size = weft__length(away);
  *result = (weft__query_result){.distance = distance, .point = nearest};
  if (size > 0.0) result->normal = weft__scaled(1.0 / size, away);
}

static bool find_nearest(const weft__element* element, weft__vec3 point, double reach,
                         weft__query_result* result) {
  const double radius = element->half_size[0];
  const weft__vec3 away = weft__minus(point, element->corner[0]);
  const double offset = weft__length(away);
  if (offset <= radius) {
    *result = weft__result_inside(point);
    return true;
  }
  if (!(offset - radius <= reach)) return false;
  *result =
      (weft__query_result){.distance = offset - radius, .normal = weft__scaled(1.0 / offset, away)};
  result->point = weft__plus(element->corner[0], weft__scaled(radius, result->normal));
  return true;
}

static bool cast(const weft__element* element, const weft__query_path* path, double enter,
                 double leave, weft__query_result* result) {
  (void)enter;
  (void)leave;
  const double radius = element->half_size[0];
  const double both = radius + path->radius;
  if (!(both > 0.0)) return false;
  const weft__vec3 center = element->corner[0];
  const weft__vec3 offset = weft__minus(path->from, center);
  if (weft__dot(offset, offset) <= both * both) {
    *result = weft__result_inside(path->from);
    return true;
  }
  const double distance = weft__time_to_sphere(offset, path->direction, both);
  if (!(distance <= path->length) || distance == INFINITY) return false;
  weft__result_of_hit(path, distance, center, result);
  result->point = weft__plus(center, weft__scaled(radius, result->normal));
  return true;
}

static double excess(double value, double lower, double upper) {
  if (value < lower) return lower - value;
  return value > upper ? value - upper : 0.0;
}

// At most 1 from the centre, in units of `unit` along each axis.
static bool is_in_reach(weft__vec3 center, const double unit[3], const weft__extent* box) {
  const double x = excess(center.x, box->lower[0], box->upper[0]) / unit[0];
  const double y = excess(center.y, box->lower[1], box->upper[1]) / unit[1];
  const double z = excess(center.z, box->lower[2], box->upper[2]) / unit[2];
  return x * x + y * y + z * z <= 1.0;
}

bool weft__ellipsoid_meets_box(const weft__element* element, const weft__extent* box) {
  const weft__vec3 center = element->corner[0];
  if (element->half_size[0] > 0.0) return is_in_reach(center, element->half_size, box);
  return excess(center.x, box->lower[0], box->upper[0]) == 0.0 &&
         excess(center.y, box->lower[1], box->upper[1]) == 0.0 &&
         excess(center.z, box->lower[2], box->upper[2]) == 0.0;
}

const weft__form_row weft__sphere_form_row = {
    .find_nearest = find_nearest,
    .cast = cast,
    .overlaps_box = weft__ellipsoid_meets_box,
};
