/* All that is within a radius of a segment: a sphere where the segment's ends are one. */
#ifndef WEFT_EDIT_CAPSULE_H
#define WEFT_EDIT_CAPSULE_H

#include <stdbool.h>

#include "base/vec3.h"

typedef struct weft__capsule {
  weft__vec3 from, to;
  double radius;
} weft__capsule;

/* The square of the least distance between the segments a b and c d, of which each may be a point or
 * parallel to the other. (Ericson 2005, "Real-Time Collision Detection", section 5.1.9) */
double weft__segments_apart_sq(weft__vec3 a, weft__vec3 b, weft__vec3 c, weft__vec3 d);

/* Whether a part of the segment a b lies in a capsule; its surface belongs to it. */
bool weft__capsule_touches(const void* capsule, weft__vec3 a, weft__vec3 b);

#endif
