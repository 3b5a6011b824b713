/* With u, half the width over the scale: sinh(u) / u = sqrt(length^2 - rise^2) / width. */
#include "sim/catenary.h"

#include <math.h>

// Newton's method from above the root of a convex function: it descends only.
static double solve(double ratio) {
  double u = fmin(sqrt(6.0 * (ratio - 1.0)), 2.0 * log(2.0 * ratio));
  for (int i = 0; i < 200; ++i) {
    const double next = u - (sinh(u) - ratio * u) / (cosh(u) - ratio);
    if (!(next < u) || next <= 0.0) break;
    u = next;
  }
  return u;
}

sim_catenary sim_catenary_between(const double from[3], const double to[3], double length) {
  const double x = to[0] - from[0], z = to[2] - from[2];
  sim_catenary made = {.from = {from[0], from[1], from[2]},
                       .length = length,
                       .rise = to[1] - from[1],
                       .width = sqrt(x * x + z * z)};
  if (made.width > 0.0) {
    made.along[0] = x / made.width;
    made.along[1] = z / made.width;
  }
  const double spare = length * length - made.rise * made.rise;
  const double ratio = spare > 0.0 ? sqrt(spare) / made.width : 0.0;
  if (!(ratio > 1.0) || ratio > 1e9) return made;
  made.scale = made.width / (2.0 * solve(ratio));
  made.middle = 0.5 * made.width - made.scale * atanh(made.rise / length);
  return made;
}

// down and up again, upright: one end is above the other
static double folded(const sim_catenary* c, double distance) {
  const double down = 0.5 * (c->length - c->rise);
  return distance < down ? -distance : distance - 2.0 * down;
}

void sim_catenary_at(const sim_catenary* c, double distance, double place[3]) {
  const double share = distance / c->length;
  double x = share * c->width, y = share * c->rise;
  if (c->scale > 0.0) {
    const double start = -c->middle / c->scale;
    const double here = asinh(distance / c->scale + sinh(start));
    x = c->middle + c->scale * here;
    y = c->scale * (cosh(here) - cosh(start));
  } else if (c->length > sqrt(c->width * c->width + c->rise * c->rise)) {
    y = folded(c, distance);
  }
  place[0] = c->from[0] + x * c->along[0];
  place[1] = c->from[1] + y;
  place[2] = c->from[2] + x * c->along[1];
}
