/* Masses, displacements and Lagrange multipliers from level to level, by prolongation's weights. */
#ifndef WEFT_SOLVERS_MULTIGRID_TRANSFER_H
#define WEFT_SOLVERS_MULTIGRID_TRANSFER_H

#include "kernels/kernels.h"
#include "solvers/multigrid/levels.h"

/* Spreads each cloth particle's mass to its parents by their weights: a level is as heavy as the
 * cloth. A pinned one pins the coarse particle at its position, or else the nearest parent unless
 * one is pinned. Sets lower bounds of rest lengths. Needed whenever a mass changes. */
void weft__levels_set_masses(const weft__levels* levels, const weft__particles* cloth);

/* Runs [begin, end) of the followers of level `l`, after the next finer one. A particle without
 * free followers starts with its cloth particle's displacement. */
void weft__level_restrict(const weft__levels* levels, uint32_t l, const weft__kernels* kernels,
                          const weft__particles* cloth, uint32_t begin, uint32_t end);

/* Multipliers of a finer patch from `coarser`, or 0 if NULL: no load is applied twice. */
void weft__level_start_multipliers(const weft__level* coarser, const weft__kernels* kernels,
                                   const weft__schedule* schedule, uint32_t patch);

void weft__level_store_corrections(const weft__level* level, uint32_t patch);

#endif
