#include "edit/capsule.h"

#include "base/min_max.h"

// Rounding displaces closest points of nearly parallel segments along both: the distance hardly
// changes.
double weft__segment_distance_sq(weft__vec3 a, weft__vec3 b, weft__vec3 c, weft__vec3 d) {
  const weft__vec3 along = weft__minus(b, a);
  const weft__vec3 other = weft__minus(d, c);
  const weft__vec3 between = weft__minus(a, c);
  const double along_sq = weft__dot(along, along);
  const double other_sq = weft__dot(other, other);
  const double dot_both = weft__dot(along, other);
  const double ahead = weft__dot(along, between);
  const double beside = weft__dot(other, between);
  // from a to b, and from c to d, 0 to 1
  double s = 0.0;
  double t = 0.0;
  if (!(other_sq > 0.0)) {
    if (along_sq > 0.0) s = weft__clamp_unit(-ahead / along_sq);
  } else {
    const double determinant = along_sq * other_sq - dot_both * dot_both;
    if (determinant > 0.0)
      s = weft__clamp_unit((dot_both * beside - ahead * other_sq) / determinant);
    const double best = (dot_both * s + beside) / other_sq;
    t = weft__clamp_unit(best);
    if (t != best && along_sq > 0.0) s = weft__clamp_unit((t * dot_both - ahead) / along_sq);
  }
  const weft__vec3 gap =
      weft__minus(weft__plus(between, weft__scaled(s, along)), weft__scaled(t, other));
  return weft__dot(gap, gap);
}

bool weft__capsule_touches(const void* capsule, weft__vec3 a, weft__vec3 b) {
  const weft__capsule* c = capsule;
  return weft__segment_distance_sq(a, b, c->from, c->to) <= c->radius * c->radius;
}
