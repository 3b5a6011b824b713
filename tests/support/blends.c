#include "support/blends.h"

#include <math.h>

bool is_blended(const weft__parents* parents, const float* corrections, float inv_mass,
                float before, float after) {
  double expected = (double)before;
  double size = fabs(expected);
  for (uint32_t j = 0; j < WEFT__PARENTS && inv_mass > 0.0f; ++j) {
    const double share = (double)parents->weight[j] * (double)corrections[parents->of[j]];
    expected += share;
    size += fabs(share);
  }
  return fabs((double)after - expected) <= 5e-7 * size;
}
