/* Projection onto the bounds: after links and trees in each substep, so that no particle is seen
 * outside. */
#ifndef WEFT_STEP_BOUNDS_H
#define WEFT_STEP_BOUNDS_H

#include "step/step.h"

/* Wall contacts are recorded from the first substep of a step on. */
void weft__apply_bounds(weft__step_context* step);

#endif
