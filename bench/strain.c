#include "strain.h"

#include <math.h>
#include <stdlib.h>

static double link_strain(const float* positions, const weft_link_def* link) {
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

bench_strain bench_measure_strain(const float* positions, const weft_link_def* links,
                                  uint32_t count) {
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

static int compare_values(const void* left, const void* right) {
  const double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

double bench_percentile(double* values, size_t count, double share) {
  if (count == 0) return 0.0;
  qsort(values, count, sizeof *values, compare_values);
  // 0.99 * 100 must be the 99th, though the product may come out a little above 99
  const double rank = ceil(share * (double)count - 1e-9 * (double)count);
  const size_t index = rank < 1.0 ? 0 : (size_t)rank - 1;
  return values[index < count ? index : count - 1];
}

bench_strain_spread bench_measure_spread(const float* positions, const weft_link_def* links,
                                         uint32_t count, double* values) {
  const double nan = (double)NAN;
  const bench_strain strain = bench_measure_strain(positions, links, count);
  if (isnan(strain.max)) return (bench_strain_spread){nan, nan, nan};
  for (uint32_t i = 0; i < count; ++i) values[i] = link_strain(positions, &links[i]);
  return (bench_strain_spread){strain.mean, bench_percentile(values, count, 0.99), strain.max};
}
