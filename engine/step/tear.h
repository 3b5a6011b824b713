/* Links that go: those found too long in a step, those torn or switched off by hand, and those of a body that
 * is taken out. With a link goes what it held together: bend elements, what stands for it on the coarse
 * levels, and the tethers that lead along it. Trees look at the links themselves. */
#ifndef WEFT_STEP_TEAR_H
#define WEFT_STEP_TEAR_H

#include "step/step.h"

/* What the calls below need besides what a step does; made by the first one that calls this. False when
 * memory cannot be had. */
bool weft__prepare_tears(weft__stepper* stepper);

/* Tears the links that are marked in the cloth's schedule, in the patches that have any, and clears the
 * marks. By one worker, in the order of the patches, whoever has found what. */
void weft__tear_found(weft__stepper* stepper);

/* Tears the link of a slot, unless it is torn already. */
void weft__tear_slot(weft__stepper* stepper, uint32_t slot);

/* Switches the link of a slot on or off, unless it is torn. */
void weft__enable_slot(weft__stepper* stepper, uint32_t slot, bool enabled);

/* Takes out all links that have an end among these particles, by the caller's number, and pins them. */
void weft__remove_particles(weft__stepper* stepper, uint32_t first, uint32_t count);

/* Takes the link of a slot out, as one that is neither torn nor may come back. */
void weft__remove_slot(weft__stepper* stepper, uint32_t slot);

#endif
