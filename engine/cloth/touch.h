/* Cloth and bodies: spheres, boxes and ellipsoids, which do not turn. They are few, and are looked at one by one.
 *
 * What is said in cloth/apart.h holds for them, too. */
#ifndef WEFT_CLOTH_TOUCH_H
#define WEFT_CLOTH_TOUCH_H

#include "cloth/cloth.h"

/* Makes room for pairs of these, if there is none. False when memory cannot be had. */
bool weft__cloth_make_bodies(weft__cloth* cloth);

/* Lists which bodies are near which cloth, boxes of tiles being good. Called by one worker. */
void weft__cloth_list_bodies(weft__cloth* cloth, const weft__contact_stage* stage);

/* Counts what touches the lanes of a tile, in addition to its rows. */
void weft__cloth_touch_bodies(weft__cloth* cloth, const weft__contact_stage* stage, uint32_t tile);

/* Fills `more` of a round, [9 x WEFT__TILE], for a tile. */
void weft__cloth_part_bodies(const weft__cloth* cloth, const weft__contact_stage* stage,
                             uint32_t tile, const weft__tile_round* round, float* more);

static inline bool weft__cloth_has_touches(const weft__cloth* cloth, uint32_t tile) {
  const weft__cloth_bodies* near = &cloth->near_bodies;
  return near->count > 0 && near->first_of_tile[tile + 1] > near->first_of_tile[tile];
}

#endif
