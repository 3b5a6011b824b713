/* How far a cloth is from keeping its lengths. */
#ifndef BENCH_STRAIN_H
#define BENCH_STRAIN_H

#include <stdint.h>

#include "weft/weft.h"

typedef struct bench_strain {
  double mean; /* of |length - rest length| / rest length */
  double max;  /* the largest of those; NaN if any length is */
} bench_strain;

/* Over all the given links; positions are [][3] in metres. */
bench_strain bench_measure_strain(const float* positions, const weft_link* links, uint32_t count);

#endif
