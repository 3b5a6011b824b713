/* Conservation of angular momentum for closed bodies under pressure.
 *
 * A sequential sweep along present directions changes angular momentum: a link's rotation in
 * between, times its tension, is a torque. Pressure loads links in every substep, always in one
 * order: a ball would begin to spin by itself, and roll forever on a floor.
 *
 * Angular momentum about the centre of mass is measured before sweeps, and restored after them by a
 * rotation of the body:
 *
 *     L h = sum m r x (x - x_before) = -axial(B), B = sum m r o^T, r = x - c, o = x_before - c
 *
 * A rotation by the small vector t makes B' = R(t) B, and L' h = L h + (tr(B) - B) t to first
 * order: Newton's method needs only B. Lengths do not change, so links stay satisfied. (Changing
 * x_before instead would leave a body that turns while its velocities are 0.)
 *
 * Bodies with pinned particles, or with links to others, receive angular momentum: excluded. */
#ifndef WEFT_FORCES_SPIN_H
#define WEFT_FORCES_SPIN_H

#include "forces/pressure.h"
#include "parallel/step_context.h"

void weft__pressures_record_spin(const weft__pressures* pressures, weft__step_context* step);

void weft__pressures_restore_spin(const weft__pressures* pressures, weft__step_context* step);

#endif
