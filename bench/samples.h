/* Times of steps and strains of links, with their statistics. */
#ifndef BENCH_SAMPLES_H
#define BENCH_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>

#include "common/message.h"
#include "weft/weft.h"

typedef struct bench_samples {
  double* values; /* [capacity], the first count in use */
  size_t count;
  size_t capacity;
} bench_samples;

/* Allocates all memory, so that adding a sample disturbs nothing. */
bool bench_samples_create(bench_samples* samples, size_t capacity, tool_message* why);
void bench_samples_free(bench_samples* samples);
void bench_samples_add(bench_samples* samples, double value);

/* Sorts the samples; NaN where there are none. */
double bench_samples_median(bench_samples* samples);
/* Smallest of sorted samples that at least this share does not exceed. */
double bench_samples_quantile(const bench_samples* samples, double share);

typedef struct bench_times {
  double min, median, mean, p99, max;
  double q1, q3; /* quartiles */
} bench_times;

/* Sorts the samples; all NaN where there are none. */
bench_times bench_samples_times(bench_samples* samples);

/* Strain of links: |length - rest length| / rest length. */
typedef struct bench_strain {
  double mean, p99, max; /* all NaN if any length is */
} bench_strain;

/* `count` links; positions are [][3] in metres. The samples have room for all links. */
bench_strain bench_measure_strain(const float* positions, const weft_link_def* links,
                                  uint32_t count, bench_samples* strains);

/* A number from 0 to 1 for each number, by the finalizer of MurmurHash3. */
double bench_noise(uint32_t number);

#endif
