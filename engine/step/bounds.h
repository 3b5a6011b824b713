/* Projection onto the bounds: the stage after links and trees in each substep, so that no particle
 * is seen outside. */
#ifndef WEFT_STEP_BOUNDS_H
#define WEFT_STEP_BOUNDS_H

#include "step/step.h"

/* Called by all workers, between two barriers. Wall contacts add up over the substeps of a step. */
void weft__apply_bounds(const weft__stepper* stepper, const weft__stage* stage);

#endif
