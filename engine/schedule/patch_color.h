/* Colours the patches: two that touch a common particle get different colours, so that those of one
 * colour can be solved at the same time.
 *
 * A patch touches its own particles and those of other patches that its links and hinges, or the empty
 * lanes of its contiguous groups, reach. The touches across patches are listed and sorted by particle;
 * patches that meet at a particle, its owner among them, are joined by an edge; the colours are
 * then first fit in patch order. Strips of a sheet come out in two colours, pieces of a mesh in two
 * or three. */
#ifndef WEFT_SCHEDULE_PATCH_COLOR_H
#define WEFT_SCHEDULE_PATCH_COLOR_H

#include <stdbool.h>

#include "tables/schedule.h"

/* Fills color_count, patch_color, patch_first_neighbor and neighbors of a schedule whose runs and
 * segments stand. False when memory cannot be had. */
bool weft__color_patches(weft__schedule* schedule);

#endif
