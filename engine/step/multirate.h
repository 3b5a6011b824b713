/* Multirate integration: a step has as many substeps as its most demanding rate group, a group of
 * fewer takes longer ones.
 *
 *     rate group of 8   |--|--|--|--|--|--|--|--|   stride 1
 *     rate group of 2   |-----------|-----------|   stride 4
 *
 * A longer substep is taken whole, with links, levels, trees and rods, at its first short one.
 * Between steps velocities are displacements in a short one, x - x_before = v h, so that all else
 * has one length of substeps. (Gear, Wells 1984, "Multirate linear multistep methods")
 *
 * Only in steps in which nothing reads positions between: with contacts, bounds, joints, moved
 * pins, loads, skin limits, or paused environments, all groups take every substep. */
#ifndef WEFT_STEP_MULTIRATE_H
#define WEFT_STEP_MULTIRATE_H

#include <stdbool.h>
#include <stdint.h>

#include "parallel/step_context.h"
#include "tables/rate_groups.h"

struct weft__stepper;

/* Strides of the groups in the next step; false if all are 1. */
bool weft__multirate_choose(const struct weft__stepper* stepper,
                            uint32_t strides[WEFT__MAX_RATE_GROUPS]);

/* Takes the longer substeps that begin with this one. */
void weft__multirate_take(struct weft__stepper* stepper, const weft__step_context* step);

#endif
