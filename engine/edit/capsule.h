/* Points within a radius of a segment; a sphere if that is a point. */
#ifndef WEFT_EDIT_CAPSULE_H
#define WEFT_EDIT_CAPSULE_H

#include <stdbool.h>

#include "base/vec3.h"

typedef struct weft__capsule {
  weft__vec3 from, to;
  double radius;
} weft__capsule;

/* Surface included. */
bool weft__capsule_touches(const void* capsule, weft__vec3 a, weft__vec3 b);

#endif
