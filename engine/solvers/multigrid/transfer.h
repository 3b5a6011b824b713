/* Transfers between levels: masses, displacements and Lagrange multipliers from a level to the next
 * one, by the weights of prolongation. */
#ifndef WEFT_SOLVERS_MULTIGRID_TRANSFER_H
#define WEFT_SOLVERS_MULTIGRID_TRANSFER_H

#include "kernels/kernels.h"
#include "solvers/multigrid/levels.h"

/* Sets the masses of all levels: each particle of the cloth adds its mass to its parents by their
 * weights, so that a level is as heavy as the cloth. A pinned particle of the cloth pins the coarse
 * particle at its own position, or else the nearest of its parents unless one is pinned already;
 * only finer levels move that one. Also sets the lower bounds of the rest lengths, from the cloth
 * as drawn. Call it whenever a mass of the cloth has changed. */
void weft__levels_set_masses(const weft__levels* levels, const weft__particles* cloth);

/* Restriction for the runs [begin, end) of the followers of level `l`; the next finer level's, or
 * the integration of the cloth, must be complete. A particle without free followers starts with the
 * displacement of its own cloth particle. */
void weft__level_restrict(const weft__levels* levels, uint32_t l, const weft__kernels* kernels,
                          const weft__particles* cloth, uint32_t begin, uint32_t end);

/* Starts the Lagrange multipliers of a patch of the finer level's schedule from `coarser`'s, or at
 * 0 if `coarser` is NULL: the load that a link carries on the coarser level must not be applied
 * twice. */
void weft__level_start_multipliers(const weft__level* coarser, const weft__kernels* kernels,
                                   const weft__schedule* schedule, uint32_t patch);

/* Stores the displacements of a patch's particles, for the prolongation to the next finer level. */
void weft__level_store_corrections(const weft__level* level, uint32_t patch);

#endif
