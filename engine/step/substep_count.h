/* Number of substeps of a step: the one set, or more while cloth and colliders near it move too far
 * in one, seen from each other (collision/colliders/approach.h).
 *
 *   needed  motion in the step <= MOTION_SHARE x range x substeps
 *   rise    at once, to the needed number, at most `most`
 *   fall    to the number needed then, once fewer have been enough for CALM_SECONDS
 *
 * Constraints are solved for the new length from the first substep on. Partial substeps, as of
 * lengths that the caller sets (step_size.h), would hold cloth no better than the long ones did;
 * so errors of long substeps are corrected within a short one, at speeds of about g h^2 / h'.
 *
 * Environments have one number, and none may depend on another: worlds of several keep the one set.
 * Processes that compute a world together take the largest motion of all. */
#ifndef WEFT_STEP_SUBSTEP_COUNT_H
#define WEFT_STEP_SUBSTEP_COUNT_H

#include <stdint.h>

struct weft__stepper;

typedef struct weft__substep_count {
  uint32_t set;  /* by the def or a call; settings.substeps is the number of the last step */
  uint32_t most; /* >= set */
  uint32_t calm; /* steps for which fewer would have been enough */
} weft__substep_count;

/* Most substeps by weft_solver_def.max_substeps. */
uint32_t weft__most_substeps(uint32_t max_substeps, uint32_t set);

/* Takes another number of substeps, whose length is left to the caller. */
void weft__substep_count_take(struct weft__stepper* stepper, uint32_t number);

/* Chooses the number of the next step. */
void weft__substep_count_choose(struct weft__stepper* stepper);

#endif
