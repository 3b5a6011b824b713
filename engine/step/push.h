/* What a step does about forces: those of air and gas are found before its first substep, and all are
 * cleared after its last. See forces/forces.h. */
#ifndef WEFT_STEP_PUSH_H
#define WEFT_STEP_PUSH_H

#include "step/step.h"

/* Before a run of steps: looks whether any link has gone since the last one. */
void weft__push_prepare(weft__stepper* stepper);

/* Called by all workers, who meet before it returns. */
void weft__push_begin(const weft__stepper* stepper, uint32_t worker);

/* The same. Forces that the caller added are there in the first step of a run only. */
void weft__push_end(weft__stepper* stepper, bool is_first, uint32_t worker);

#endif
