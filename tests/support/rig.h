/* Particles and runs made by hand, for the kernels to work on. */
#ifndef TESTS_SUPPORT_RIG_H
#define TESTS_SUPPORT_RIG_H

#include "kernels/kernels.h"
#include "support/random.h"

/* What the coordinates of a rig are like. */
typedef enum rig_style {
  RIG_PLAIN,      /* within a metre or so */
  RIG_TINY,       /* down to the smallest denormal numbers */
  RIG_LARGE,      /* up to thousands of kilometres */
  RIG_HUGE,       /* up to the largest floats, where distances overflow */
  RIG_COINCIDENT, /* few different places, most ends lie in one */
  RIG_MIXED,      /* each particle after another style */
  RIG_STYLE_COUNT
} rig_style;

typedef struct rig {
  weft__particles particles;
  weft__schedule schedule; /* each run a patch of its own, without segments */
} rig;

/* Draws places of this style and masses that are alike, alike in stretches or all different. */
void fill_particles(weft__particles* particles, random_source* random, rig_style style);

/* Draws particles and `run_count` runs of both kinds, with empty lanes
 * and with parameters that are shared or differ. */
rig new_rig(random_source* random, rig_style style, uint32_t run_count);
void free_rig(rig* r);

/* Clears the multipliers, as the start of a substep does. */
void forget_multipliers(const weft__schedule* schedule);

/* One substep's sweeps over all patches of a rig's schedule, in order. */
void solve_rig(const weft__kernels* kernels, const weft__particles* particles,
               const weft__schedule* schedule, uint32_t sweeps);

/* The same particles and the same values in new columns. */
weft__particles copy_particles(const weft__particles* particles);

/* Whether all columns are the same, bit for bit, the padding included. */
bool same_particles(const weft__particles* left, const weft__particles* right);

#endif
