/* Step size, and the constants derived from it: displacement by gravity and velocity in a substep,
 * and the scaled compliance of links.
 *
 * A particle's velocity is the difference of its current and its previous position. In the first
 * substep of another length it is scaled:
 *
 *     x' = x + (x - x_before) h' / h + a h'^2
 *
 * (time-corrected Verlet; Dummer 2005, "A simple time-corrected Verlet integration method", so that
 * a velocity (x - x_before) / h becomes v + a h'. With h' (h + h') / 2 in place of h'^2 free fall
 * would be more exact, but a body hanging at rest would jump at each change, as its links do not
 * know h.)
 *
 * Substeps of h leave errors e ~ g h^2 in constraints, as sweeps do not converge and positions
 * round. A shorter substep h' would correct them at the speed e / h', which the next long one would
 * multiply by h / h'. So constraints are never solved for a substep shorter than the one that left
 * their errors. A shorter one is *partial*: its share r of the long one, H, is taken, also of the
 * change of velocity:
 *
 *     velocity   v ........ v + r (V - v)         constraints solved for H: V
 *     position   x ......... x + h' v'            r = h' / H
 *                |--- h' ---|
 *                |------------- H -------------|
 *
 * A body at rest for H is at rest for h', whatever its errors; and a constraint is a spring of
 * period 2 pi H and half the critical damping, stable for all r. Contacts come after, and hold
 * positions at the end of h'. Previous positions are stored as of one H ago: as of h' ago they
 * would round velocities to 1e-7 x / h'. After long substeps H, and with it errors, falls slowly to
 * the length of the substeps taken.
 *
 * Rejected: h' for all, with a correction of positions at the change. One sweep, or ten, removes a
 * small part of the error of a large cloth. Also the share r^2 of the displacement by constraints
 * in h': bodies that are solved exactly, as ropes are, would sag by g H^2. */
#ifndef WEFT_STEP_STEP_SIZE_H
#define WEFT_STEP_STEP_SIZE_H

#include "step/partial_substep.h"
#include "step/tear.h"
#include "tables/physics.h"

/* Tables that depend on the step size: see weft__stepper_step_size(). */
typedef struct weft__step_size {
  weft__physics* physics;
  weft__motion* motion;                /* of the world */
  weft__environment* environments;     /* with their motions [environment_count] */
  weft__constraint_tables constraints; /* with their rates */
} weft__step_size;

/* Velocity decays by e^(-damping h), the same over a second for any step size; gravity acts
 * undamped, so that a hanging body keeps its weight. */
weft__motion weft__step_size_motion(const weft__physics* physics);

/* Allocates the memory that substeps of changing lengths need. False if out of memory. */
bool weft__step_size_prepare(weft__partial_substeps* partial, const weft__particles* particles);

/* Computes all that depends on the lengths in `physics`. */
void weft__step_size_apply(weft__step_size* size);

/* Sets the substep in seconds; velocities are preserved. */
void weft__step_size_set(weft__step_size* size, double h);

/* Sets the substep of a world whose steps vary: it needs memory. */
void weft__step_size_vary(weft__step_size* size, double h);

/* True if the next substep is as long as the last one, and not partial. */
static inline bool weft__step_size_is_constant(const weft__physics* physics) {
  return physics->h == physics->last_h && physics->error_h <= physics->h;
}

/* Share of the solved substep that is taken, above 0, at most 1. */
static inline double weft__step_size_share(const weft__physics* physics) {
  return physics->h / physics->solved_h;
}

/* Force of a constraint over its multiplier, 1/seconds^2. */
static inline double weft__inv_step_sq(const weft__physics* physics) {
  return weft__inv_square(physics->solved_h);
}

/* Lets constraints of the next steps be solved for at least h seconds; set the step after it. */
void weft__step_size_hold(weft__physics* physics, double h);

/* Ends a step whose length is new, or whose substeps are partial. */
void weft__step_size_end_step(weft__step_size* size, uint32_t substeps);

/* The motion of an environment by its own gravity and damping. */
void weft__step_size_set_environment(const weft__physics* physics, weft__environment* environment);

/* Sets the force over the multiplier of swept constraints. */
void weft__step_size_set_rate(weft__constraint_tables* tables, double inv_step_sq);

/* Records that a substep of the present length has been taken. */
void weft__step_size_settle(weft__step_size* size);

/* Updates the motion of the world and of each environment, after a change of gravity, damping or
 * speed limits. */
void weft__step_size_update_motion(weft__step_size* size);

#endif
