/* Masses, displacements and Lagrange multipliers from a level to the next, by the weights of
 * prolongation. */
#ifndef WEFT_SOLVERS_MULTIGRID_TRANSFER_H
#define WEFT_SOLVERS_MULTIGRID_TRANSFER_H

#include "kernels/kernels.h"
#include "solvers/multigrid/levels.h"

/* Each cloth particle adds its mass to its parents by their weights: a level is as heavy as the
 * cloth. A pinned one pins the coarse particle at its own position, or else the nearest parent
 * unless one is pinned already; only finer levels move that one. Also sets lower bounds of rest
 * lengths, from the cloth as drawn. Needed whenever a mass changes. */
void weft__levels_set_masses(const weft__levels* levels, const weft__particles* cloth);

/* Runs [begin, end) of the followers of level `l`; the next finer level, or the cloth's
 * integration, is complete. A particle without free followers starts with its cloth particle's
 * displacement. */
void weft__level_restrict(const weft__levels* levels, uint32_t l, const weft__kernels* kernels,
                          const weft__particles* cloth, uint32_t begin, uint32_t end);

/* Multipliers of a finer patch from `coarser`, or 0 if NULL: a load that the coarser level carries
 * must not be applied twice. */
void weft__level_start_multipliers(const weft__level* coarser, const weft__kernels* kernels,
                                   const weft__schedule* schedule, uint32_t patch);

/* For prolongation to the next finer level. */
void weft__level_store_corrections(const weft__level* level, uint32_t patch);

#endif
