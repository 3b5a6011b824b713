/* A scene of weft-sim with its contacts and without them, step by step: times, crossings, strain.
 */
#ifndef BENCH_SIM_BENCH_H
#define BENCH_SIM_BENCH_H

#include <jansson.h>
#include <stdio.h>

#include "common/options.h"
#include "rows.h"
#include "sim/run.h"

enum { BENCH_SIM_WORD = 64, BENCH_SIM_QUARTERS = 4 };

typedef struct bench_sim_request {
  const char* scene; /* name, or path of a scene file */
  sim_settings settings;
  tool_count_list threads;
  uint32_t look_every; /* steps from one count of crossings to the next; 0 = at the end alone */
  bool quiet;
} bench_sim_request;

/* One world: all steps of the scene. */
typedef struct bench_sim_row {
  char scene[BENCH_SIM_WORD];
  char contacts[8]; /* "with" or "without" */
  char isa[16];
  uint32_t particles, links, faces;
  uint32_t threads; /* at work */
  uint32_t substeps, iterations;
  uint32_t steps;
  double step_ms_median, step_ms_mean, step_ms_p99, step_ms_max;
  double quarter_ms[BENCH_SIM_QUARTERS]; /* median of each quarter of the run */
  double ratio;         /* step_ms_median over that without contacts, by as many threads */
  double quarter_ratio; /* the largest of a quarter */
  double stage_ms[WEFT_STAGE_COUNT]; /* means */
  double crossings;                  /* the most of all counts; NaN without faces */
  double last_crossings;             /* at the end */
  uint32_t looks;                    /* counts of crossings */
  double mean_strain, max_strain;    /* at the end; the largest of all counts */
  uint64_t lost;                     /* pairs for which there was no room */
  uint64_t state_hash;
} bench_sim_row;

extern const bench_row_type bench_sim_type;

/* Runs the scene with each number of threads, with contacts and without, ten steps of each in
 * turn: fills 2 * threads rows, and the results that the scene itself reports. Also false, but
 * without a message, when interrupted. */
bool bench_sim_measure(const bench_sim_request* request, bench_sim_row* rows, sim_results* results,
                       tool_message* why);

void bench_sim_print(FILE* out, const bench_sim_row* rows, size_t count,
                     const sim_results* results);

#endif
