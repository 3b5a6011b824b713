/* Conservation of angular momentum for closed bodies under pressure.
 *
 * Links are internal forces, and yet a sequential sweep changes angular momentum: it moves the ends
 * of each link along the link's direction at that time, while momentum is counted about the
 * directions before. The rotation of a link in between times its tension is a torque. In cloth
 * tensions are small. In a body under pressure links bear all of it in every substep, always in the
 * same order: without this correction a ball of 2 kg at 500 Pa, stepped at 60 Hz, begins to spin at
 * 0.8 radians a second by itself, and rolls forever on a floor.
 *
 * The angular momentum about the centre of mass is measured before sweeps, and restored after them
 * by a rotation of the body about its centre:
 *
 *     L h = sum m r x (x - x_before) = -axial(B), B = sum m r o^T, r = x - c, o = x_before - c
 *
 * A rotation by the small vector t makes B' = R(t) B, and L' h = L h + (tr(B) - B) t to first
 * order: Newton's method needs only B. Lengths do not change, so links stay satisfied. (Changing
 * x_before instead would leave a body that turns while its velocities are 0.)
 *
 * Bodies with pinned particles, or with links to others, are excluded: these do receive angular
 * momentum. */
#ifndef WEFT_FORCES_SPIN_H
#define WEFT_FORCES_SPIN_H

#include "forces/pressure.h"
#include "parallel/step_context.h"

/* Stores the angular momentum of every body before sweeps. */
void weft__pressures_record_spin(const weft__pressures* pressures, const weft__step_context* step);

/* Restores it after sweeps. */
void weft__pressures_restore_spin(const weft__pressures* pressures, const weft__step_context* step);

#endif
