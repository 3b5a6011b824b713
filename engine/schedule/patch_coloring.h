/* Graph colouring of the patches: patches that touch a common particle get different colours, so
 * that the patches of one colour can be solved in parallel.
 *
 * A patch touches its own particles and others that its links and hinges, or the empty lanes of its
 * contiguous groups, reach. Touches across patches are listed and sorted by particle; patches that
 * share a particle, its owner included, are joined by an edge; colours are then first fit in patch
 * order. Strips of a sheet need two colours, pieces of a mesh two or three. */
#ifndef WEFT_SCHEDULE_PATCH_COLORING_H
#define WEFT_SCHEDULE_PATCH_COLORING_H

#include <stdbool.h>

#include "tables/schedule.h"

/* Fills color_count, patch_color, patch_first_neighbor and neighbors of a schedule whose runs and
 * segments are set. False if out of memory. */
bool weft__color_patches(weft__schedule* schedule);

#endif
