/* Torn links, on all levels. */
#ifndef WEFT_SOLVERS_MULTIGRID_TEARS_H
#define WEFT_SOLVERS_MULTIGRID_TEARS_H

#include "solvers/multigrid/levels.h"

/* Makes what tears need, unless it is there. Until then it costs nothing. False, and what was there still
 * good, when memory cannot be had. */
bool weft__levels_make_tearable(weft__levels* levels, const weft__schedule* cloth);

/* Tears what stands for a torn link between particles a and b of the cloth, in solver order: on each
 * level the links between parents of its ends. The ends of all these go their own way from then on, so
 * that nothing pulls them across the tear. Needs weft__levels_make_tearable(). */
void weft__levels_tear(const weft__levels* levels, const weft__schedule* cloth, uint32_t a,
                       uint32_t b);

/* Lets particle a of the cloth, in solver order, go its own way. Needs weft__levels_make_tearable(). */
void weft__levels_let_go(const weft__levels* levels, uint32_t a);

#endif
