/* Neighbour lists (Verlet lists) of cloth, by tile.
 *
 * Rows of a tile, listed in scratch memory, are appended to the shared array: their place depends
 * on the workers, their contents do not. A tile tests at most 256 tiles whose boxes overlap its
 * own, and lists at most WEFT__SELF_MAX_ROWS rows; further ones are dropped and counted as lost. If
 * the capacity is too small, a second pass lists the first tiles, as many as fit. */
#ifndef WEFT_COLLISION_SELF_NEIGHBORS_H
#define WEFT_COLLISION_SELF_NEIGHBORS_H

#include "collision/self/self.h"

#define WEFT__SELF_MAX_ROWS 4096u
/* rows a worker */
#define WEFT__SELF_SCRATCH (2u * WEFT__SELF_MAX_ROWS)

/* Makes the lists valid for this substep, with positions in `at` and displacements in `extents`. */
void weft__self_find_neighbors(weft__self* self, const weft__step_context* step);

void weft__self_merge_boxes(const weft__tile_boxes* boxes);

/* Lists for one substep. */
void weft__self_drop_stale(weft__self* self);

/* Rows of the lists of all tiles, without those for one substep. */
uint32_t weft__self_count_rows(const weft__self* self);

/* Twice the pairs of a tile's row with earlier tiles, and those within. */
uint64_t weft__self_count_pairs(uint32_t tile, const weft__tile_row* row);

/* Makes room for the lists of tiles, in their order. */
void weft__self_place_lists(weft__self* self);

#endif
