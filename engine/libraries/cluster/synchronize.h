#ifndef WEFT_LIBRARIES_CLUSTER_SYNCHRONIZE_H
#define WEFT_LIBRARIES_CLUSTER_SYNCHRONIZE_H

#include "libraries/cluster/cluster.h"

/* Collective; the state stays if it fails. */
bool weft__cluster_synchronize(weft_cluster* cluster);

/* Only joints. */
bool weft__cluster_synchronize_joints(weft_cluster* cluster);

/* Positions of a range, by the caller's numbers of all ranks, for rank 0. Collective; *is_complete:
 * false if there are fewer particles */
bool weft__cluster_gather(weft_cluster* cluster, weft_cluster_range range, float* positions,
                          bool* is_complete);

#endif
