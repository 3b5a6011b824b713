/* Hand-made particles and runs, as input of the kernels. */
#ifndef TESTS_SUPPORT_RIG_H
#define TESTS_SUPPORT_RIG_H

#include "kernels/kernels.h"
#include "support/random.h"

/* Magnitude of the coordinates of a rig. */
typedef enum rig_style {
  RIG_PLAIN,      /* within a metre or so */
  RIG_TINY,       /* down to the smallest denormal numbers */
  RIG_LARGE,      /* up to thousands of kilometres */
  RIG_HUGE,       /* up to the largest floats, where distances overflow */
  RIG_COINCIDENT, /* few distinct positions, most ends coincide */
  RIG_MIXED,      /* a random style per particle */
  RIG_STYLE_COUNT
} rig_style;

typedef struct rig {
  weft__particles particles;
  weft__schedule schedule; /* one patch per run, without segments */
} rig;

/* Draws positions of this style, and masses that are all equal, equal in stretches or all
 * different. */
void fill_particles(weft__particles* particles, random_source* random, rig_style style);

/* Particles and `run_count` runs of both kinds, with empty lanes and with parameters that are
 * shared or differ. */
rig new_rig(random_source* random, rig_style style, uint32_t run_count);
/* Clears the multipliers, as at the start of a substep. */
void forget_multipliers(const weft__schedule* schedule);

/* One substep's sweeps over all patches of a rig's schedule, in order. */
void solve_rig(const weft__kernels* kernels, weft__particles* particles,
               const weft__schedule* schedule, uint32_t sweeps);

/* Copy of the particles in new columns, destroyed at the end of the test. */
weft__particles copy_particles(const weft__particles* particles);

/* Bit for bit, padding included. */
bool same_particles(const weft__particles* left, const weft__particles* right);

#endif
