/* Points within a radius of a segment; a sphere if that is a point. */
#ifndef WEFT_EDIT_CAPSULE_H
#define WEFT_EDIT_CAPSULE_H

#include <stdbool.h>

#include "base/vec3.h"

typedef struct weft__capsule {
  weft__vec3 from, to;
  double radius;
} weft__capsule;

/* Squared; segments a b and c d may be points or parallel. (Ericson 2005, "Real-Time Collision
 * Detection", section 5.1.9) */
double weft__segment_distance_sq(weft__vec3 a, weft__vec3 b, weft__vec3 c, weft__vec3 d);

/* Surface included. */
bool weft__capsule_touches(const void* capsule, weft__vec3 a, weft__vec3 b);

#endif
