/* Strain of the links of a cloth: |length - rest length| / rest length. */
#ifndef BENCH_STRAIN_H
#define BENCH_STRAIN_H

#include "samples.h"
#include "weft/weft.h"

typedef struct bench_strain {
  double mean, p99, max; /* all NaN if any length is */
} bench_strain;

/* Of `count` links; positions are [][3] in metres. The samples have room for all links. */
bench_strain bench_measure_strain(const float* positions, const weft_link_def* links,
                                  uint32_t count, bench_samples* strains);

#endif
