/* Limits of the machine, and the share of them that scenes reach. */
#ifndef BENCH_MACHINE_LIMITS_H
#define BENCH_MACHINE_LIMITS_H

#include "pace.h"
#include "plan.h"

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

typedef enum bench_cache { BENCH_L1D, BENCH_L2, BENCH_CACHES } bench_cache;

enum { BENCH_LIMIT_WORD = 20 };

/* Read bandwidth of one core in a block of half a cache. */
typedef struct bench_cache_read {
  char cache[4];        /* "L1d" or "L2" */
  uint64_t block_bytes; /* 0 where the size of the cache is not known */
  double gb_per_s;      /* then NaN */
} bench_cache_read;

/* The ceiling of the link solve: the engine itself, on one thread and on a sheet whose particles
 * fill half a cache, with so many iterations that nothing else counts. It is measured, not derived:
 * how fast the very kernel is where memory does not matter, not how fast one could be. It is
 * measured before the scenes and after them, as the machine may be faster at one time than at
 * another. */
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
  double bytes_per_link; /* all memory that the world holds, over its links */
} bench_ceiling;

typedef struct bench_limits {
  uint64_t array_bytes; /* size of each of the triad's three arrays */
  bench_bandwidth memory[TOOL_MAX_LIST + 1];
  uint32_t memory_count; /* one thread, and each other number that was asked for */
  bench_cache_read caches[BENCH_CACHES];
  bench_ceiling ceilings[BENCH_CACHES * TOOL_MAX_LIST];
  uint32_t ceiling_count;
  bench_speed_probe probe; /* while it is measured */
  bench_speed_modes speed; /* once it is finished */
} bench_limits;

/* Measures memory, caches, and the ceilings for the first time, with probes of the speed in
 * between. The caller finishes the limits, even of a measurement that failed. This and the next two
 * are also false, but without a message, when interrupted. */
bool bench_measure_limits(const bench_plan* plan, const bench_machine* machine, bool quiet,
                          bench_limits* limits, tool_message* why);

/* Measures the ceilings for the second time. */
bool bench_measure_ceilings_again(const bench_plan* plan, const bench_machine* machine, bool quiet,
                                  bench_limits* limits, tool_message* why);

/* Nanoseconds a link of the L2-resident sheet on one thread; NaN if not measured. */
double bench_l2_ceiling_ns(const bench_limits* limits, const char* isa);

/* Bandwidth, read or triad, of the fewest measured threads that are at least as many: small scenes
 * use fewer threads than requested. */
double bench_memory_gb_per_s(const bench_limits* limits, uint32_t threads);

/* Ends the probes of the speed. */
void bench_finish_limits(bench_limits* limits);

#endif
