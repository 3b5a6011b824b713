#include "edit/capsule.h"

#include "geometry/closest_points.h"

bool weft__capsule_touches(const void* capsule, weft__vec3 a, weft__vec3 b) {
  const weft__capsule* c = capsule;
  double along[2];
  return weft__closest_on_segments((const weft__vec3[]){a, b}, (const weft__vec3[]){c->from, c->to},
                                   along) <= c->radius * c->radius;
}
