#define WIDE_LANES 1
#include "geometry/convex.h"

#include <math.h>

#include "base/fields.h"
#include "geometry/advancement.inl"

weft_result weft__check_half_size(const weft_collider_def* def) {
  return WEFT__CHECK_FIELD(collider, def, half_size);
}

void weft__bounds_from_half_size(const weft__shape* shape, weft__vec3* lower, weft__vec3* upper) {
  *upper = (weft__vec3){shape->half_size[0], shape->half_size[1], shape->half_size[2]};
  *lower = weft__scaled(-1.0, *upper);
}

typedef struct convex_cast {
  const weft__shape_row* row;
  const weft__shape* shape;
  weft__vec3 from, displacement;
  double radius;
  weft__cast cast;
} convex_cast;

static double separated(void* context, double time, dwide_mask active) {
  (void)active;
  convex_cast* c = context;
  weft__surface_point nearest;
  const weft__vec3 here = weft__plus(c->from, weft__scaled(time, c->displacement));
  if (!c->row->find_nearest(c->shape, here, INFINITY, &nearest)) return INFINITY;
  c->cast = (weft__cast){time, nearest.point, nearest.normal};
  const double next = closes_at(time, nearest.distance - c->radius, 0.0,
                                -weft__dot(nearest.normal, c->displacement));
  return next <= time + WEFT__CAST_RESOLUTION ? time : next;
}

bool weft__convex_cast(const weft__shape_row* row, const weft__shape* shape, weft__vec3 from,
                       weft__vec3 to, double radius, weft__cast* cast) {
  convex_cast c = {.row = row,
                   .shape = shape,
                   .from = from,
                   .displacement = weft__minus(to, from),
                   .radius = radius};
  if (!advance_to_contact(separated, &c, -1, 1.0, MAX_ADVANCES)) return false;
  *cast = c.cast;
  return true;
}

// Moves along one generator to the point nearest to the origin; returns the change of its
// coordinate.
static double minimize_along(weft__vec3* sum, weft__vec3 generator, double* share) {
  const double length_sq = weft__dot(generator, generator);
  if (!(length_sq > 0.0)) return 0.0;
  double next = *share - weft__dot(*sum, generator) / length_sq;
  next = next > 1.0 ? 1.0 : next < -1.0 ? -1.0 : next;
  const double moved = next - *share;
  *share = next;
  *sum = weft__plus(*sum, weft__scaled(moved, generator));
  return fabs(moved);
}

static bool is_apart(weft__vec3 center, const weft__vec3* generators, int count, double radius,
                     weft__vec3 direction) {
  double lowest = weft__dot(center, direction);
  for (int k = 0; k < count; ++k) lowest -= fabs(weft__dot(generators[k], direction));
  return lowest > radius * sqrt(weft__dot(direction, direction));
}

bool weft__zonotope_is_near(weft__vec3 center, const weft__vec3* generators, int count,
                            double radius) {
  double shares[6] = {0.0};
  weft__vec3 sum = center;
  // coordinate descent towards the origin
  for (int round = 0; round < 1000; ++round) {
    if (weft__dot(sum, sum) <= radius * radius) return true;
    if (is_apart(center, generators, count, radius, sum)) return false;
    double moved = 0.0;
    for (int k = 0; k < count; ++k) moved += minimize_along(&sum, generators[k], &shares[k]);
    if (!(moved > 0.0)) break;
  }
  return !is_apart(center, generators, count, radius, sum);
}
