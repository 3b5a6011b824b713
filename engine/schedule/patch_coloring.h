/* Colours of patches: patches that touch a common particle (touched.h) differ.
 *
 * Touches are listed and sorted by particle; patches that share one, its owner included, are joined
 * by an edge; colours are first fit in patch order. Strips of a sheet need two, pieces of a mesh
 * two or three. */
#ifndef WEFT_SCHEDULE_PATCH_COLORING_H
#define WEFT_SCHEDULE_PATCH_COLORING_H

#include <stdbool.h>

#include "tables/schedule.h"

/* Fills color_count, patch_color, patch_first_neighbor and neighbors; runs and segments are set. */
bool weft__color_patches(weft__schedule* schedule);

#endif
