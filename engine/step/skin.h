/* Skinned garments: limits of particles about positions that the caller animates. */
#ifndef WEFT_STEP_SKIN_H
#define WEFT_STEP_SKIN_H

#include "kernels/kernels.h"
#include "parallel/step_context.h"
#include "tables/skin.h"

/* Applies the limits at the end of a substep, with targets at its share of the step. */
void weft__skin_solve(weft__skin* skin, const weft__step_context* step);

#endif
