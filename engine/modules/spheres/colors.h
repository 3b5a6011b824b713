/* Graph colouring of pairs: pairs of one colour share no free body, so any workers may solve them
 * at the same time. Pinned bodies, which no impulse moves, may be shared.
 *
 * First fit: each pair, in the order of the list, takes the lowest colour that its free bodies do
 * not have yet; pairs of a body that has all colours already get the last one. Only the caller's
 * thread colours: in the order of the list the masks of a pair are in its cache, and a pair takes a
 * few nanoseconds. Rejected: parallel colouring by random priorities (Jones, Plassmann 1993), each
 * of whose many passes takes longer: see docs/performance.md. */
#ifndef WEFT_MODULES_SPHERES_COLORS_H
#define WEFT_MODULES_SPHERES_COLORS_H

#include "modules/spheres/particle_contacts.h"

/* Colours the pairs of the list and sorts them into contacts, by colour. */
void weft__colors_assign(weft__particle_contacts* state, const weft__step_context* step);

#endif
