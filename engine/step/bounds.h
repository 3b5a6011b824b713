/* Particles stay in their box: a stage at the end of each substep, when links and trees have had their say,
 * so that no particle is seen outside. */
#ifndef WEFT_STEP_BOUNDS_H
#define WEFT_STEP_BOUNDS_H

#include "step/step.h"

/* Called by all workers, which must have met, and have to meet after it. `substep` is that of the step:
 * what the walls hold is noted from the first on. */
void weft__hold_bounds(const weft__stepper* stepper, uint32_t substep, uint32_t worker);

#endif
