/* Colours of pairs: two of one colour share no free body, so that they are solved at the same time by any workers.
 * Pinned bodies, which no impulse moves, may be shared.
 *
 * In each round every pair without a colour bids at both of its bodies, with a number that is its own and looks
 * random. Where it is the least at both it takes the lowest colour that neither has. Least bids do not depend on who
 * bids first, and so neither do colours. When a body has all colours, what is left of its pairs is solved by one
 * worker, last. (Jones, Plassmann 1993, "A parallel graph coloring heuristic") */
#ifndef WEFT_COLLISION_PARTICLES_COLORS_H
#define WEFT_COLLISION_PARTICLES_COLORS_H

#include "collision/particles/particle_contacts.h"
#include "collision/particles/team.h"

/* Colours the pairs of the list, and finds places for them among the contacts, by colour. `inv_mass` is that of
 * particles. All meet before it returns. */
void weft__colors_find(weft__particle_contacts* particle_contacts, const float* inv_mass,
                       const weft__team* team);

#endif
