/* One world with or without contacts, and the time of its steps. */
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

/* Steps until cloth lies on the sphere or in folds, or the heap is at rest. */
#define BENCH_USUAL_WARMUP UINT32_MAX
uint32_t bench_contact_warmup(bench_contact_kind kind);

/* One world. Stage times are means of the timed steps; the hash is of the last state. */
typedef struct bench_contact_row {
  bench_facts of;
  char contacts[BENCH_WORD]; /* "with" or "without" */
  uint64_t first_step;       /* first timed step; the world's first step is 1 */
  bench_times contact_ms;    /* stages from broad phase to CCD, and events, a step */
  bench_times cpu_ms;        /* processor time of a step, all threads */
  double ratio_to_without;   /* median step over the median without contacts; NaN without it */
  double growth; /* median contact_ms a substep over the row before; NaN for the first */
  double stage_ms[WEFT_STAGE_COUNT];
  double build_ms;
  double ns_per_particle; /* a whole step */
  uint32_t times;         /* times the particles of `size`: bench_contact_scene */
} bench_contact_row;

extern const bench_row_type bench_contact_type;

/* Fills a row from a finished run; ratios are NaN. Sorts its samples. */
void bench_contact_fill(bench_contact_run* run, bench_contact_row* row);

/* Measures a scene in each size of the plan, with and without contacts by turns; prints and appends
 * the rows, and traces the worlds with contacts if the session has a trace. 0 iterations are the
 * scene's own. False without a message when interrupted. */
bool bench_contact_throughput(const bench_plan* plan, bench_contact_kind kind, uint32_t iterations,
                              const bench_schedule* schedule, bench_session* session,
                              tool_message* why);

#endif
