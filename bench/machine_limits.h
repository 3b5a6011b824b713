/* Limits of the machine, and the share of them that scenes reach. */
#ifndef BENCH_MACHINE_LIMITS_H
#define BENCH_MACHINE_LIMITS_H

#include "bandwidth.h"
#include "pace.h"
#include "plan.h"

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
