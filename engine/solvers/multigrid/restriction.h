/* Restriction: the displacement that a coarse level takes from the next finer one in a substep, the transpose of
 * what corrections are handed down by.
 *
 *     finer      o   o   o   o   o     displacement d, mass m
 *                 \  |  / \  |  /      weight w of the parent that each follows
 *     coarse         o       o         D = sum(w m d) / sum(w m)
 *
 * A correction keeps momentum with these weights alone. With them the coarse problem has the finer one's equilibrium as
 * its own: an edge load moves a coarse particle by as much as it moves all that follows it, in the mean. A
 * coarse particle that took the displacement of the one finer particle in its place would carry the load of that
 * one as many times as it is heavier, and overshoot. (Brandt 1977, "full weighting"; Briggs, Henson, McCormick
 * 2000, section 5) */
#ifndef WEFT_SOLVERS_MULTIGRID_RESTRICTION_H
#define WEFT_SOLVERS_MULTIGRID_RESTRICTION_H

#include <stdbool.h>
#include <stdint.h>

#include "tables/blend.h"
#include "tables/schedule.h"

/* Makes room for the followers that the corrections of a level with `schedule` go to, and adds that to *bytes.
 * False when memory cannot be had; what was made is to be destroyed either way. */
bool weft__followers_create(weft__followers* followers, const weft__schedule* schedule,
                            const weft__corrections* corrections, uint32_t finer_patches,
                            size_t* bytes);
void weft__followers_destroy(weft__followers* followers);

/* Lists the followers and their shares of `masses`, kilograms in the order of the coarse scene, of which one not
 * above 0 is pinned. `inv_mass`: of the finer particles. */
void weft__followers_weigh(weft__followers* followers, const weft__schedule* schedule,
                           const weft__corrections* corrections, uint32_t finer_patches,
                           const float* inv_mass, const double* masses);

#endif
