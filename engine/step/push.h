/* External forces within a step: wind and pressure are evaluated before its first substep, and all
 * forces are cleared after its last. See forces/forces.h. */
#ifndef WEFT_STEP_PUSH_H
#define WEFT_STEP_PUSH_H

#include "step/step.h"

/* Checks before a run of steps if any link is torn. */
void weft__push_prepare(weft__stepper* stepper);

/* Evaluates the forces. Called by all workers; ends with a barrier. */
void weft__push_begin(const weft__stepper* stepper, uint32_t worker);

/* Clears the forces. Called by all workers; ends with a barrier. The caller's forces act in the
 * first step of a run only. */
void weft__push_end(weft__stepper* stepper, bool is_first, uint32_t worker);

#endif
