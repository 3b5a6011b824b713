/* Strain of the links of a cloth. */
#ifndef BENCH_STRAIN_H
#define BENCH_STRAIN_H

#include <stddef.h>
#include <stdint.h>

#include "weft/weft.h"

typedef struct bench_strain {
  double mean; /* mean of |length - rest length| / rest length */
  double max;  /* the largest of those; NaN if any length is */
} bench_strain;

/* Over all the given links; positions are [][3] in metres. */
bench_strain bench_measure_strain(const float* positions, const weft_link_def* links,
                                  uint32_t count);

typedef struct bench_strain_spread {
  double mean;
  double p99; /* the least strain that 99 % of the links do not exceed */
  double max;
} bench_strain_spread;

/* The same with the 99th percentile; all are NaN if any length is. Uses `values` [count]. */
bench_strain_spread bench_measure_spread(const float* positions, const weft_link_def* links,
                                         uint32_t count, double* values);

/* Sorts the values, none of which may be NaN, and returns the least of them that `share` of all, 0
 * to 1, do not exceed; 0 where there are none. */
double bench_percentile(double* values, size_t count, double share);

#endif
