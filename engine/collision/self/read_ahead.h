/* Memory of tiles, read before a round of the solve needs it: in large worlds the next layer of a
 * pile is some hundred tiles ahead. Loads, line by line, come several times as fast; prefetch
 * instructions gain nothing. Only columns that no tile writes in a round are read. */
#ifndef WEFT_COLLISION_SELF_READ_AHEAD_H
#define WEFT_COLLISION_SELF_READ_AHEAD_H

#include "collision/self/self.h"

/* Slots of the chunk that a tile begins, if it does, and records of a later one. */
void weft__self_read_ahead(const weft__self* self, uint32_t tile, const weft__tile_state* now);

#endif
