/* Bodies in the order of the cells that the middles of their boxes are in, so that what lies side by side is side by
 * side in memory.
 *
 * Every level has cells as wide as its widest box, along each axis: long bodies in a plane make long cells, not
 * large ones. A box is of the level of the middle one of its three widths. Cells are numbered by level, then z, y and x, and bodies are
 * sorted by that number: so those in a row of cells are one run, found by a few looks from where the run of the body
 * before was. Along an axis that has more cells than there are numbers for these begin anew: two cells
 * that are so far apart share a number, and what is in them is told apart by its boxes. */
#ifndef WEFT_COLLISION_PARTICLES_GRID_H
#define WEFT_COLLISION_PARTICLES_GRID_H

#include "collision/particles/particle_contacts.h"
#include "collision/particles/team.h"

/* Sorts all bodies by the cells of their boxes. All meet before it returns. */
void weft__cells_sort(weft__particle_contacts* particle_contacts, const weft__contact_stage* stage,
                      const weft__team* team);

/* Where the last runs were, so that the next are near: one for each worker, all zero at first. */
typedef struct weft__cell_runs {
  uint32_t begin[WEFT__CELL_LEVELS][16]; /* by the row of cells, as they lie around a body */
} weft__cell_runs;

/* Finds those that the body at a place of the order finds: of its own level they come after it, of levels with
 * larger boxes they are anywhere. So of two bodies one finds the other. Writes no more than there is room for;
 * returns how many there are, and WEFT__BODY_PAIRS + 1 where there are more than that. */
uint32_t weft__cells_find(const weft__particle_contacts* particle_contacts,
                          const weft__contact_stage* stage, weft__cell_runs* runs, uint32_t place,
                          uint32_t* others, uint32_t room);

#endif
