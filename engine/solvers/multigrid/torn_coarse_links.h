/* Tearing on the coarse levels: a torn link of the cloth takes the coarse links that stand for it
 * along. */
#ifndef WEFT_SOLVERS_MULTIGRID_TORN_COARSE_LINKS_H
#define WEFT_SOLVERS_MULTIGRID_TORN_COARSE_LINKS_H

#include "solvers/multigrid/levels.h"

/* Allocates the tables that tearing needs, if not done yet; a cloth that cannot tear pays nothing.
 * False when out of memory, with the levels still valid. */
bool weft__levels_make_tearable(weft__levels* levels);

/* Tears the coarse links that stand for a torn link between particles a and b of the cloth, in
 * solver order: on each level those between parents of its ends. The ends take no more corrections
 * from the coarser level, which would pull them across the tear. Needs
 * weft__levels_make_tearable(). */
void weft__levels_tear(const weft__levels* levels, const weft__schedule* cloth, uint32_t a,
                       uint32_t b);

/* Stops prolongation to particle a of the cloth, in solver order. Needs
 * weft__levels_make_tearable(). */
void weft__levels_release(const weft__levels* levels, uint32_t a);

/* Visits the state of the levels: which of their links act, and which particles follow them. The
 * tables of torn links must exist if the stream has them. */
void weft__levels_visit(weft__levels* levels, weft__archive* archive);

/* True if the tables of torn links exist. */
static inline bool weft__levels_are_tearable(const weft__levels* levels) {
  return levels->count > 0 && levels->levels[0].links.first != NULL;
}

#endif
