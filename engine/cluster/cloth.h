/* Self-collision of cloth in a cluster: the other side of collision/self/domain.h. */
#ifndef WEFT_CLUSTER_CLOTH_H
#define WEFT_CLUSTER_CLOTH_H

#include "cluster/cluster.h"

/* Divides the tiles of cloth among ranks, before the first step with them. False if out of memory
 * on any rank. Collective. */
bool weft__cluster_divide_cloth(weft_cluster* cluster);

/* Gives all ranks the state of all tiles, and their lists, in the order of tiles. Collective; false
 * on all ranks if one is out of memory. */
bool weft__cluster_share_cloth(weft_cluster* cluster);

void weft__cluster_destroy_cloth(weft_cluster* cluster);

#endif
