/* Recorded steps: what each worker does and waits for, in steps that are not timed. */
#ifndef BENCH_RECORDED_H
#define BENCH_RECORDED_H

#include "common/lanes.h"
#include "common/trace_file.h"

/* Time of a worker over some steps. */
typedef struct bench_worker_time {
  double ns[TOOL_LANE_KINDS];
} bench_worker_time;

/* Takes steps of a world with a span capacity. Adds them to the trace, under the name of the world,
 * and the times of its workers to `times`, [worker_count]; each may be NULL. Also false, but
 * without a message, when interrupted. */
bool bench_record(weft_world* world, const char* name, uint32_t steps, tool_trace* trace,
                  bench_worker_time* times, tool_message* why);

#endif
