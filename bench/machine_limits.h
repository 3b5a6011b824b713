/* Limits of the machine, and the share of them that scenes reach. */
#ifndef BENCH_MACHINE_LIMITS_H
#define BENCH_MACHINE_LIMITS_H

#include "bandwidth.h"
#include "pace.h"
#include "plan.h"
#include "results.h"
#include "speed_probe.h"

typedef enum bench_cache { BENCH_L1D, BENCH_L2, BENCH_CACHES } bench_cache;

/* "L1d" or "L2" */
const char* bench_cache_name(bench_cache cache);

/* Read bandwidth of one core in a block of half a cache. */
typedef struct bench_cache_read {
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
  weft_isa isa;
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

/* One scene on one number of threads. */
typedef struct bench_limit_row {
  char scene[BENCH_MAX_NAME];
  uint32_t size;
  uint32_t particles;
  uint32_t links;
  char isa[BENCH_MAX_WORD];
  uint32_t threads;
  uint32_t iterations;
  uint32_t steps; /* that the state hash comes after */
  uint32_t takes;
  double ns_per_link;
  double share_of_l2_ceiling; /* ceiling over ns/link of one thread; 1 = as fast */
  double effective_gb_per_s;  /* 28 bytes a particle a sweep: x y z w read, x y z written */
  double share_of_bandwidth;  /* the rate over read or triad of as many threads, the faster */
  double round_trip_before_ns;
  double round_trip_after_ns;
  uint64_t state_hash;
  uint32_t count; /* copies of the sheet, or 1 */
} bench_limit_row;

extern const bench_row_type bench_limit_type;

/* Measures memory, caches, and the ceilings for the first time, with probes of the speed in
 * between. The caller finishes the limits, even of a measurement that failed. This and the next two
 * are also false, but without a message, when interrupted. */
bool bench_measure_limits(const bench_plan* plan, const bench_machine* machine, bool quiet,
                          bench_limits* limits, tool_message* why);

/* Measures a described scene, and appends a row, as yet without its shares, for each instruction
 * set and number of threads. */
bool bench_limit_rows_append(const bench_plan* plan, const bench_scene* scene, bool quiet,
                             bench_rows* rows, tool_message* why);

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

void bench_fill_shares(const bench_limits* limits, bench_rows* rows);

#endif
