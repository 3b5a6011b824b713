/* Self-collision of cloth in a cluster: the other side of collision/self/domain.h. */
#ifndef WEFT_CLUSTER_CLOTH_H
#define WEFT_CLUSTER_CLOTH_H

#include "cluster/state.h"

/* Divides the tiles of cloth among ranks, before the first step with them. False if out of memory
 * on any rank. Collective. */
bool weft__cluster_divide_cloth(weft_cluster* cluster);

/* Gives all ranks the state of all tiles, and their lists, in the order of tiles. Collective; false
 * on all ranks if one is out of memory. */
bool weft__cluster_share_cloth(weft_cluster* cluster);

/* Gives each rank the tiles of its patches, once tiles are divided. */
void weft__cluster_place_cloth(weft_cluster* cluster);

/* Packs the lists of own tiles in memory, before tiles move. False if out of memory. */
bool weft__cluster_pack_cloth(weft_cluster* cluster);

/* State of the tiles of patches, and their lists, which are appended to other tiles' lists. */
void weft__copy_cloth(weft_cluster* cluster, weft__copier* copier, weft__range patches);

/* Tiles of an own patch, and the rows of their lists. */
typedef struct weft__cloth_cost {
  uint64_t tiles, rows;
} weft__cloth_cost;

weft__cloth_cost weft__cluster_cost_of_cloth(weft_cluster* cluster, uint32_t patch);

void weft__cluster_destroy_cloth(weft_cluster* cluster);

#endif
