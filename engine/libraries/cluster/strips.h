/* Strips: a sheet of which each rank builds some rows, so that no rank has the tables of all.
 *
 * Patches of a sheet of at least as many columns as rows are tiles of whole rows, or rows of such
 * tiles. A rank owns consecutive rows of tiles, and builds two more above and below, as a part of
 * the scene with the whole sheet's tiles, positions and links:
 *
 *     rows of tiles    0 1 2 3 4 5 6 7 8 9
 *     rank 1 owns            4 5 6           ghosts are 3 and 7, which have all of their links
 *     and builds         2 3 4 5 6 7 8       from an even row on: it has the colours of row 0
 *
 * Its world numbers particles and patches from its first one; exchanged lists are shifted
 * (weft__numbering). First-fit colours of a lattice repeat every two rows of tiles, which is
 * checked: a patch has the colour, and so the place in the order of updates, of the whole sheet. */
#ifndef WEFT_LIBRARIES_CLUSTER_STRIPS_H
#define WEFT_LIBRARIES_CLUSTER_STRIPS_H

#include "weft/cluster.h"

struct weft_cluster;

typedef struct weft__sheet_parts {
  const weft_sheet_def* sheet;
  const weft_cluster_range* pins;
  uint32_t pin_count;
} weft__sheet_parts;

/* Divides the patches, too. WEFT_ERROR_UNSUPPORTED if colours of the sheet do not repeat. */
weft_result weft__strip_create(struct weft_cluster* cluster, const weft_world_def* def,
                               const weft__sheet_parts* of);

/* Links that act: other ranks must learn of changes. */
void weft__strip_end_steps(struct weft_cluster* cluster);

/* Fails, with the name, on a feature that strips lack. */
weft_result weft__strip_check_world(const struct weft_cluster* cluster);

/* Hash of the whole sheet: each rank continues the one before. Collective. */
uint64_t weft__strip_hash(struct weft_cluster* cluster);

#endif
