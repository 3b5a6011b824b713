/* Self-collision of cloth in a cluster: tiles of each rank. */
#ifndef WEFT_LIBRARIES_CLUSTER_CLOTH_H
#define WEFT_LIBRARIES_CLUSTER_CLOTH_H

#include "libraries/cluster/state.h"

/* Before the first step with tiles. Collective. */
bool weft__cluster_divide_cloth(weft_cluster* cluster);

/* All tiles' state and lists, in the order of tiles. Collective. */
bool weft__cluster_share_cloth(weft_cluster* cluster);

void weft__cluster_place_cloth(weft_cluster* cluster);

bool weft__cluster_pack_cloth(weft_cluster* cluster);

/* State of patches' tiles; lists are appended to other tiles'. */
void weft__copy_cloth(weft_cluster* cluster, weft__copier* copier, weft__range patches);

typedef struct weft__cloth_cost {
  uint64_t tiles, rows;
} weft__cloth_cost;

weft__cloth_cost weft__cluster_cost_of_cloth(weft_cluster* cluster, uint32_t patch);

void weft__cluster_destroy_cloth(weft_cluster* cluster);

#endif
