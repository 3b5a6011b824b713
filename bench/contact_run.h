/* One world with contacts, or the same without them, and the time of its steps. */
#ifndef BENCH_CONTACT_RUN_H
#define BENCH_CONTACT_RUN_H

#include "plan.h"
#include "run.h"
#include "runner.h"

typedef struct bench_contact_request {
  bench_contact_scene scene;
  bool with_contacts;
  weft_isa isa;
  uint32_t threads;
  uint32_t iterations; /* 0 = the scene's own */
  uint32_t substeps;   /* 0 = the scene's own */
  uint32_t span_capacity;
  const bench_binding* binding; /* NULL = none */
} bench_contact_request;

typedef struct bench_contact_run {
  bench_runner runner;
  bench_contact_request request;
  double build_ms;
} bench_contact_run;

/* All zeros before; the caller frees the runner either way. */
bool bench_contact_create(const bench_contact_request* request, size_t sample_count,
                          bench_contact_run* run, tool_message* why);

/* Steps until cloth lies on the sphere or in folds, or the heap is at rest: the warm-up of commands
 * whose option is BENCH_USUAL_WARMUP. */
#define BENCH_USUAL_WARMUP UINT32_MAX
uint32_t bench_contact_warmup(bench_contact_kind kind);

/* One world. Times of stages are the mean of the steps that were timed; the hash is of the state
 * after the last. */
typedef struct bench_contact_row {
  bench_facts of;
  char contacts[BENCH_WORD]; /* "with" or "without" */
  uint64_t first_step;       /* that was timed, 1 being the first that was taken */
  bench_times contact_ms;    /* stages from broad phase to CCD, and events, of a step */
  bench_times cpu_ms;        /* processor time of a step, all threads */
  double ratio_to_without; /* the median step over that without contacts; NaN where there is none */
  double growth; /* median contact_ms a substep over the row before; NaN where there is none */
  double stage_ms[WEFT_STAGE_COUNT];
  double build_ms;
  double ns_per_particle; /* a whole step */
  uint32_t times;         /* as much as a scene of `size`: see bench_contact_scene */
} bench_contact_row;

extern const bench_row_type bench_contact_type;

/* Fills a row from a run whose steps have been taken; ratios are NaN. Sorts its samples. */
void bench_contact_fill(bench_contact_run* run, bench_contact_row* row);

/* Measures a scene in each size of the plan, with contacts and without by turns, prints the rows,
 * appends them, and records the worlds with contacts if the session has a trace. Iterations of 0
 * are the scene's own. Also false, but without a message, when interrupted. */
bool bench_contact_throughput(const bench_plan* plan, bench_contact_kind kind, uint32_t iterations,
                              const bench_schedule* schedule, bench_session* session,
                              tool_message* why);

#endif
