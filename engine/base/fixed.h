/* Fixed-point sums of impulses, independent of order, in units of 2^-80: floats down to 2^-56 are
 * exact, and so are sums of thousands of them. */
#ifndef WEFT_BASE_FIXED_H
#define WEFT_BASE_FIXED_H

#include <math.h>

#include "base/vec3.h"

#define WEFT__FIXED_UNIT 0x1p80
/* Clamp of values: 2^10 of them still fit. */
#define WEFT__MAX_FIXED 0x1p36

__extension__ typedef __int128 weft__fixed;

/* NaN counts as 0. */
static inline weft__fixed weft__fixed_of(double value) {
  if (isnan(value)) return 0;
  const double within = fmin(fmax(value, -WEFT__MAX_FIXED), WEFT__MAX_FIXED);
  return (weft__fixed)(within * WEFT__FIXED_UNIT);
}

static inline double weft__fixed_value(weft__fixed fixed) {
  return (double)fixed * (1.0 / WEFT__FIXED_UNIT);
}

static inline void weft__fixed_add(weft__fixed sum[3], weft__vec3 v) {
  sum[0] += weft__fixed_of(v.x);
  sum[1] += weft__fixed_of(v.y);
  sum[2] += weft__fixed_of(v.z);
}

static inline weft__vec3 weft__fixed_vector(const weft__fixed sum[3]) {
  return (weft__vec3){weft__fixed_value(sum[0]), weft__fixed_value(sum[1]),
                      weft__fixed_value(sum[2])};
}

#endif
