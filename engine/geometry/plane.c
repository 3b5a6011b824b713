/* Planes (two-sided) and half-spaces (one-sided), both perpendicular to y through the origin. */
#include <math.h>

#include "geometry/shape.h"

static weft_result check(const weft_collider_def* def) {
  (void)def;
  return weft__ok();
}

static void bound_plane(const weft__shape* shape, weft__vec3* lower, weft__vec3* upper) {
  (void)shape;
  *lower = (weft__vec3){-INFINITY, 0.0, -INFINITY};
  *upper = (weft__vec3){INFINITY, 0.0, INFINITY};
}

static void bound_half_space(const weft__shape* shape, weft__vec3* lower, weft__vec3* upper) {
  bound_plane(shape, lower, upper);
  lower->y = -INFINITY;
}

// Side of the unit normal (0, up, 0); up is 1 or -1.
static bool find_nearest_from(double up, weft__vec3 point, double reach,
                              weft__surface_point* nearest) {
  const double distance = up * point.y;
  if (distance > reach) return false;
  *nearest = (weft__surface_point){distance, {point.x, 0.0, point.z}, {0.0, up, 0.0}};
  return true;
}

static bool find_nearest_plane(const weft__shape* shape, weft__vec3 point, double reach,
                               weft__surface_point* nearest) {
  (void)shape;
  return find_nearest_from(point.y < 0.0 ? -1.0 : 1.0, point, reach, nearest);
}

static bool find_nearest_half_space(const weft__shape* shape, weft__vec3 point, double reach,
                                    weft__surface_point* nearest) {
  (void)shape;
  return find_nearest_from(1.0, point, reach, nearest);
}

static bool cast_from(double up, weft__vec3 from, weft__vec3 to, double radius, weft__cast* cast) {
  const double begins = up * from.y - radius;
  const double ends = up * to.y - radius;
  if (begins > 0.0 && ends > 0.0) return false;
  const double fraction = begins > 0.0 ? begins / (begins - ends) : 0.0;
  const weft__vec3 contact = weft__plus(from, weft__scaled(fraction, weft__minus(to, from)));
  *cast = (weft__cast){fraction, {contact.x, 0.0, contact.z}, {0.0, up, 0.0}};
  return true;
}

static bool cast_plane(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double radius,
                       weft__cast* cast) {
  (void)shape;
  return cast_from(from.y < 0.0 ? -1.0 : 1.0, from, to, radius, cast);
}

static bool cast_half_space(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double radius,
                            weft__cast* cast) {
  (void)shape;
  return cast_from(1.0, from, to, radius, cast);
}

static double half_height(const weft__vec3 half_edges[3]) {
  return fabs(half_edges[0].y) + fabs(half_edges[1].y) + fabs(half_edges[2].y);
}

static bool plane_meets_box(const weft__shape* shape, weft__vec3 center,
                            const weft__vec3 half_edges[3]) {
  (void)shape;
  return fabs(center.y) <= half_height(half_edges);
}

static bool half_space_meets_box(const weft__shape* shape, weft__vec3 center,
                                 const weft__vec3 half_edges[3]) {
  (void)shape;
  return center.y <= half_height(half_edges);
}

const weft__shape_row weft__plane_row = {
    .is_thin = true,
    .check = check,
    .bound = bound_plane,
    .find_nearest = find_nearest_plane,
    .cast = cast_plane,
    .overlaps_box = plane_meets_box,
};

const weft__shape_row weft__half_space_row = {
    .check = check,
    .bound = bound_half_space,
    .find_nearest = find_nearest_half_space,
    .cast = cast_half_space,
    .overlaps_box = half_space_meets_box,
};
