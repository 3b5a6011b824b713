/* Everything that is no lattice, one level coarser; see coarsen.h.
 *
 * The coarse particles are chosen so that no structural link joins two of them and every other
 * particle has one beside it (a maximal independent set; Luby 1986 for the term), pinned ones first.
 * Each is the root of a cell of the cloth, the particles nearest to it along links of any kind. Roots
 * whose cells touch are linked, with the length of the shortest way over the cloth between them as the
 * rest length: straight enough, as it may use shear and bend links, and never too short for a cloth
 * that opens. */
#ifndef WEFT_SOLVERS_MULTIGRID_GRAPH_H
#define WEFT_SOLVERS_MULTIGRID_GRAPH_H

#include "solvers/multigrid/coarsen.h"

/* Appends the coarse particles of all parts of `fine` that are no lattice, and their links, and fills
 * in the parents. `cloth_of` lists the particles of the cloth that those of `fine` are. False when
 * memory cannot be had. */
bool weft__graph_coarsen(weft__coarsening* coarsening, const weft_scene* fine,
                         const uint32_t* cloth_of, weft__distances* cloth);

#endif
