/* Reference prolongation: corrections of coarse particles interpolated to a fine one. */
#ifndef TESTS_SUPPORT_BLENDS_H
#define TESTS_SUPPORT_BLENDS_H

#include <stdbool.h>

#include "solvers/multigrid/coarsen.h"

/* True if one axis of a particle has moved from `before` to `after` by the weighted corrections of
 * its parents, within rounding. Corrections are in the order of the coarse scene. */
bool is_blended(const weft__parents* parents, const float* corrections, float inv_mass,
                float before, float after);

#endif
