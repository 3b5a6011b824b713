/* Sweeps: the patches of the cloth and of its coarse levels pass through their phases in the order
 * of parallel/wavefront.h. */
#ifndef WEFT_STEP_SWEEP_H
#define WEFT_STEP_SWEEP_H

#include "step/step.h"

/* Integrates, then sweeps the coarse levels and the cloth, with joints after each sweep. */
void weft__sweep(weft__stepper* stepper, const weft__step_context* step);

/* Tears the links beyond their tear ratio. */
void weft__tear_overstretched(weft__stepper* stepper, const weft__step_context* step);

#endif
