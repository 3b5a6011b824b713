/* Step size, and the constants derived from it: displacement by gravity and velocity in a substep,
 * and the scaled compliance of links.
 *
 * A particle's velocity is the difference of its current and its previous position, which are one
 * substep apart. The first substep of another length h' scales the difference by h' / h; from the
 * second on both have the new length. The first one therefore runs as a stage of its own:
 *
 *     substeps   |----- h -----|----- h -----|-- h' --|-- h' --|
 *     kept                            1         h'/h      1         without damping
 *
 *     x' = x + (x - x_before) h' / h + a h'^2
 *
 * (time-corrected Verlet; Dummer 2005, "A simple time-corrected Verlet integration method", in the
 * form in which a velocity (x - x_before) / h becomes v + a h': forces, like links, act over the
 * substep that is taken. With h' (h + h') / 2 in place of h'^2 free fall would be more exact, and a
 * body hanging at rest would jump at each change, as its links do not know h.) */
#ifndef WEFT_STEP_STEP_SIZE_H
#define WEFT_STEP_STEP_SIZE_H

#include "step/step.h"

/* Motion of a particle in a substep: its velocity decays by e^(-damping h), so that the decay over
 * a second does not depend on the step size, and gravity acts undamped, so that a hanging body
 * keeps its weight. */
weft__motion weft__step_size_motion(const weft__physics* physics);

/* Sets the substep in seconds; velocities are preserved. */
void weft__step_size_set(weft__stepper* stepper, double h);

/* True if the next substep is as long as the last one. */
static inline bool weft__step_size_is_constant(const weft__stepper* stepper) {
  return stepper->physics.h == stepper->physics.last_h;
}

/* Records that a substep of the present length has been taken. */
void weft__step_size_settle(weft__stepper* stepper);

/* Updates the motion, and that of each environment. Call it whenever gravity, damping or speed
 * limits have changed. */
void weft__step_size_update_motion(weft__stepper* stepper);

#endif
