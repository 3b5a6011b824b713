/* Components: patches of the cloth that share particles, or a patch of a coarse level. */
#ifndef WEFT_MODULES_MULTIRATE_COMPONENTS_H
#define WEFT_MODULES_MULTIRATE_COMPONENTS_H

#include "modules/multirate/multirate.h"
#include "solvers/multigrid/levels.h"

/* Numbers the components, for patches of the cloth and of its levels. False if out of memory. */
bool weft__components_number(weft__multirate* m, weft__schedule* cloth, weft__levels* levels);

/* Loads their columns, which are allocated by then. */
void weft__components_load(weft__multirate* m, const weft__build* build);

#endif
