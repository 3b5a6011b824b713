/* How long substeps are, and what follows from that: how far gravity and velocity carry a particle, how
 * much links with a compliance give way.
 *
 * A particle's velocity lies between where it is and where it was, as far apart as one substep takes it.
 * So the first substep of another length h' scales that way by h' / h; from the second on both are as
 * long. It is taken as a substep by itself:
 *
 *     substeps   |----- h -----|----- h -----|-- h' --|-- h' --|
 *     kept                            1         h'/h      1         without damping
 *
 *     x' = x + (x - x_before) h' / h + a h'^2
 *
 * (time-corrected Verlet; Dummer 2005, "A simple time-corrected Verlet integration method", in the form
 * in which a velocity (x - x_before) / h becomes v + a h': forces, like links, push for the substep that
 * is taken. With h' (h + h') / 2 in the place of h'^2 free fall would be more exact, and what hangs at
 * rest would jump at each change, as its links do not know h.) */
#ifndef WEFT_STEP_PACE_H
#define WEFT_STEP_PACE_H

#include "step/step.h"

/* What a substep does to a particle: its velocity fades by e^(-damping h), so that what is left after a
 * second does not depend on the steps, and gravity adds to it in full, so that what hangs still weighs what
 * it weighs. */
weft__motion weft__motion_of(const weft__physics* physics);

/* Sets the seconds of the substeps from now on: velocities stay what they are. */
void weft__pace_set(weft__stepper* stepper, double h);

/* Whether the next substep is as long as the last one. */
static inline bool weft__pace_is_even(const weft__stepper* stepper) {
  return stepper->physics.h == stepper->physics.last_h;
}

/* Notes that a substep of the present length has been taken. */
void weft__pace_settle(weft__stepper* stepper);

/* To be called whenever gravity, damping or speed limits have changed. */
void weft__pace_set_motion(weft__stepper* stepper);

#endif
