/* A torn link of the cloth takes the coarse links that stand for it along. */
#ifndef WEFT_SOLVERS_MULTIGRID_TORN_COARSE_LINKS_H
#define WEFT_SOLVERS_MULTIGRID_TORN_COARSE_LINKS_H

#include "solvers/multigrid/levels.h"

/* Unless done; a cloth that cannot tear pays nothing. The levels stay valid if it fails. */
bool weft__levels_make_tearable(weft__levels* levels);

/* Tears, on each level, links between parents of a torn link's ends a, b, the cloth's in solver
 * order. The ends take no more corrections, which would pull them across the tear. */
void weft__levels_tear(const weft__levels* levels, const weft__schedule* cloth, uint32_t a,
                       uint32_t b);

/* Stops prolongation to the cloth's particle a, solver order. */
void weft__levels_release(const weft__levels* levels, uint32_t a);

/* Links that act, and particles that follow. The tables of torn links must exist if the stream has
 * them. */
void weft__levels_visit(weft__levels* levels, weft__archive* archive);

static inline bool weft__levels_are_tearable(const weft__levels* levels) {
  return levels->count > 0 && levels->levels[0].links.first != NULL;
}

#endif
