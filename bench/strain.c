#include "samples.h"

#include <math.h>

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
                                  uint32_t count, bench_samples* strains) {
  const double nan = (double)NAN;
  double sum = 0.0;
  strains->count = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const double strain = link_strain(positions, &links[i]);
    if (isnan(strain)) return (bench_strain){nan, nan, nan};
    sum += strain;
    bench_samples_add(strains, strain);
  }
  if (count == 0) return (bench_strain){0.0, 0.0, 0.0};
  (void)bench_samples_median(strains);
  return (bench_strain){sum / count, bench_samples_quantile(strains, 0.99),
                        bench_samples_quantile(strains, 1.0)};
}
