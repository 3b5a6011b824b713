/* Neighbour lists (Verlet lists) of cloth, by tile.
 *
 * A tile is listed in scratch memory, and its rows are appended to the shared array: its position
 * depends on the workers, its contents do not.
 *
 * A tile tests at most 256 tiles whose boxes overlap its own, and lists at most WEFT__SELF_MAX_ROWS
 * rows; rows beyond that are dropped and counted as lost. If the capacity is too small, a second
 * pass lists only the first tiles, as many as fit. */
#ifndef WEFT_COLLISION_SELF_NEIGHBORS_H
#define WEFT_COLLISION_SELF_NEIGHBORS_H

#include "collision/self/self.h"

#define WEFT__SELF_MAX_ROWS 4096u
/* rows of scratch memory for each worker */
#define WEFT__SELF_SCRATCH (2u * WEFT__SELF_MAX_ROWS)

/* Makes the lists valid for this substep, with positions in `at` and displacements in `extents`. */
void weft__self_find_neighbors(weft__self* self, const weft__step_context* step);

void weft__self_merge_boxes(const weft__tile_boxes* boxes);

/* Drops the lists for one substep, of some tiles. */
void weft__self_drop_stale(weft__self* self, weft__range tiles);

/* Rows of the lists of all tiles, without those for one substep. */
uint32_t weft__self_count_rows(const weft__self* self);

void weft__self_place_list(weft__self* self, uint32_t tile);

/* Makes room for the lists of tiles, in their order, and for no others. */
void weft__self_place_lists(weft__self* self, weft__range tiles);

#endif
