/* All that is within a radius of a segment: a sphere where the segment's ends are one. */
#ifndef WEFT_TEARS_CAPSULE_H
#define WEFT_TEARS_CAPSULE_H

#include <stdbool.h>

#include "base/vector.h"

typedef struct weft__capsule {
  weft__vector from, to;
  double radius;
} weft__capsule;

/* The square of the least distance between the segments a b and c d, of which each may be a point or
 * parallel to the other. (Ericson 2005, "Real-Time Collision Detection", section 5.1.9) */
double weft__segments_apart_sq(weft__vector a, weft__vector b, weft__vector c, weft__vector d);

/* Whether a part of the segment a b lies in a capsule; its surface belongs to it. */
bool weft__capsule_touches(const void* capsule, weft__vector a, weft__vector b);

#endif
