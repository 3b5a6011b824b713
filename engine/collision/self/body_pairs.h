/* Contacts of cloth with bodies, particles with a sphere, a box or an ellipsoid that do not rotate.
 * Bodies are few: scalar code, which follows collision/self/solve.h. */
#ifndef WEFT_COLLISION_SELF_BODY_PAIRS_H
#define WEFT_COLLISION_SELF_BODY_PAIRS_H

#include "collision/self/self.h"

/* Allocates the pair table unless it exists. False on failure to allocate. */
bool weft__self_make_body_pairs(weft__self* self);

/* Boxes of tiles must be up to date. */
void weft__self_find_body_pairs(weft__self* self, const weft__step_context* step);

/* Counts for mass splitting. */
void weft__self_count_body_contacts(weft__self* self, const weft__step_context* step,
                                    uint32_t tile);

/* Corrections by bodies: `extra` of a round [9 x WEFT__TILE]. */
void weft__self_solve_body_pairs(const weft__self* self, const weft__step_context* step,
                                 uint32_t tile, const weft__tile_round* round, float* extra);

#endif
