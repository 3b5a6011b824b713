/* What coarse particles hand down, worked out slowly. */
#ifndef TESTS_SUPPORT_BLENDS_H
#define TESTS_SUPPORT_BLENDS_H

#include <stdbool.h>

#include "solvers/multigrid/coarsen.h"

/* Whether one axis of a particle has gone from `before` to `after` by what its parents were
 * corrected, within rounding; corrections in the order of the coarse scene. */
bool is_blended(const weft__parents* parents, const float* corrections, float inv_mass,
                float before, float after);

#endif
