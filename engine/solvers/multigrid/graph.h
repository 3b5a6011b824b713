/* Coarsening of parts that are no lattices; see coarsen.h.
 *
 * The coarse particles are a maximal independent set (Luby 1986) of the structural links, pinned
 * particles first. Each is the root of a cell, the cloth's particles nearest to it along links of
 * any kind. Roots of adjacent cells are linked; the rest length is the shortest path over the
 * cloth, nearly straight, as it may use shear and bend links, and never too short for a cloth that
 * unfolds. */
#ifndef WEFT_SOLVERS_MULTIGRID_GRAPH_H
#define WEFT_SOLVERS_MULTIGRID_GRAPH_H

#include "solvers/multigrid/coarsen.h"

bool weft__graph_coarsen(weft__coarsening* coarsening, const weft_scene* fine,
                         const uint32_t* cloth_of, weft__distances* cloth);

#endif
