/* Contact rows of a substep: pairs of particles that touch, or nearly do.
 *
 *   block   contacts between two tiles. Blocks are coloured greedily in the order of tiles: those
 * of a colour share no tile, and are solved in parallel chunk   a few blocks of a colour, solved by
 * one worker layer   rows of a chunk with no particle twice, for whole vectors; of each block its
 * first contacts of both particles, then its second ones, etc.
 *
 * Orders depend on the tiles that blocks connect: not on the workers, nor on other environments.
 * Each pair is listed at its first tile. Contacts beyond the capacities are dropped in the order of
 * tiles, and counted as lost. */
#ifndef WEFT_COLLISION_SELF_ROWS_H
#define WEFT_COLLISION_SELF_ROWS_H

#include "collision/self/self.h"

/* Finds the contacts, with records of active tiles up to date. Impulses begin at 0. */
void weft__self_find_rows(weft__self* self, const weft__step_context* step);

#endif
