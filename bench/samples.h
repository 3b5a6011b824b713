/* Times of single steps, and what is said about them. */
#ifndef BENCH_SAMPLES_H
#define BENCH_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bench_samples {
  double* values; /* [capacity], the first count in use */
  size_t count;
  size_t capacity;
} bench_samples;

/* False when memory cannot be had. Nothing is allocated after this, so that taking a sample
 * disturbs nothing. */
bool bench_samples_create(bench_samples* samples, size_t capacity);
void bench_samples_free(bench_samples* samples);
void bench_samples_add(bench_samples* samples, double value);

/* Sorts the samples; NaN where there are none. */
double bench_samples_median(bench_samples* samples);
/* Of sorted samples: the smallest that at least this share of them does not exceed. */
double bench_samples_quantile(const bench_samples* samples, double share);
double bench_samples_mean(const bench_samples* samples);
double bench_samples_min(const bench_samples* samples);

#endif
