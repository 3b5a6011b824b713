#include "strain.h"

#include <math.h>
#include <stddef.h>

static double link_strain(const float* positions, const weft_link* link) {
  const float* a = positions + 3 * (size_t)link->a;
  const float* b = positions + 3 * (size_t)link->b;
  double length_sq = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double d = (double)b[k] - (double)a[k];
    length_sq += d * d;
  }
  const double rest_length = (double)link->rest_length;
  return fabs(sqrt(length_sq) - rest_length) / rest_length;
}

bench_strain bench_measure_strain(const float* positions, const weft_link* links, uint32_t count) {
  bench_strain strain = {0.0, 0.0};
  if (count == 0) return strain;
  for (uint32_t i = 0; i < count; ++i) {
    const double value = link_strain(positions, &links[i]);
    strain.mean += value;
    // written so that a NaN, once met, stays
    if (!(value <= strain.max)) strain.max = isnan(strain.max) ? strain.max : value;
  }
  strain.mean /= (double)count;
  return strain;
}
