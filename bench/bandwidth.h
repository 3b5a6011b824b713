/* Bandwidth of memory and caches. */
#ifndef BENCH_BANDWIDTH_H
#define BENCH_BANDWIDTH_H

#include <stdbool.h>
#include <stdint.h>

#include "common/message.h"
#include "machine.h"

/* Bandwidth of several threads together. GB are 10^9 bytes; the triad a = b + s c counts its 24
 * bytes an element, and not that the processor may read `a` before it writes it. */
typedef struct bench_bandwidth {
  uint32_t threads;
  double read_gb_per_s;
  double triad_gb_per_s;
} bench_bandwidth;

/* Several times the size of all L3 caches together, as far as three such arrays are a fair share of
 * the memory. */
uint64_t bench_array_bytes(const bench_machine* machine);

/* Fills the rates of each of measured[count], the best of a few samples on the threads that it
 * names. These run where the system puts them, as the engine's do. Also false, but without a
 * message, when interrupted. */
bool bench_measure_memory(uint64_t array_bytes, bool quiet, bench_bandwidth* measured,
                          uint32_t count, tool_message* why);

/* The rate, best of a few samples, at which one core reads a block again and again; NaN where that
 * cannot be measured. `label` is for the progress bar. */
double bench_measure_block_read(uint64_t block_bytes, const char* label, bool quiet);

/* The loops that the machine's limits are measured with: they touch memory and do next to nothing
 * else. They are in a file of their own, which is compiled for the machine at hand. */

/* The sum of a block, whose count is a multiple of 4. Integers, because no compiler may reorder a
 * sum of floats; and four sums, because one would wait for its own last addition. */
uint64_t bench_loop_sum(const uint64_t* block, size_t count);

/* a = b + scale * c */
void bench_loop_triad(double* restrict a, const double* restrict b, const double* restrict c,
                      double scale, size_t count);

#endif
