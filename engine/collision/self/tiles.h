/* Particles are put together by sixteens that lie side by side: each patch of the schedule is cut in halves across
 * its longest side, again and again, where its particles are when contacts are first given. Cloth changes its form
 * later, but not who is whose neighbour, so that is done once. Tiles that follow each other lie near each
 * other, too: so the boxes of 16 of them in a row make a tree. */
#ifndef WEFT_COLLISION_SELF_TILES_H
#define WEFT_COLLISION_SELF_TILES_H

#include "collision/self/self.h"

/* How many tiles all particles take. */
uint32_t weft__count_tiles(const weft__schedule* schedule);

/* Fills `particle` and `place_of`. */
void weft__place_particles(weft__self* cloth, const weft__contact_setup* setup);

/* Lists which tiles have kin of each. False when memory cannot be had. */
bool weft__find_tile_exclusions(weft__self* cloth);

/* Marks in these lists who is kin, by the radii. */
void weft__mark_tile_exclusions(weft__self* cloth);

#endif
