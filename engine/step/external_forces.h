/* External forces within a step: wind before its first substep, gas in each. See forces/forces.h.
 */
#ifndef WEFT_STEP_EXTERNAL_FORCES_H
#define WEFT_STEP_EXTERNAL_FORCES_H

#include "collision/materials.h"
#include "forces/forces.h"
#include "parallel/step_context.h"

/* Before a run of steps: checks if any link is torn, reads the radii of links without faces. */
void weft__external_forces_prepare(weft__forces* forces, const weft__schedule* schedule,
                                   const weft__materials* materials);

void weft__external_forces_begin(weft__forces* forces, weft__step_context* step);

void weft__external_forces_begin_substep(const weft__forces* forces, weft__step_context* step);

/* Ends a step that is left out: gusts go on. */
void weft__external_forces_skip(weft__forces* forces, const weft__step_context* step);

/* Clears all forces, the caller's too: they act only in the first step of a run. */
void weft__external_forces_end(weft__forces* forces, weft__step_context* step);

#endif
