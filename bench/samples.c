#include "samples.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

bool bench_samples_create(bench_samples* samples, size_t capacity) {
  *samples = (bench_samples){calloc(capacity, sizeof *samples->values), 0, capacity};
  return samples->values != NULL;
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
  const double rank = ceil(share * (double)samples->count);
  const size_t last = samples->count - 1;
  const size_t index = rank > 1.0 ? (size_t)rank - 1 : 0;
  return samples->values[index < last ? index : last];
}

double bench_samples_mean(const bench_samples* samples) {
  double sum = 0.0;
  for (size_t i = 0; i < samples->count; ++i) sum += samples->values[i];
  return sum / (double)samples->count;
}

double bench_samples_min(const bench_samples* samples) {
  double lowest = samples->count > 0 ? samples->values[0] : (double)NAN;
  for (size_t i = 1; i < samples->count; ++i) lowest = fmin(lowest, samples->values[i]);
  return lowest;
}
