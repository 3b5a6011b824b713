/* Synchronization: every rank gets the state that others have computed. */
#ifndef WEFT_CLUSTER_SYNCHRONIZE_H
#define WEFT_CLUSTER_SYNCHRONIZE_H

#include "cluster/cluster.h"

/* Completes the state of the world. Collective; false on all ranks if one is out of memory, with
 * the state as it was. */
bool weft__cluster_synchronize(weft_cluster* cluster);

/* The same for joints alone. */
bool weft__cluster_synchronize_joints(weft_cluster* cluster);

#endif
