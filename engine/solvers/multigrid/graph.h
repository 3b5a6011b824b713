/* Coarsening of parts that are no lattices; see coarsen.h.
 *
 * The coarse particles are a maximal independent set of the structural links (Luby 1986 for the
 * term): no link joins two of them, and every other particle is linked to one. Pinned particles are
 * selected first. Each coarse particle is the root of a cell, the cloth's particles nearest to it
 * along links of any kind. Roots of adjacent cells are linked; the rest length is the shortest path
 * over the cloth between them, nearly straight, as it may use shear and bend links, and never too
 * short for a cloth that unfolds. */
#ifndef WEFT_SOLVERS_MULTIGRID_GRAPH_H
#define WEFT_SOLVERS_MULTIGRID_GRAPH_H

#include "solvers/multigrid/coarsen.h"

/* Coarse particles and links of `fine`, and parents of its particles. cloth_of: the cloth's
 * particles */
bool weft__graph_coarsen(weft__coarsening* coarsening, const weft_scene* fine,
                         const uint32_t* cloth_of, weft__distances* cloth);

#endif
