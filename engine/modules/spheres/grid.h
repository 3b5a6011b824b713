/* Hierarchical grid: bodies sorted by the cell that holds the centre of their AABB.
 *
 * Cells of a level are as wide as its widest box, along each axis; the level of a box follows from
 * the median of its three widths. Cells are numbered by level, environment, z, y and x: a row of
 * cells is one range of the array, found by a galloping search from the range of the previous body.
 * An axis with more cells than numbers wraps around: the AABB test rejects distant boxes. */
#ifndef WEFT_MODULES_SPHERES_GRID_H
#define WEFT_MODULES_SPHERES_GRID_H

#include "modules/spheres/particle_contacts.h"

void weft__grid_sort(weft__particle_contacts* state, const weft__step_context* step);

/* Start of the last range of each row, from where the next search gallops; zero at first. */
typedef struct weft__grid_cursors {
  uint32_t begin[WEFT__GRID_LEVELS][16]; /* by row of cells around a body */
} weft__grid_cursors;

/* Bodies that one is compared with, at most: a hundred times its neighbours in a heap. */
#define WEFT__MAX_BODY_TESTS 8192u

/* Finds the overlaps that the body at `entry` of the cell order reports: bodies of its own level
 * that come later, and all bodies of coarser levels, so that each pair is found once. Writes at
 * most `capacity` of them. Returns their number, or WEFT__MAX_BODY_PAIRS + 1 if there are more than
 * WEFT__MAX_BODY_PAIRS; *tests is the number of bodies compared, above WEFT__MAX_BODY_TESTS if more
 * were left. */
uint32_t weft__grid_find(const weft__particle_contacts* state, const weft__step_context* step,
                         weft__grid_cursors* cursors, uint32_t entry, uint32_t* others,
                         uint32_t capacity, uint32_t* tests);

#endif
