/* Graph colouring of pairs: pairs of one colour share no free body, so any workers may solve them
 * at the same time. Pinned bodies, which no impulse moves, may be shared.
 *
 * In each round every uncoloured pair bids at both of its free bodies, with a pseudo-random number
 * of its own. A pair whose bid is the lowest at all of them takes the lowest colour that they do
 * not have yet. The minimum does not depend on the order of bids, so colours are deterministic.
 * Pairs of a body that has all colours already get the last colour. When a round colours few, as
 * where bodies have many pairs, the rest is coloured one by one in the order of the bids, which
 * gives the same colours.
 * (Jones, Plassmann 1993, "A parallel graph coloring heuristic") */
#ifndef WEFT_COLLISION_PARTICLES_COLORS_H
#define WEFT_COLLISION_PARTICLES_COLORS_H

#include "collision/particles/particle_contacts.h"

/* Colours the pairs of the list and sorts them into contacts, by colour. */
void weft__colors_assign(weft__particle_contacts* state, const weft__step_context* step);

#endif
