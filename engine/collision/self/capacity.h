/* Memory of self-collision, prepared by host calls, replaced by snapshots. */
#ifndef WEFT_COLLISION_SELF_CAPACITY_H
#define WEFT_COLLISION_SELF_CAPACITY_H

#include "collision/self/self.h"

/* Allocates and partitions once. False, with nothing changed, if out of memory. */
bool weft__self_create_tiles(weft__self* self, const weft__contact_setup* setup);

/* Drops the lists. False, with nothing changed, if out of memory. */
bool weft__self_replace_rows(weft__self* self, uint32_t row_capacity);

void weft__self_drop_lists(weft__self* self);

/* Inverts all boxes, so that they overlap nothing. */
void weft__self_empty_boxes(const weft__tile_boxes* boxes);

#endif
