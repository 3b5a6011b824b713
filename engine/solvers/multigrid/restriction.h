/* Restriction: transfer of the displacements of a substep from a level to the next coarser one, by
 * the transpose of the prolongation that hands corrections down.
 *
 *     finer      o   o   o   o   o     displacement d, mass m
 *                 \  |  / \  |  /      prolongation weight w of each parent
 *     coarse         o       o         D = sum(w m d) / sum(w m)
 *
 * Only these weights conserve momentum in a correction. With them the coarse problem has the finer
 * one's equilibrium: an edge load displaces a coarse particle by the mean displacement of its
 * followers. Injection, the displacement of the one finer particle at the same point, would scale
 * that particle's load by the mass ratio and overshoot. (Brandt 1977, "full weighting"; Briggs,
 * Henson, McCormick 2000, section 5) */
#ifndef WEFT_SOLVERS_MULTIGRID_RESTRICTION_H
#define WEFT_SOLVERS_MULTIGRID_RESTRICTION_H

#include <stdbool.h>
#include <stdint.h>

#include "tables/schedule.h"
#include "tables/transfer.h"

/* Allocates the followers of a level with `schedule`: the finer particles that its corrections go
 * to. Adds the memory to *bytes. False when out of memory; the caller destroys the followers either
 * way. */
bool weft__followers_create(weft__restriction* followers, const weft__schedule* schedule,
                            const weft__coarse_corrections* corrections, uint32_t finer_patches,
                            size_t* bytes);
void weft__followers_destroy(weft__restriction* followers);

/* Sets the followers' shares of the coarse masses. `masses`: kilograms in scene order, 0 or less if
 * pinned. `inv_mass`: of the finer particles. */
void weft__followers_weigh(const weft__restriction* followers, const weft__schedule* schedule,
                           const float* inv_mass, const double* masses);

#endif
