/* Contacts of cloth with bodies, which are particles with a sphere, a box or an ellipsoid; they do
 * not rotate. Bodies are few, so pairs are scalar code.
 *
 * The solve follows collision/self/solve.h. */
#ifndef WEFT_COLLISION_SELF_BODY_PAIRS_H
#define WEFT_COLLISION_SELF_BODY_PAIRS_H

#include "collision/self/self.h"

/* Allocates the pair table unless it exists. False on failure to allocate. */
bool weft__self_make_body_pairs(weft__self* self);

/* Broad phase: lists pairs of bodies and cloth. Boxes of tiles must be up to date. */
void weft__self_find_body_pairs(weft__self* self, const weft__step_context* step);

/* Adds the body contacts of a tile to the counts for mass splitting. */
void weft__self_count_body_contacts(weft__self* self, const weft__step_context* step,
                                    uint32_t tile);

/* Computes the corrections of a tile due to bodies: `extra` of a round [9 x WEFT__TILE]. */
void weft__self_solve_body_pairs(const weft__self* self, const weft__step_context* step,
                                 uint32_t tile, const weft__tile_round* round, float* extra);

#endif
