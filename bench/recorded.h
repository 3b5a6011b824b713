/* Recorded steps: work and waits of each worker, in steps that are not timed. */
#ifndef BENCH_RECORDED_H
#define BENCH_RECORDED_H

#include "common/lanes.h"
#include "common/trace_file.h"

/* Time of a worker over some steps. */
typedef struct bench_worker_time {
  double ns[TOOL_LANE_KINDS];
} bench_worker_time;

/* A loop or a wavefront, by stage and name, over some steps. */
typedef struct bench_job_time {
  const char* name; /* static */
  weft_stage stage;
  double work_ns;    /* pieces and phases, summed over workers */
  double elapsed_ns; /* on the caller, from opening to end */
} bench_job_time;

enum { BENCH_MAX_JOBS = 128 };

/* Times of the workers and jobs of a world over some steps. */
typedef struct bench_recorded {
  bench_worker_time* workers; /* [worker_count of the world] */
  uint32_t job_count;         /* further jobs are left out */
  bench_job_time jobs[BENCH_MAX_JOBS];
} bench_recorded;

/* Takes steps of a world with a span capacity. Adds them to the trace, under the name of the world,
 * and to the times; each may be NULL. Also false, but without a message, when interrupted. */
bool bench_record(weft_world* world, const char* name, uint32_t steps, tool_trace* trace,
                  bench_recorded* times, tool_message* why);

/* The job of this stage and name, or NULL. */
const bench_job_time* bench_recorded_job(const bench_recorded* times, weft_stage stage,
                                         const char* name);

#endif
