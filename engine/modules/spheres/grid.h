/* Hierarchical grid: bodies sorted by the cell that holds the centre of their AABB.
 *
 * Cells of a level are as wide as its widest box, along each axis: long bodies in a plane make long
 * cells, not large ones. The level of a box follows from the median of its three widths. Cells are
 * numbered by level, then z, y and x, and bodies are sorted by that number: a row of cells is one
 * range of the array, found by a galloping search from the range of the previous body. An axis with
 * more cells than numbers wraps around: distant cells share a number, and the AABB test rejects
 * their boxes. Environments have cells of their own: each has its rows further along z. */
#ifndef WEFT_MODULES_SPHERES_GRID_H
#define WEFT_MODULES_SPHERES_GRID_H

#include "modules/spheres/particle_contacts.h"

void weft__grid_sort(weft__particle_contacts* state, const weft__step_context* step);

/* Start of the last range of each row, from where the next search gallops. Zero at
 * first. */
typedef struct weft__grid_cursors {
  uint32_t begin[WEFT__GRID_LEVELS][16]; /* by row of cells around a body */
} weft__grid_cursors;

/* Bodies that one body is compared with, at most: a hundred times its neighbours in a heap. */
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
