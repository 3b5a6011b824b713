#define WIDE_LANES 1
#include <math.h>

#include "base/fields.h"
#include "base/min_max.h"
#include "geometry/convex.h"
#include "geometry/simple_shapes.inl"

static weft_result check_radius(const weft_collider_def* def) {
  return WEFT__CHECK_FIELD(collider, def, radius);
}

// Normal (0, 1, 0) at the centre.
static void find_nearest_ball(weft__vec3 center, double radius, weft__vec3 point,
                              weft__surface_point* nearest) {
  const weft__vec3 offset = weft__minus(point, center);
  const double length = weft__length(offset);
  nearest->normal = length > 0.0 ? weft__scaled(1.0 / length, offset) : (weft__vec3){0.0, 1.0, 0.0};
  nearest->distance = length - radius;
  nearest->point = weft__plus(center, weft__scaled(radius, nearest->normal));
}

static void bound_sphere(const weft__shape* shape, weft__vec3* lower, weft__vec3* upper) {
  const double r = shape->radius;
  *lower = (weft__vec3){-r, -r, -r};
  *upper = (weft__vec3){r, r, r};
}

static bool find_nearest_to_sphere(const weft__shape* shape, weft__vec3 point, double reach,
                                   weft__surface_point* nearest) {
  const double range = shape->radius + reach;
  if (weft__dot(point, point) > range * range) return false;
  find_nearest_ball((weft__vec3){0.0, 0.0, 0.0}, shape->radius, point, nearest);
  return true;
}

double weft__time_to_sphere(weft__vec3 from, weft__vec3 displacement, double radius) {
  double time;
  return reach_sphere(from, displacement, radius, -1, &time) ? weft__max(time, 0.0) : INFINITY;
}

static bool cast_at_sphere(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double radius,
                           weft__cast* cast) {
  const double sum = shape->radius + radius;
  double fraction = 0.0;
  const weft__vec3 displacement = weft__minus(to, from);
  if (weft__dot(from, from) > sum * sum) fraction = weft__time_to_sphere(from, displacement, sum);
  if (fraction > 1.0) return false;
  weft__surface_point nearest;
  find_nearest_ball((weft__vec3){0.0, 0.0, 0.0}, shape->radius,
                    weft__plus(from, weft__scaled(fraction, displacement)), &nearest);
  *cast = (weft__cast){fraction, nearest.point, nearest.normal};
  return true;
}

static bool sphere_meets_box(const weft__shape* shape, weft__vec3 center,
                             const weft__vec3 half_edges[3]) {
  return weft__zonotope_is_near(center, half_edges, 3, shape->radius);
}

const weft__shape_row weft__sphere_row = {
    .check = check_radius,
    .bound = bound_sphere,
    .find_nearest = find_nearest_to_sphere,
    .cast = cast_at_sphere,
    .overlaps_box = sphere_meets_box,
};

static weft_result check_capsule(const weft_collider_def* def) {
  WEFT__TRY(check_radius(def));
  return WEFT__CHECK_ELEMENT(collider, def, half_size, 1);
}

static void bound_capsule(const weft__shape* shape, weft__vec3* lower, weft__vec3* upper) {
  const double r = shape->radius;
  const double end = shape->half_size[1] + r;
  *lower = (weft__vec3){-r, -end, -r};
  *upper = (weft__vec3){r, end, r};
}

static bool find_nearest_to_capsule(const weft__shape* shape, weft__vec3 point, double reach,
                                    weft__surface_point* nearest) {
  const double half = shape->half_size[1];
  const dwide_nearest found = nearest_to_capsule(half, shape->radius, point);
  *nearest = (weft__surface_point){found.distance, found.point, found.normal};
  // on the axis every perpendicular direction is equally near
  if (found.undecided && fabs(point.y) <= half) {
    nearest->normal = (weft__vec3){1.0, 0.0, 0.0};
    nearest->point = (weft__vec3){shape->radius, point.y, 0.0};
  }
  return nearest->distance <= reach;
}

static bool cast_at_capsule(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double radius,
                            weft__cast* cast) {
  return weft__convex_cast(&weft__capsule_row, shape, from, to, radius, cast);
}

// Exact up to rounding.
static bool capsule_meets_box(const weft__shape* shape, weft__vec3 center,
                              const weft__vec3 half_edges[3]) {
  const weft__vec3 generators[4] = {
      half_edges[0], half_edges[1], half_edges[2], {0.0, shape->half_size[1], 0.0}};
  return weft__zonotope_is_near(center, generators, 4, shape->radius);
}

const weft__shape_row weft__capsule_row = {
    .check = check_capsule,
    .bound = bound_capsule,
    .find_nearest = find_nearest_to_capsule,
    .cast = cast_at_capsule,
    .overlaps_box = capsule_meets_box,
};
