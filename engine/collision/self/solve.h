/* Jacobi solve of self-contacts with mass splitting.
 *
 * A pair closer than the sum r of its radii is separated along the line between its ends. The
 * shares follow mass splitting (Tonge, Benevolenski, Voroshilov 2012): a particle with n contacts
 * is treated as n particles of 1/n of its mass, and moves by the mean of their corrections. With
 * w = 1/mass, end i of a pair with j takes
 *
 *     w_i / (n_i w_i + n_j w_j)
 *
 * of the correction. Both ends are corrected in inverse proportion to mass, no number of contacts
 * overshoots, and a heavy body under much cloth is hardly moved by it.
 *
 * Contacts with different normals help each other less than their number says. The effective count
 * n is the one that is optimal for the sum D of the depths d along their normals u:
 *
 *     n = sum (u D)^2 / D^2,    D = sum d u,    between 1 and the number of contacts.
 *
 * With the plain number, a particle between four others needs three rounds instead of one.
 *
 * Contacts do not bounce. The part of an overlap that arose in this substep is corrected only in
 * the position, which removes the approach velocity too. Older overlap is pushed out by moving the
 * previous position along, at most 3 r a second (Baumgarte-like push without velocity): cloth that
 * starts interpenetrating does not explode.
 *
 * Overlap of up to 2 % of the contact distance stays (slop; Catto 2006, "Fast and Simple Physics
 * using Sequential Impulses"), so that contacts at rest last. Without it piles of cloth are lifted
 * by pushes and fall back in each substep, and creep.
 *
 * Friction acts in each round, on the normal part of that round.
 *
 * Links may close such an overlap again in every substep, above all in a sharp crease. The push
 * would then never end, and the part of it that is undone would stay in the velocity as approach.
 * Each particle has a push factor, and a pair uses the smaller one: the factor falls while pairs
 * approach in the last round by more than a quarter of the push, and recovers, up to 1, while they
 * do not. A pair with one supported end (below) keeps at least half of its push, so that layers
 * carry the ones above. Pushes against bodies are always whole.
 *
 * Support: a sheet that falls on another one at rest on the floor would share its velocity with it
 * in each substep, and press it through the floor meanwhile. Displacement of a particle by
 * colliders, walls and the like since the last solve is its support, and so is displacement by
 * pinned or supported cloth: one more layer in each substep. An end that is supported against the
 * correction stays, and the other end takes all of it. Without outside forces support is 0 and
 * momentum is conserved to rounding. (Guendelman, Bridson, Fedkiw 2003 process layers in order,
 * "shock propagation"; here the order emerges over substeps.)
 *
 * Particles that passed through each other's centre in this substep are returned to the side that
 * they came from. */
#ifndef WEFT_COLLISION_SELF_SOLVE_H
#define WEFT_COLLISION_SELF_SOLVE_H

#include "collision/self/self.h"

/* Resolves the contacts of a substep, with valid lists. */
void weft__self_solve_contacts(weft__self* self, const weft__step_context* step,
                               const uint8_t* tangled, const weft__self_supports* supports);

#endif
