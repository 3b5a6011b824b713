/* Contacts of cloth with bodies, particles with a sphere, a box or an ellipsoid that do not rotate.
 * Bodies are few: scalar code, in the order of the list, which follows kernels/contact_rows.inl. */
#ifndef WEFT_COLLISION_SELF_BODY_PAIRS_H
#define WEFT_COLLISION_SELF_BODY_PAIRS_H

#include "collision/self/self.h"

/* Allocates the pair table unless it exists. False on failure to allocate. */
bool weft__self_make_body_pairs(weft__self* self);

/* Boxes of tiles must be up to date. */
void weft__self_find_body_pairs(weft__self* self, const weft__step_context* step);

/* Particles placed since the last substep that overlap a body. */
void weft__self_find_given_by_bodies(weft__self* self, const weft__step_context* step);

/* Impulses begin at 0. */
void weft__self_begin_body_pairs(weft__self* self);

/* One pass. */
void weft__self_solve_body_pairs(weft__self* self, const weft__step_context* step,
                                 bool is_backward);

#endif
