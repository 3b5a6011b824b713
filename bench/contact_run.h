/* One world with contacts, or the same without them, and the time of its steps. */
#ifndef BENCH_CONTACT_RUN_H
#define BENCH_CONTACT_RUN_H

#include "common/contact_scenes.h"
#include "plan.h"
#include "run.h"
#include "samples.h"
#include "turns.h"

enum { BENCH_CONTACT_WORD = 20 };

typedef struct bench_contact_request {
  tool_contact_scene scene;
  bool with_contacts;
  weft_isa isa;
  uint32_t threads;
  uint32_t iterations; /* 0 = the scene's own */
  uint32_t substeps;   /* 0 = the scene's own */
  uint32_t span_capacity;
  const bench_binding* binding; /* NULL = none */
} bench_contact_request;

typedef struct bench_contact_run {
  bench_contact_request request;
  weft_world* world;
  uint32_t substeps;
  uint32_t iterations;
  uint64_t warmup; /* steps that are not timed */
  double build_ms;
  double seconds[WEFT_STAGE_COUNT]; /* sum for each stage over all timed steps */
  bench_samples step_ms;
  bench_samples contact_ms; /* part of step_ms that contacts took */
  bench_samples cpu_ms;     /* processor time of the step, all threads */
} bench_contact_run;

/* All zeros before; the caller frees it either way. */
bool bench_contact_create(const bench_contact_request* request, size_t sample_count,
                          bench_contact_run* run, tool_message* why);
void bench_contact_free(bench_contact_run* run);

/* Steps until cloth lies on the sphere or in folds, or the heap is at rest: the warm-up of commands
 * whose option is BENCH_USUAL_WARMUP. */
#define BENCH_USUAL_WARMUP UINT32_MAX
uint32_t bench_contact_warmup(tool_contact_kind kind);

/* Takes a step, and times it unless it is of the warm-up. */
void bench_contact_step(bench_contact_run* run, bool is_timed);

/* One world. Times of stages are the mean of the steps that were timed; the hash is of the state
 * after the last. */
typedef struct bench_contact_row {
  char scene[BENCH_CONTACT_WORD];
  uint32_t size; /* particles along a side; of a heap, their number */
  uint32_t particles;
  uint32_t links;
  char contacts[BENCH_CONTACT_WORD]; /* "with" or "without" */
  char isa[BENCH_CONTACT_WORD];
  uint32_t threads; /* at work */
  uint32_t threads_asked;
  uint32_t substeps;
  uint32_t iterations;
  uint64_t first_step; /* that was timed, 1 being the first that was taken */
  uint64_t last_step;
  bench_times step_ms;
  bench_times contact_ms;  /* of contacts in a step: stages from broad phase to CCD, and events */
  bench_times cpu_ms;      /* processor time of a step, all threads */
  double ratio_to_without; /* the median step over that without contacts; NaN where there is none */
  double growth; /* median contact_ms a substep over the row before; NaN where there is none */
  double stage_ms[WEFT_STAGE_COUNT];
  uint32_t collider_contacts; /* these of the last step */
  uint32_t self_pairs;
  uint32_t particle_pairs;
  uint32_t particle_colors;
  uint32_t ccd_pairs;
  uint32_t ccd_hits;
  uint64_t lost; /* pairs, of all kinds, for which there was no room in all steps */
  double build_ms;
  uint64_t bytes;
  uint64_t state_hash;
  double ns_per_particle; /* of a whole step */
  uint32_t times;         /* as much as a scene of `size`: see tool_contact_scene */
} bench_contact_row;

extern const bench_row_type bench_contact_type;

/* Fills a row from a run whose steps have been taken; ratios are NaN. Sorts its samples. */
void bench_contact_fill(bench_contact_run* run, bench_contact_row* row);

/* Measures a scene in each size of the plan, with contacts and without by turns, prints the rows,
 * appends them, and records the worlds with contacts if the session has a trace. Iterations of 0
 * are the scene's own. Also false, but without a message, when interrupted. */
bool bench_contact_throughput(const bench_plan* plan, tool_contact_kind kind, uint32_t iterations,
                              const bench_schedule* schedule, bench_session* session,
                              tool_message* why);

#endif
