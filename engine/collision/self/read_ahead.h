/* Memory of tiles, read before a round of the solve needs it.
 *
 * In large worlds the next layer of a pile is some hundred tiles ahead, in scattered lines. Columns
 * read line by line, by loads, come several times as fast; by measurement, prefetch instructions
 * gain nothing. Only columns that no tile writes in a round are read. */
#ifndef WEFT_COLLISION_SELF_READ_AHEAD_H
#define WEFT_COLLISION_SELF_READ_AHEAD_H

#include "collision/self/self.h"

/* Reads slots of the chunk that a tile begins, if it begins one, and records of a later chunk. */
void weft__self_read_ahead(const weft__self* self, uint32_t tile, const weft__tile_state* now);

#endif
