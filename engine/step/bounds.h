/* Projection onto the bounds: the stage after links and trees in each substep, so that no particle
 * is seen outside. */
#ifndef WEFT_STEP_BOUNDS_H
#define WEFT_STEP_BOUNDS_H

#include "step/step.h"

/* Called by all workers, between two barriers. `substep`: number within the step; wall contacts are
 * recorded from substep 0 on. */
void weft__apply_bounds(const weft__stepper* stepper, uint32_t substep, uint32_t worker);

#endif
