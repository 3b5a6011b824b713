/* Synchronization: every rank gets the state that others have computed. */
#ifndef WEFT_CLUSTER_SYNCHRONIZE_H
#define WEFT_CLUSTER_SYNCHRONIZE_H

#include "cluster/cluster.h"

/* Completes the state of the world. Collective; false on all ranks if one is out of memory, with
 * the state as it was. */
bool weft__cluster_synchronize(weft_cluster* cluster);

/* Completes only the joints. */
bool weft__cluster_synchronize_joints(weft_cluster* cluster);

/* Gives rank 0 the positions of a range of particles, by the caller's numbers of all ranks.
 * Collective; false on all ranks if one is out of memory, `*is_complete` false if there are fewer
 * particles. */
bool weft__cluster_gather(weft_cluster* cluster, weft_cluster_range range, float* positions,
                          bool* is_complete);

#endif
