/* Projection onto the bounds, after links and trees in each substep. */
#ifndef WEFT_STEP_BOUNDS_H
#define WEFT_STEP_BOUNDS_H

#include "step/step.h"

void weft__apply_bounds(weft__step_context* step);

#endif
