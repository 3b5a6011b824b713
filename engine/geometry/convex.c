#include "geometry/convex.h"

#include <math.h>

#include "base/fields.h"

weft_result weft__check_half_size(const weft_collider_def* def) {
  return WEFT__CHECK_FIELD(collider, def, half_size);
}

void weft__bounds_from_half_size(const weft__shape* shape, weft__vec3* lower, weft__vec3* upper) {
  *upper = (weft__vec3){shape->half_size[0], shape->half_size[1], shape->half_size[2]};
  *lower = weft__scaled(-1.0, *upper);
}

bool weft__convex_cast(const weft__shape_row* row, const weft__shape* shape, weft__vec3 from,
                       weft__vec3 to, double radius, weft__cast* cast) {
  const weft__vec3 displacement = weft__minus(to, from);
  double fraction = 0.0;
  weft__surface_point nearest;
  for (int step = 0; step < WEFT__MAX_CAST_STEPS; ++step) {
    const weft__vec3 here = weft__plus(from, weft__scaled(fraction, displacement));
    if (!row->find_nearest(shape, here, INFINITY, &nearest)) return false;
    const double gap = nearest.distance - radius;
    if (gap <= 0.0) break;
    const double closing = -weft__dot(nearest.normal, displacement);
    // moving away, or tangent
    if (!(closing > 0.0)) return false;
    const double next = fraction + gap / closing;
    if (next > 1.0) return false;
    // converged to double precision
    if (next <= fraction + 1e-15) break;
    fraction = next;
  }
  *cast = (weft__cast){fraction, nearest.point, nearest.normal};
  return true;
}

// Coordinate descent: moves along one generator to the point nearest to the origin. Returns the
// change of its coordinate.
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

// Separating plane test along a direction.
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
  // coordinate descent towards the origin, one generator after another
  for (int round = 0; round < 1000; ++round) {
    if (weft__dot(sum, sum) <= radius * radius) return true;
    if (is_apart(center, generators, count, radius, sum)) return false;
    double moved = 0.0;
    for (int k = 0; k < count; ++k) moved += minimize_along(&sum, generators[k], &shares[k]);
    if (!(moved > 0.0)) break;
  }
  return !is_apart(center, generators, count, radius, sum);
}
