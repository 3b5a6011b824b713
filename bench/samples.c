#include "samples.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

bool bench_samples_create(bench_samples* samples, size_t capacity, tool_message* why) {
  *samples = (bench_samples){calloc(capacity, sizeof *samples->values), 0, capacity};
  return samples->values || tool_because(why, "no memory for %zu samples", capacity);
}

void bench_samples_free(bench_samples* samples) {
  free(samples->values);
  *samples = (bench_samples){0};
}

void bench_samples_add(bench_samples* samples, double value) {
  assert(samples->count < samples->capacity);
  samples->values[samples->count++] = value;
}

static int compare_values(const void* left, const void* right) {
  const double a = *(const double*)left, b = *(const double*)right;
  return (a > b) - (a < b);
}

double bench_samples_median(bench_samples* samples) {
  if (samples->count == 0) return (double)NAN;
  qsort(samples->values, samples->count, sizeof *samples->values, compare_values);
  const size_t middle = samples->count / 2;
  if (samples->count % 2 == 1) return samples->values[middle];
  return 0.5 * (samples->values[middle - 1] + samples->values[middle]);
}

double bench_samples_quantile(const bench_samples* samples, double share) {
  if (samples->count == 0) return (double)NAN;
  // 0.99 * 100 must be the 99th, though the product may exceed 99
  const double rank = ceil(share * (double)samples->count * (1.0 - 1e-9));
  const size_t last = samples->count - 1;
  const size_t index = rank > 1.0 ? (size_t)rank - 1 : 0;
  return samples->values[index < last ? index : last];
}

bench_times bench_samples_times(bench_samples* samples) {
  bench_times times = {.median = bench_samples_median(samples)};
  for (size_t i = 0; i < samples->count; ++i) times.mean += samples->values[i];
  times.mean /= (double)samples->count;
  times.min = bench_samples_quantile(samples, 0.0);
  times.p99 = bench_samples_quantile(samples, 0.99);
  times.max = bench_samples_quantile(samples, 1.0);
  times.q1 = bench_samples_quantile(samples, 0.25);
  times.q3 = bench_samples_quantile(samples, 0.75);
  return times;
}

double bench_noise(uint32_t number) {
  uint32_t h = number + 1;
  h = (h ^ (h >> 16)) * 0x85ebca6bu;
  h = (h ^ (h >> 13)) * 0xc2b2ae35u;
  h ^= h >> 16;
  return (double)(h >> 8) * 0x1p-24;
}

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
