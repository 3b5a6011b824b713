/* Coarse link from which a fine link takes its starting Lagrange multiplier. */
#ifndef WEFT_SOLVERS_MULTIGRID_ANCESTRY_H
#define WEFT_SOLVERS_MULTIGRID_ANCESTRY_H

#include "solvers/multigrid/coarsen.h"

#define WEFT__NO_ANCESTOR UINT32_MAX

/* Coarse link between parents of a link's ends that is best aligned with it in the scenes'
 * positions, or WEFT__NO_ANCESTOR: bend links and links that carry no load. ancestor: [fine
 * links] */
bool weft__list_ancestors(uint32_t* ancestor, const weft__coarsening* coarsening,
                          const weft_scene* fine);

#endif
