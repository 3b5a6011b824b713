/* External forces within a step: wind and pressure before its first substep. See
 * forces/forces.h. */
#ifndef WEFT_STEP_EXTERNAL_FORCES_H
#define WEFT_STEP_EXTERNAL_FORCES_H

#include "forces/forces.h"
#include "parallel/step_context.h"

/* Checks before a run of steps if any link is torn. */
void weft__external_forces_prepare(weft__forces* forces, const weft__schedule* schedule);

void weft__external_forces_begin(weft__forces* forces, weft__step_context* step);

/* Ends a step that is left out: gusts go on. */
void weft__external_forces_skip(weft__forces* forces, const weft__step_context* step);

/* Clears all forces, the caller's too: they act only in the first step of a run. */
void weft__external_forces_end(weft__forces* forces, weft__step_context* step);

#endif
