/* Graph colouring of pairs: pairs of one colour share no free body, so any workers may solve them
 * at the same time. Pinned bodies may be shared.
 *
 * First fit, in the order of the list, whose masks are in the cache: each pair takes the lowest
 * colour that its free bodies do not have, or else the last one. Rejected: parallel colouring by
 * random priorities (Jones, Plassmann 1993), of slower passes: see docs/performance.md. */
#ifndef WEFT_MODULES_SPHERES_COLORS_H
#define WEFT_MODULES_SPHERES_COLORS_H

#include "modules/spheres/particle_contacts.h"

/* Colours the pairs of the list and sorts them into contacts, by colour. */
void weft__colors_assign(weft__particle_contacts* state, const weft__step_context* step);

#endif
