#include "edit/capsule.h"

// 0 for what is no number
static double within_unit(double value) {
  if (!(value > 0.0)) return 0.0;
  return value < 1.0 ? value : 1.0;
}

// Where they are nearly parallel, rounding misplaces the nearest points along both: by no more than the
// distance hardly changes over.
double weft__segments_apart_sq(weft__vec3 a, weft__vec3 b, weft__vec3 c, weft__vec3 d) {
  const weft__vec3 along = weft__minus(b, a);
  const weft__vec3 other = weft__minus(d, c);
  const weft__vec3 between = weft__minus(a, c);
  const double along_sq = weft__dot(along, along);
  const double other_sq = weft__dot(other, other);
  const double both = weft__dot(along, other);
  const double ahead = weft__dot(along, between);
  const double beside = weft__dot(other, between);
  // shares of the way from a to b, and from c to d
  double s = 0.0;
  double t = 0.0;
  if (!(other_sq > 0.0)) {
    if (along_sq > 0.0) s = within_unit(-ahead / along_sq);
  } else {
    const double apart = along_sq * other_sq - both * both;
    if (apart > 0.0) s = within_unit((both * beside - ahead * other_sq) / apart);
    const double best = (both * s + beside) / other_sq;
    t = within_unit(best);
    if (t != best && along_sq > 0.0) s = within_unit((t * both - ahead) / along_sq);
  }
  const weft__vec3 gap =
      weft__minus(weft__plus(between, weft__scaled(s, along)), weft__scaled(t, other));
  return weft__dot(gap, gap);
}

bool weft__capsule_touches(const void* capsule, weft__vec3 a, weft__vec3 b) {
  const weft__capsule* c = capsule;
  return weft__segments_apart_sq(a, b, c->from, c->to) <= c->radius * c->radius;
}
