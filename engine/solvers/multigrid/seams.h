/* Seams, the links outside lattices with an end in one, stay links between the coarse particles
 * nearest to their ends, longer by the paths to these. */
#ifndef WEFT_SOLVERS_MULTIGRID_SEAMS_H
#define WEFT_SOLVERS_MULTIGRID_SEAMS_H

#include "solvers/multigrid/coarsen.h"

/* Coarse particles and parents are complete. */
bool weft__seams_coarsen(weft__coarsening* coarsening, const weft_scene* fine);

#endif
