/* Links that belong to no lattice and have an end in one: ropes that a sheet hangs from, sheets that
 * are sewn together, a sheet that is sewn to itself.
 *
 * A seam stays a link of the coarse scene, between the coarse particles nearest to its two ends. These
 * may be further from each other than the seam is long, by the ways from them to the ends. */
#ifndef WEFT_SOLVERS_MULTIGRID_SEAMS_H
#define WEFT_SOLVERS_MULTIGRID_SEAMS_H

#include "solvers/multigrid/coarsen.h"

/* Appends the seams of `fine` to the coarse scene, whose particles and parents stand already. False when
 * memory cannot be had. */
bool weft__coarsen_seams(weft__coarsening* coarsening, const weft_scene* fine);

#endif
