/* The rows of a report. */
#ifndef BENCH_RESULTS_H
#define BENCH_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ladder.h"
#include "rows.h"
#include "scenes.h"

enum { BENCH_MAX_WORD = 20 };

/* One rung on one scene. Times are of whole steps; strain is over structural links, and like the
 * hash of the state after the last step. */
typedef struct bench_result {
  char scene[BENCH_MAX_NAME];
  uint32_t size;
  uint32_t particles;
  uint32_t links;
  uint32_t patches;      /* 0 for the serial rungs */
  uint32_t patch_colors; /* likewise */
  char solver[BENCH_MAX_WORD];
  char isa[BENCH_MAX_WORD];
  uint32_t threads; /* at work */
  uint32_t iterations;
  uint64_t steps; /* taken in all, the warm-up included: what the strain and the hash come after */
  double step_ms_min;
  double step_ms_median;
  double solve_ns_per_link;       /* the median step over links * iterations */
  double links_per_second;        /* link solves in a second: the inverse of it */
  double ratio_to_serial_natural; /* its median step over this one's: > 1 is faster than it */
  double ratio_to_serial_colored;
  double build_ms;
  uint64_t bytes;
  double strain_mean;
  double strain_max;
  uint64_t state_hash;
  uint32_t count; /* copies of the sheet, or 1 */
  double step_ms_max;
  uint32_t threads_asked;
  double step_ms_q1, step_ms_q3; /* quartiles */
  // for people only: not a column of the files
  double round_trip_before_ns; /* NaN where there is one thread */
  double round_trip_after_ns;
} bench_result;

extern const bench_row_type bench_result_type;

/* Appends a row for each rung of a measured ladder. */
bool bench_results_append(bench_rows* results, const bench_scene* scene, uint32_t iterations,
                          bench_ladder* ladder, tool_message* why);

#endif
