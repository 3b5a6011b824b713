/* Patches that are ghosts here, particles that each shares with own patches, and own patches'
 * ghosts elsewhere. Each rank requests its ghosts' particles of the owners. */
#ifndef WEFT_LIBRARIES_CLUSTER_GHOST_LISTS_H
#define WEFT_LIBRARIES_CLUSTER_GHOST_LISTS_H

#include "libraries/cluster/ghosts.h"

/* Requests to each rank are appended to `of_rank` [rank_count]. rank_first: patches, and the end */
bool weft__ghosts_list(weft__ghost_level* level, const uint32_t* rank_first, weft__range own,
                       weft__words* of_rank);

bool weft__ghosts_fill_targets(weft__ghost_level* level, const weft__words* of_rank);

#endif
