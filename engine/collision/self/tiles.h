/* Tiles of 16 neighbours: each patch of the schedule is bisected across its longest side,
 * recursively, at the positions where contacts are first set; cloth keeps its neighbours.
 * Consecutive tiles are near each other: boxes of 16 form a BVH. */
#ifndef WEFT_COLLISION_SELF_TILES_H
#define WEFT_COLLISION_SELF_TILES_H

#include "collision/self/self.h"

uint32_t weft__self_count_tiles(const weft__schedule* schedule);

/* Fills `particle` and `place_of`. */
void weft__self_partition(weft__self* self, const weft__contact_setup* setup);

/* Lists for each tile the tiles that hold exclusions of it. False on failure to allocate. */
bool weft__self_list_tile_exclusions(weft__self* self);

/* Exclusions of a tile with another one; NULL if there are none. */
weft__tile_exclusions* weft__self_tile_exclusions(const weft__self* self, uint32_t tile,
                                                  uint32_t other);

/* Longest path of an excluded pair, metres. */
float weft__self_max_path(const weft__self_tiles* tiles, uint32_t a, uint32_t b);

/* Bits of excluded pairs, by the radii. */
void weft__self_mark_tile_exclusions(weft__self* self);

#endif
