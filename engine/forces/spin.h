/* Angular momentum of closed bodies under pressure, which sweeps must not change.
 *
 * Links are inner forces. Yet a sweep moves their ends along the directions that links have at
 * the time, one link after the other, and angular momentum counts by the directions that they had
 * before: what a link turns by meanwhile times what it pulls is a torque. Links of cloth hardly
 * pull. Those of a body under pressure bear all of it in every substep, always in the same order,
 * so that without this a ball of 2 kg at 500 Pa, stepped at 60 Hz, begins to spin by 0.8 radians a
 * second by itself, and rolls for ever on a floor.
 *
 * So the angular momentum about the centre of mass is measured before sweeps, and after them the
 * body is turned about its centre until it has that again:
 *
 *     L h = sum m r x (x - x_before) = -axial(B), B = sum m r o^T, r = x - c, o = x_before - c
 *
 * A turn by the small vector t makes B' = R(t) B, and L' h = L h + (tr(B) - B) t to first order:
 * Newton's method, on nothing but B. Lengths do not change, so links keep what they have.
 * (Changing x_before alone would leave a body that turns while its velocities are 0.)
 *
 * Bodies with pinned particles, or links to others, are left alone: these do take angular
 * momentum. */
#ifndef WEFT_FORCES_SPIN_H
#define WEFT_FORCES_SPIN_H

#include "forces/pressure.h"

/* Before sweeps: notes the angular momentum of every gas's body. Gases are dealt out to workers in
 * turns. */
void weft__pressures_note_spin(const weft__pressures* pressures, const weft__particles* particles,
                               uint32_t worker, uint32_t worker_count);

/* After sweeps: restores it. */
void weft__pressures_keep_spin(const weft__pressures* pressures, const weft__particles* particles,
                               uint32_t worker, uint32_t worker_count);

#endif
