/* For some target strains: the fastest plain serial run, the fastest serial run of any method and
 * the fastest run of the engine that keep to it, so that method and engine are told apart:
 *
 *   ratio = by method, plain serial over serial, times by engine, serial over the engine
 *
 * Where no plain serial run keeps to the target, nothing is extrapolated. One that did would take
 * longer than the slowest that did not, which gives lower bounds. */
#ifndef BENCH_EQUAL_STRAIN_H
#define BENCH_EQUAL_STRAIN_H

#include "quality.h"

enum { BENCH_TARGETS = 4 };

typedef struct bench_equal_strain {
  double target;           /* mean strain, a share */
  double serial_ms;        /* a step of the plain loop; NaN where none keeps to the target */
  double engine_ms;        /* likewise */
  double ratio;            /* serial over engine, NaN unless both are there */
  double ratio_at_least;   /* the bound, where the engine alone keeps to the target and a serial run
                              is there; else NaN */
  double serial_method_ms; /* a step of the serial loop with any method; NaN likewise */
  double method_ratio;     /* plain serial over serial with a method */
  double method_ratio_at_least;
  double engine_ratio; /* serial with a method over engine */
  // for people: the runs, and the one that the bounds are of, or else NULL
  const bench_quality_row* serial;
  const bench_quality_row* serial_method;
  const bench_quality_row* engine;
  const bench_quality_row* slowest_serial;
} bench_equal_strain;

extern const bench_row_type bench_equal_strain_type;

/* For mean strains of 10, 3, 1 and 0.3 %; the answers point into the rows. */
void bench_find_equal_strain(const bench_quality_row* rows, uint32_t count,
                             bench_equal_strain found[BENCH_TARGETS]);

#endif
