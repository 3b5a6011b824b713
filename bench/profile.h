/* Stages of a step: time, traffic, arithmetic, and counters of the whole step. */
#ifndef BENCH_PROFILE_H
#define BENCH_PROFILE_H

#include "machine_limits.h"
#include "scaling.h"

/* ---- counters -------------------------------------------------------------------------------- */

/* Counters of kernel and CPU over all threads of the process, by perf_event_open(2): opened before
 * a world is created, whose workers inherit them, and read between steps. Many virtual machines and
 * containers allow software counters only, or none. */
typedef enum bench_counter {
  BENCH_INSTRUCTIONS = 0,
  BENCH_CYCLES,
  BENCH_CACHE_MISSES, /* last-level cache, as the kernel defines it for the CPU */
  BENCH_L1D_MISSES,   /* reads */
  BENCH_CPU_NS,       /* CPU time; software counters from here on */
  BENCH_PAGE_FAULTS,
  BENCH_CONTEXT_SWITCHES,
  BENCH_MIGRATIONS,
  BENCH_COUNTERS,
} bench_counter;

enum { BENCH_FIRST_SOFTWARE = BENCH_CPU_NS };

typedef struct bench_counters {
  int files[BENCH_COUNTERS];  /* -1 = not available */
  int errors[BENCH_COUNTERS]; /* errno of each */
} bench_counters;

/* Opens a counter of the calling thread and of threads it starts later: a file, or -1 with errno.
 * Type and config as in perf_event_attr. */
typedef int bench_counter_open(uint32_t type, uint64_t config);

/* Opens all available counters. `open` of NULL asks the kernel. */
void bench_counters_open(bench_counter_open* open, bench_counters* counters);
void bench_counters_close(bench_counters* counters);

/* Values so far, [BENCH_COUNTERS], extrapolated where counters share hardware; NaN if not
 * available. */
void bench_counters_read(const bench_counters* counters, double* values);

/* Errno of the first hardware counter that is not available; 0 = all are. */
int bench_counters_error(const bench_counters* counters);

/* ---- model ----------------------------------------------------------------------------------- */

/* Least traffic and arithmetic of a stage in a step, counted from the loops of the engine.
 *
 *   links   (engine/kernels/integrate.inl, solve.inl)
 *           integration, a particle and substep: 52 bytes (x y z, the same before and inverse mass
 *           read; both positions written), 18 operations; a sweep: 28 bytes a particle (x y z and
 *           inverse mass read, x y z written) and, for links whose ends are not consecutive in
 *           memory, 12 bytes a link (two indices, one length); 23 operations a rigid link, root
 *           and quotient being one each
 *   self_collision      (self_solve.inl)
 *           a pair, substep and end: a record of 16 bytes, 11 operations
 *   particle_contacts   (particle_contacts.inl)
 *           a pair and substep: 40 bytes, 11 operations
 *   colliders           (collider_batch.inl)
 *           a particle and substep: 16 bytes, and 9 operations a collider
 *
 * Contacts count only as tests: pairs that touch take more, which the counts do not tell.
 * Stages that walk trees or sort have no model. */
typedef struct bench_stage_cost {
  double bytes, operations; /* a step; NaN = no model */
} bench_stage_cost;

bench_stage_cost bench_stage_cost_of(weft_stage stage, const weft_world_stats* world,
                                     const weft_contact_stats* contacts);

/* ---- rows ------------------------------------------------------------------------------------ */

enum { BENCH_PROFILE_ROWS = WEFT_STAGE_COUNT + 1 };

/* One stage, or the whole step, "step". Counters are the whole step's. */
typedef struct bench_profile_row {
  bench_facts of;
  uint32_t steps;
  uint32_t sweeps; /* over all links in a step */
  char stage[BENCH_WORD];
  double ms, ms_min;               /* a step: median and least */
  double share;                    /* share of the sum of all stages' medians; "step" has 1 */
  double gb_per_s, gflop_per_s;    /* by the model; NaN without one */
  double share_of_ceiling;         /* links: L2-resident solve of all threads; others: memory */
  double counters[BENCH_COUNTERS]; /* a step, all threads; NaN if not available */
} bench_profile_row;

extern const bench_row_type bench_profile_type;

/* Steps a world and fills rows[BENCH_PROFILE_ROWS], the step last, but for the shares of ceilings.
 * `open` of NULL asks the kernel for counters; *error is the errno of hardware counters. Also
 * false, but without a message, when interrupted. */
bool bench_profile_measure(const bench_scaling_request* request, uint32_t threads,
                           bench_counter_open* open, bool quiet, bench_profile_row* rows,
                           int* error, tool_message* why);

void bench_profile_fill_shares(const bench_limits* limits, bench_rows* rows);

/* The rows of one world; stages without time are left out. */
void bench_profile_print(FILE* out, const bench_profile_row* rows, int error);

#endif
