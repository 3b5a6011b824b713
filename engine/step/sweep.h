/* Sweeps: the patches of the cloth, and of its coarse levels, taken through their phases in the order that
 * parallel/wavefront.h describes, by all workers together, who meet at the end of each function. */
#ifndef WEFT_STEP_SWEEP_H
#define WEFT_STEP_SWEEP_H

#include "step/step.h"

/* Integrates all particles, and sweeps: coarse levels first, where there are some, then the cloth, with
 * joints after each sweep. */
void weft__sweep(weft__stepper* stepper, uint32_t worker);

/* Tears the links that are longer than they can bear. */
void weft__tear_too_long(weft__stepper* stepper, uint32_t worker);

#endif
