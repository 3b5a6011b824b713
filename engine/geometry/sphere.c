#include <math.h>

#include "base/fields.h"
#include "geometry/convex.h"

static weft_result check_radius(const weft_collider_def* def) {
  return WEFT__CHECK_FIELD(collider, def, radius);
}

// Nearest point of a sphere; the normal is (0, 1, 0) at its centre.
static void find_nearest_ball(weft__vec3 center, double radius, weft__vec3 point,
                              weft__surface_point* nearest) {
  const weft__vec3 offset = weft__minus(point, center);
  const double length = weft__length(offset);
  nearest->normal = length > 0.0 ? weft__scaled(1.0 / length, offset) : (weft__vec3){0.0, 1.0, 0.0};
  nearest->distance = length - radius;
  nearest->point = weft__plus(center, weft__scaled(radius, nearest->normal));
}

// ---- spheres ----

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

// Smaller root of |from + t displacement| = radius, for `from` outside.
static bool time_of_impact(weft__vec3 from, weft__vec3 displacement, double radius,
                           double* fraction) {
  const double approach = -weft__dot(from, displacement);
  if (!(approach > 0.0)) return false;
  const double displacement_sq = weft__dot(displacement, displacement);
  const weft__vec3 across = weft__cross(from, displacement);
  const double root_sq = displacement_sq * radius * radius - weft__dot(across, across);
  if (root_sq < 0.0) return false;
  const double length = weft__length(from);
  const double t = (length - radius) * (length + radius) / (approach + sqrt(root_sq));
  if (t > 1.0) return false;
  *fraction = t > 0.0 ? t : 0.0;
  return true;
}

static bool cast_at_sphere(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double radius,
                           weft__cast* cast) {
  const double sum = shape->radius + radius;
  double fraction = 0.0;
  const weft__vec3 displacement = weft__minus(to, from);
  if (weft__dot(from, from) > sum * sum && !time_of_impact(from, displacement, sum, &fraction))
    return false;
  weft__surface_point nearest;
  find_nearest_ball((weft__vec3){0.0, 0.0, 0.0}, shape->radius,
                    weft__plus(from, weft__scaled(fraction, displacement)), &nearest);
  *cast = (weft__cast){fraction, nearest.point, nearest.normal};
  return true;
}

// half edges are orthogonal: clamp each coordinate independently
static bool sphere_meets_box(const weft__shape* shape, weft__vec3 center,
                             const weft__vec3 half_edges[3]) {
  weft__vec3 nearest = center;
  for (int k = 0; k < 3; ++k) {
    const double length_sq = weft__dot(half_edges[k], half_edges[k]);
    if (!(length_sq > 0.0)) continue;
    const double t = -weft__dot(center, half_edges[k]) / length_sq;
    const double share = t > 1.0 ? 1.0 : t < -1.0 ? -1.0 : t;
    nearest = weft__plus(nearest, weft__scaled(share, half_edges[k]));
  }
  return weft__dot(nearest, nearest) <= shape->radius * shape->radius;
}

const weft__shape_row weft__sphere_row = {
    .check = check_radius,
    .bound = bound_sphere,
    .find_nearest = find_nearest_to_sphere,
    .cast = cast_at_sphere,
    .overlaps_box = sphere_meets_box,
};

// ---- capsules ----

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
  const weft__vec3 center = {0.0, point.y > half ? half : point.y < -half ? -half : point.y, 0.0};
  find_nearest_ball(center, shape->radius, point, nearest);
  // on the axis every perpendicular direction is equally near
  const bool on_axis =
      fabs(point.x) < WEFT__MIN_LENGTH && fabs(point.z) < WEFT__MIN_LENGTH && center.y == point.y;
  if (on_axis) {
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
