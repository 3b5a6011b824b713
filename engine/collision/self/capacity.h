/* Memory of self-collision: columns by place, tiles and rows. Host calls prepare it, and snapshots
 * replace it. */
#ifndef WEFT_COLLISION_SELF_CAPACITY_H
#define WEFT_COLLISION_SELF_CAPACITY_H

#include "collision/self/self.h"

/* Allocates columns and partitions the particles, unless that has been done. On failure to allocate
 * returns false and changes nothing. */
bool weft__self_create_tiles(weft__self* self, const weft__contact_setup* setup);

/* Allocates rows for lists, which are dropped. On failure returns false and changes nothing. */
bool weft__self_replace_rows(weft__self* self, uint32_t row_capacity);

void weft__self_drop_lists(weft__self* self);

/* Inverts all boxes, so that they overlap nothing. */
void weft__self_empty_boxes(const weft__tile_boxes* boxes);

#endif
