/* Coarsening of seams, the links outside lattices with an end in one: ropes that a sheet hangs
 * from, and sheets that are sewn together or to themselves.
 *
 * A seam stays a link between the coarse particles nearest to its ends; its rest length grows by
 * the paths to these. */
#ifndef WEFT_SOLVERS_MULTIGRID_SEAMS_H
#define WEFT_SOLVERS_MULTIGRID_SEAMS_H

#include "solvers/multigrid/coarsen.h"

/* Coarse particles and parents are complete. */
bool weft__seams_coarsen(weft__coarsening* coarsening, const weft_scene* fine);

#endif
