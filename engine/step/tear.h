/* Links that have been found too long break, and with them what they held together: bend elements, and what
 * stands for them on the coarse levels. Trees look at the links themselves. */
#ifndef WEFT_STEP_TEAR_H
#define WEFT_STEP_TEAR_H

#include "step/step.h"

/* Tears the links that are marked in the cloth's schedule, in the patches that have any. By one worker, in
 * the order of the patches, whoever has found what. */
void weft__tear_found(weft__stepper* stepper);

#endif
