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
#ifndef WEFT_COARSE_RESTRICTION_H
#define WEFT_COARSE_RESTRICTION_H

#include <stdbool.h>
#include <stdint.h>

#include "tables/blend.h"
#include "tables/particles.h"
#include "tables/schedule.h"

/* The particles of the finer level that follow each of a coarse level, both in solver order: those of particle i
 * are the entries [first[i], first[i + 1]). */
typedef struct weft__followers {
  uint32_t* first; /* [particle_count + 1] */
  uint32_t* of;    /* particle of the finer level [first[particle_count]] */
  float* share;    /* of the coarse particle's mass; 0 where either is pinned */
} weft__followers;

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

/* Sets the record of particle i to the mean of those that follow it, of the finer level's records; false where
 * nothing does that is free to move. */
bool weft__restrict(const weft__followers* followers, const float* records, uint32_t i, float* to);

#endif
