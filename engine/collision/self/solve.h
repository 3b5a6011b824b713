/* Jacobi solve of self-contacts with mass splitting.
 *
 * A pair closer than the sum r of its radii is separated along the line between its ends. A
 * particle with n contacts counts as n particles of 1/n of its mass, and moves by the mean of
 * their corrections (Tonge, Benevolenski, Voroshilov 2012). With w = 1/mass, end i of a pair with j
 * takes
 *
 *     w_i / (n_i w_i + n_j w_j)
 *
 * of the correction. The effective count n is optimal for the sum D of the depths d along normals
 * u,
 *
 *     n = sum (u D)^2 / D^2,    D = sum d u,    between 1 and the number of contacts.
 *
 * With the plain number, a particle between four others needs three rounds instead of one.
 *
 * Contacts do not bounce. Overlap that arose in this substep is corrected only in the position,
 * which removes the approach velocity too. Older overlap is pushed out without velocity, by moving
 * the previous position along, at most 3 r a second. Overlap of up to 2 % of the contact distance
 * stays (slop; Catto 2006, "Fast and Simple Physics using Sequential Impulses"): without it pushes
 * lift piles, which fall back. Friction acts in each round, on the normal part of that round.
 *
 * Relaxation: links may close old overlap again in every substep, as in a sharp crease, and the
 * undone part of the push would stay in the velocity as approach. The push factor of a particle
 * falls while its pairs approach in the last round by more than a quarter of the push, and
 * recovers, up to 1, while they do not. A pair uses the smaller factor of its ends; with one
 * supported end at least a half, so that layers carry the ones above; against bodies 1.
 *
 * Support: a sheet that falls on another one at rest on the floor would share its velocity with it
 * in each substep, and press it through the floor. Displacement of a particle by colliders and
 * walls since the last solve is its support, and so is displacement by pinned or supported cloth:
 * one more layer in each substep. An end that is supported against the correction stays, the other
 * takes all of it. Without outside forces support is 0 and momentum is conserved to rounding.
 * (Guendelman, Bridson, Fedkiw 2003 process layers in order, "shock propagation")
 *
 * Particles that passed through each other's centre in this substep return to their side. */
#ifndef WEFT_COLLISION_SELF_SOLVE_H
#define WEFT_COLLISION_SELF_SOLVE_H

#include "collision/self/self.h"

void weft__self_solve_contacts(weft__self* self, const weft__step_context* step,
                               const uint8_t* tangled, const weft__self_supports* supports);

#endif
