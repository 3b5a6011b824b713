/* Which coarse link stands for each fine one. */
#ifndef WEFT_SOLVERS_MULTIGRID_ANCESTRY_H
#define WEFT_SOLVERS_MULTIGRID_ANCESTRY_H

#include "solvers/multigrid/coarsen.h"

#define WEFT__NO_ANCESTOR UINT32_MAX

/* Fills `ancestor`, [fine links], with that of the coarse links between parents of a fine link's two
 * ends that lies closest to its direction, as the scenes are drawn, or WEFT__NO_ANCESTOR. Bend links
 * have none. False when memory cannot be had. */
bool weft__list_ancestors(uint32_t* ancestor, const weft__coarsening* coarsening,
                          const weft_scene* fine);

#endif
