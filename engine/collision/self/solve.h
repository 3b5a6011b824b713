/* What touches is moved apart.
 *
 * A pair that is nearer than its radii r goes apart along the line between both, each end by its share. The shares
 * are those of mass splitting (Tonge, Benevolenski, Voroshilov 2012): an end with n contacts is n ends of a n-th of
 * its mass each, and is moved by the mean of what these are moved. With w for 1/mass, end i of a pair with j takes
 *
 *     w_i / (n_i w_i + n_j w_j)
 *
 * of the correction, so what both take is equal and opposite by mass, and no number of contacts overshoots; and a
 * heavy body on which much cloth lies moves it, and not the other way round.
 *
 * Contacts that stand askew, as where a particle lies between four others, help each other less than their number
 * says: n is what makes the sum D of all depths d along their normals u go as far as is best for all of them,
 *
 *     n = sum (u D)^2 / D^2,    D = sum d u,    between 1 and the number of contacts.
 *
 * By numbers alone a particle between four others takes three rounds for what it does in one.
 *
 * Contacts do not bounce. The part of an overlap that came about in this substep is taken back from the position
 * alone, and with it the speed at which both approached. What was there before is moved out of with where the
 * particles came from, at most at 3 r a second, so that it makes no speed of its own: cloth that
 * starts within itself does not burst.
 *
 * Links may close such an overlap again in every substep, in a sharp crease above all. The push would then go on
 * for ever, and the way that it does not make would stay in the velocity as motion towards each other. Each particle
 * has a factor of these pushes, and a pair takes the smaller one of both: the factor falls while pairs approach in
 * the last round by more than a quarter of the push, and grows again, up to 1, while they do not. A pair of which
 * one end is supported, see below, keeps half of its push at least: layers carry what lies on them. Pushes against
 * bodies are always whole.
 *
 * What lies on something that gives no way gives none either: else a sheet that falls on one that lies on the floor
 * would share its speed with that in each substep, and be pressed through it meanwhile. What colliders, walls and
 * the like have moved a particle by since this stage left it is its support, and so is what pinned cloth, or cloth
 * that is supported itself, has moved it by: one layer more in each substep. An end that is supported against the way
 * that the pair would move it stays, and the other end takes all. Where nothing outside pushes, all of this is 0 and
 * momentum is kept to rounding. (Guendelman, Bridson, Fedkiw 2003 go through layers in order, "shock propagation";
 * this finds the order as it goes.)
 *
 * Those that have gone through each other's middle in this substep are sent back to the side they came from. */
#ifndef WEFT_COLLISION_SELF_SOLVE_H
#define WEFT_COLLISION_SELF_SOLVE_H

#include "collision/self/self.h"

/* Called by all workers, with lists that are good. They have to meet after it. */
void weft__self_separate(weft__self* cloth, const weft__contact_stage* stage);

#endif
