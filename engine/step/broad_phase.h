/* Looks for links by where they are now: all workers together, each in its own patches. */
#ifndef WEFT_STEP_BROAD_PHASE_H
#define WEFT_STEP_BROAD_PHASE_H

#include "base/vec3.h"
#include "step/step.h"

/* Whether a segment touches a shape. */
typedef bool weft__touches(const void* shape, weft__vec3 a, weft__vec3 b);

typedef struct weft__finder {
  weft__touches* touches;
  const void* shape;
  double least[3], most[3]; /* a box around the shape */
} weft__finder;

/* Marks the links that act and touch the shape in the cloth's schedule, for weft__tear_found(). */
void weft__find_links(weft__stepper* stepper, const weft__finder* finder);

#endif
