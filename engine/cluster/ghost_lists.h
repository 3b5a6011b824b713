/* Lists of ghosts, made once: the patches that are ghosts here, the particles that each shares with
 * own patches, and the ghosts that own patches have on other ranks. Each rank lists its ghosts, and
 * requests their particles of the owners. */
#ifndef WEFT_CLUSTER_GHOST_LISTS_H
#define WEFT_CLUSTER_GHOST_LISTS_H

#include "cluster/ghosts.h"

/* Lists the ghosts of a schedule, and appends the requests to each rank to `of_rank` [rank_count].
 * `rank_first`: first patch of each rank, and the end; `own`: own patches. False if out of
 * memory. */
bool weft__ghosts_list(weft__ghost_level* level, const uint32_t* rank_first, weft__range own,
                       weft__words* of_rank);

/* Fills the targets of own patches from the requests of other ranks. False if out of memory. */
bool weft__ghosts_fill_targets(weft__ghost_level* level, const weft__words* of_rank);

#endif
