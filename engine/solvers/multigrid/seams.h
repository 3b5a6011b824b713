/* Coarsening of seams, the links outside lattices with an end in one: ropes that a sheet hangs
 * from, and sheets that are sewn together or to themselves.
 *
 * A seam stays a link of the coarse scene, between the coarse particles nearest to its two ends.
 * Its rest length grows by the paths from these to the ends. */
#ifndef WEFT_SOLVERS_MULTIGRID_SEAMS_H
#define WEFT_SOLVERS_MULTIGRID_SEAMS_H

#include "solvers/multigrid/coarsen.h"

/* Appends the seams of `fine` to the coarse scene, whose particles and parents are complete. False
 * when out of memory. */
bool weft__seams_coarsen(weft__coarsening* coarsening, const weft_scene* fine);

#endif
