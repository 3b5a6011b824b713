/* Coarsening of meshes, ropes and all other parts that are not lattices; see coarsen.h.
 *
 * The coarse particles are a maximal independent set of the structural links (Luby 1986 for the
 * term): no link joins two of them, and every other particle is linked to one. Pinned particles are
 * selected first. Each coarse particle is the root of a cell of the cloth, the particles nearest to
 * it along links of any kind. Roots of adjacent cells are linked; the rest length is the length of
 * the shortest path over the cloth between them. This path is nearly straight, as it may use shear
 * and bend links, and it is never too short for a cloth that unfolds. */
#ifndef WEFT_SOLVERS_MULTIGRID_GRAPH_H
#define WEFT_SOLVERS_MULTIGRID_GRAPH_H

#include "solvers/multigrid/coarsen.h"

/* Appends the coarse particles and links of all parts of `fine` that are not lattices, and sets the
 * parents of their particles. `cloth_of` maps particles of `fine` to particles of the cloth. False
 * when out of memory. */
bool weft__graph_coarsen(weft__coarsening* coarsening, const weft_scene* fine,
                         const uint32_t* cloth_of, weft__distances* cloth);

#endif
