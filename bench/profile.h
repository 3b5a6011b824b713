/* Stages of a step: time, traffic, arithmetic, and counters of the whole step. */
#ifndef BENCH_PROFILE_H
#define BENCH_PROFILE_H

#include "counters.h"
#include "machine_limits.h"
#include "scaling.h"

enum { BENCH_PROFILE_WORD = 32, BENCH_PROFILE_ROWS = WEFT_STAGE_COUNT + 1 };

/* One stage, or the whole step, "step". Counters are those of the whole step. */
typedef struct bench_profile_row {
  char scene[BENCH_PROFILE_WORD];
  uint32_t size;
  uint32_t particles;
  uint32_t links;
  char isa[BENCH_PROFILE_WORD];
  uint32_t threads; /* at work */
  uint32_t steps;
  uint32_t sweeps; /* over all links in a step */
  char stage[BENCH_PROFILE_WORD];
  double ms, ms_min;               /* of a step: median and least */
  double share;                    /* of the sum of all stages' medians; of "step" 1 */
  double gb_per_s;                 /* by the model of stage_model.h; NaN without one */
  double gflop_per_s;              /* likewise */
  double share_of_ceiling;         /* links: L2-resident solve of all threads; others: memory */
  double counters[BENCH_COUNTERS]; /* a step, all threads; NaN if not available */
  uint64_t state_hash;
} bench_profile_row;

extern const bench_row_type bench_profile_type;

/* Steps a world and fills rows[BENCH_PROFILE_ROWS], the step last, but for the shares of ceilings.
 * `open` of NULL asks the kernel for counters; *error is the errno of hardware counters. Also
 * false, but without a message, when interrupted. */
bool bench_profile_measure(const bench_scaling_request* request, uint32_t threads,
                           bench_counter_open* open, bool quiet, bench_profile_row* rows,
                           int* error, tool_message* why);

void bench_profile_fill_shares(const bench_limits* limits, bench_rows* rows);

/* The rows of one world; stages that took no time are left out. */
void bench_profile_print(FILE* out, const bench_profile_row* rows, int error);

#endif
