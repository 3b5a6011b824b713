/* Ancestry: the coarse link from which a fine link takes its starting Lagrange multiplier. */
#ifndef WEFT_SOLVERS_MULTIGRID_ANCESTRY_H
#define WEFT_SOLVERS_MULTIGRID_ANCESTRY_H

#include "solvers/multigrid/coarsen.h"

#define WEFT__NO_ANCESTOR UINT32_MAX

/* Sets `ancestor` [fine links]: of all coarse links between parents of a link's two ends, the one
 * best aligned with it in the scenes' positions, or WEFT__NO_ANCESTOR. Bend links and links that
 * carry no load have none. False when out of memory. */
bool weft__list_ancestors(uint32_t* ancestor, const weft__coarsening* coarsening,
                          const weft_scene* fine);

#endif
