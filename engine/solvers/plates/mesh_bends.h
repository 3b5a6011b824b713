/* Direct solver of the bending of meshes: see tables/mesh_bends.h.
 *
 * Once a substep, after integration. Errors that links cause are left to the next substep. */
#ifndef WEFT_SOLVERS_PLATES_MESH_BENDS_H
#define WEFT_SOLVERS_PLATES_MESH_BENDS_H

#include "kernels/kernels.h"
#include "parallel/step_context.h"

/* Factors are computed again where masses or elements have changed. */
void weft__mesh_bends_solve(const weft__mesh_bends* bends, const weft__step_context* step);

#endif
