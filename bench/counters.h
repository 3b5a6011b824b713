/* Counters of the kernel and the CPU over all threads of the process, by perf_event_open(2).
 *
 * They are opened before a world is created, whose workers inherit them, and are read between
 * steps: no system call is made in a step. Many virtual machines and containers allow software
 * counters alone, or none. */
#ifndef BENCH_COUNTERS_H
#define BENCH_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum bench_counter {
  BENCH_INSTRUCTIONS = 0,
  BENCH_CYCLES,
  BENCH_CACHE_MISSES, /* of the last-level cache, as the kernel defines it for the CPU */
  BENCH_L1D_MISSES,   /* reads */
  BENCH_CPU_NS,       /* CPU time; this and those below are software counters */
  BENCH_PAGE_FAULTS,
  BENCH_CONTEXT_SWITCHES,
  BENCH_MIGRATIONS,
  BENCH_COUNTERS,
} bench_counter;

enum { BENCH_FIRST_SOFTWARE = BENCH_CPU_NS };

typedef struct bench_counters {
  int files[BENCH_COUNTERS];  /* -1 = not available */
  int errors[BENCH_COUNTERS]; /* errno of those */
} bench_counters;

/* Opens a counter of the calling thread and of threads that it starts from then on: a file, or -1
 * with errno. Type and config are those of perf_event_attr. */
typedef int bench_counter_open(uint32_t type, uint64_t config);

/* "instructions", "cycles" .. */
const char* bench_counter_name(bench_counter counter);

/* Opens what can be opened. `open` of NULL asks the kernel. */
void bench_counters_open(bench_counter_open* open, bench_counters* counters);
void bench_counters_close(bench_counters* counters);

/* Values so far, [BENCH_COUNTERS], extrapolated where the kernel shared a counter out in turns; NaN
 * where there is none. */
void bench_counters_read(const bench_counters* counters, double* values);

/* Errno of the first hardware counter that is not available; 0 = all are. */
int bench_counters_error(const bench_counters* counters);

#endif
