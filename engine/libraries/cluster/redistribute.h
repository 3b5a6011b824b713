/* Redistribution: patches change their ranks as costs shift.
 *
 *     costs      each rank counts the work of its patches in a substep, and all ranks get all costs
 *     ranges     contiguous, with the least cost of the rank that has most: the same on all ranks
 *     lists      halos and ghosts of the new ranges are made beside the old ones
 *     state      goes from old owners to new ones, with the lists of contacts of their tiles
 *
 * Costs are counts of work, not times: noise does not move ranges. (Pinar and Aykanat 2004, "Fast
 * optimal load balancing algorithms for 1D partitioning") */
#ifndef WEFT_LIBRARIES_CLUSTER_REDISTRIBUTE_H
#define WEFT_LIBRARIES_CLUSTER_REDISTRIBUTE_H

#include "libraries/cluster/cluster.h"

/* share: this rank's of all costs, relative to the others'. Collective; fails without a change. */
weft_result weft__cluster_redistribute(weft_cluster* cluster, float share);

#endif
