/* Memory of tiles, read before a round of the solve needs it.
 *
 * In large worlds the records of a tile and of its neighbours come from memory: the next layer of a
 * pile is some hundred tiles ahead, in scattered lines. Columns read line by line come several
 * times as fast, and are then in the cache. Loads are used: by measurement, prefetch instructions
 * gain nothing for columns.
 *
 * Only columns that no tile writes in a round are read. */
#ifndef WEFT_COLLISION_SELF_READ_AHEAD_H
#define WEFT_COLLISION_SELF_READ_AHEAD_H

#include "collision/self/self.h"

/* Reads slots of the chunk that a tile begins, if it begins one, and records of a later chunk. */
void weft__self_read_ahead(const weft__self* self, uint32_t tile, const weft__tile_state* now);

#endif
