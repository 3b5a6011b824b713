/* Lists of which cloth is near which.
 *
 * A worker finds those of one tile after another in memory of its own, and puts them where the next free rows are:
 * where a list stands depends on the workers, what is in it does not.
 *
 * A tile looks at no more than 256 tiles that its box meets, and lists no more than WEFT__SELF_MOST_ROWS: so
 * everything takes time in proportion to the number of particles, however they lie, and what is left out counts
 * as lost.
 *
 * Where there is not room for all, tiles from one on are left out: as many as it takes for the pairs of those before
 * it to have room. That looks at all of them a second time. */
#ifndef WEFT_COLLISION_SELF_NEIGHBORS_H
#define WEFT_COLLISION_SELF_NEIGHBORS_H

#include "collision/self/self.h"

#define WEFT__SELF_MOST_ROWS 4096u
/* a worker's lists that wait to be put in their place */
#define WEFT__SELF_SCRATCH (2u * WEFT__SELF_MOST_ROWS)

/* Makes lists that hold for this substep, anew or not. Called by all workers, with positions in
 * `at` and displacements in their shares; ends with a barrier unless the lists held as they were. */
void weft__self_find_neighbors(weft__self* cloth, const weft__contact_stage* stage);

/* Finds the boxes of all levels above those of tiles, after workers have met; they have met again when it returns. */
void weft__tile_boxes_refit(weft__self_tiles* tiles, const weft__contact_stage* stage);

#endif
