/* Callbacks of step/domain.h. */
#ifndef WEFT_LIBRARIES_CLUSTER_EXCHANGE_H
#define WEFT_LIBRARIES_CLUSTER_EXCHANGE_H

#include "libraries/cluster/cluster.h"

void weft__cluster_exchange(void* context, weft__exchange kind, uint32_t index);
void weft__cluster_share_torn(void* context);

/* All particles, now and before. */
void weft__cluster_share_positions(weft_cluster* cluster);

void weft__cluster_exchange_corners(weft_cluster* cluster);

#endif
