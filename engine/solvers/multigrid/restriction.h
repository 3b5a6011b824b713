/* Restriction of a substep's displacements to the next coarser level, by the transpose of
 * prolongation. (Brandt 1977, "full weighting"; Briggs, Henson, McCormick 2000, section 5)
 *
 *     finer      o   o   o   o   o     displacement d, mass m
 *                 \  |  / \  |  /      prolongation weight w of each parent
 *     coarse         o       o         D = sum(w m d) / sum(w m)
 *
 * Only these weights conserve momentum in a correction, and give the coarse problem the finer one's
 * equilibrium. Injection of one finer particle would scale its load by the mass ratio, and
 * overshoot. */
#ifndef WEFT_SOLVERS_MULTIGRID_RESTRICTION_H
#define WEFT_SOLVERS_MULTIGRID_RESTRICTION_H

#include <stdbool.h>
#include <stdint.h>

#include "tables/schedule.h"
#include "tables/transfer.h"

/* Finer particles that corrections go to. Adds to *bytes. */
bool weft__followers_create(weft__restriction* followers, const weft__schedule* schedule,
                            const weft__coarse_corrections* corrections, uint32_t finer_patches,
                            size_t* bytes);
void weft__followers_destroy(weft__restriction* followers);

/* Shares of the coarse masses. masses: kilograms in scene order, 0 or less if pinned */
void weft__followers_weigh(const weft__restriction* followers, const weft__schedule* schedule,
                           const float* inv_mass, const double* masses);

#endif
