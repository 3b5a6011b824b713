/* Limits of the machine. */
#ifndef BENCH_MACHINE_LIMITS_H
#define BENCH_MACHINE_LIMITS_H

#include "pace.h"
#include "plan.h"

/* Bandwidth of several threads together. GB are 10^9 bytes; the triad a = b + s c counts 24 bytes
 * an element, without a read of `a` before the write. */
typedef struct bench_bandwidth {
  uint32_t threads;
  double read_gb_per_s;
  double triad_gb_per_s;
} bench_bandwidth;

/* Several times all L3 caches, as far as three such arrays are a fair share of the memory. */
uint64_t bench_array_bytes(const bench_machine* machine);

/* Fills the rates of measured[count], the best of a few samples, on unbound threads as the engine's
 * are. False without a message when interrupted. */
bool bench_measure_memory(uint64_t array_bytes, bool quiet, bench_bandwidth* measured,
                          uint32_t count, tool_message* why);

/* Best rate of a few samples at which one core reads a block repeatedly; NaN if not measurable.
 * `label` is for the progress bar. */
double bench_measure_block_read(uint64_t block_bytes, const char* label, bool quiet);

/* Loops of the limits, in a file compiled for the machine at hand. */

/* Sum of a block, whose count is a multiple of 4: integers, because no compiler may reorder a sum
 * of floats, and four sums, because one would wait for its own last addition. */
uint64_t bench_loop_sum(const uint64_t* block, size_t count);

/* a = b + scale * c */
void bench_loop_triad(double* restrict a, const double* restrict b, const double* restrict c,
                      double scale, size_t count);

typedef enum bench_cache { BENCH_L1D, BENCH_L2, BENCH_CACHES } bench_cache;

enum { BENCH_LIMIT_WORD = 20 };

/* Read bandwidth of one core in a block of half a cache. */
typedef struct bench_cache_read {
  char cache[4];        /* "L1d" or "L2" */
  uint64_t block_bytes; /* 0 = size of the cache not known, rate NaN */
  double gb_per_s;
} bench_cache_read;

/* Ceiling of the link solve: the engine on one thread, a sheet that fills half a cache, and so many
 * iterations that nothing else counts. It is measured before and after the scenes, as the machine's
 * speed may change. */
typedef struct bench_ceiling {
  bench_cache cache;
  char resident[4]; /* name of the cache */
  char isa[BENCH_LIMIT_WORD];
  char scene[8];
  uint32_t size; /* particles along a side of the sheet */
  uint32_t particles;
  uint32_t links;
  uint32_t iterations;
  double ns_per_link; /* the better of the two */
  double ns_per_link_before;
  double ns_per_link_after;
  double bytes_per_link; /* memory of the world over its links */
} bench_ceiling;

typedef struct bench_limits {
  uint64_t array_bytes; /* each of the triad's three arrays */
  bench_bandwidth memory[TOOL_MAX_LIST + 1];
  uint32_t memory_count; /* one thread, and each other number requested */
  bench_cache_read caches[BENCH_CACHES];
  bench_ceiling ceilings[BENCH_CACHES * TOOL_MAX_LIST];
  uint32_t ceiling_count;
  bench_speed_probe probe;
  bench_speed_modes speed;
} bench_limits;

/* Measures memory, caches and the first ceilings, with probes of the speed in between. The caller
 * finishes the limits in any case. This and the next two return false without a message when
 * interrupted. */
bool bench_measure_limits(const bench_plan* plan, const bench_machine* machine, bool quiet,
                          bench_limits* limits, tool_message* why);

bool bench_measure_ceilings_again(const bench_plan* plan, const bench_machine* machine, bool quiet,
                                  bench_limits* limits, tool_message* why);

/* Nanoseconds a link of the L2-resident sheet on one thread; NaN if not measured. */
double bench_l2_ceiling_ns(const bench_limits* limits, const char* isa);

/* Bandwidth, read or triad, of the fewest measured threads that are at least as many: small scenes
 * use fewer than requested. */
double bench_memory_gb_per_s(const bench_limits* limits, uint32_t threads);

void bench_finish_limits(bench_limits* limits);

#endif
