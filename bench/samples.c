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
  // 0.99 * 100 must be the 99th, though the product may come out a little above 99
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
