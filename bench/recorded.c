#include "scaling.h"

#include <string.h>

#include "common/interrupt.h"
#include "common/must.h"
#include "scenes.h"

static void add_part(void* context, const tool_lane_part* part) {
  bench_worker_time* time = context;
  time->ns[part->kind] += (double)(part->end_ns - part->begin_ns);
}

const bench_job_time* bench_recorded_job(const bench_recorded* times, weft_stage stage,
                                         const char* name) {
  for (uint32_t j = 0; j < times->job_count; ++j) {
    const bench_job_time* job = &times->jobs[j];
    if (job->stage == stage && strcmp(job->name, name) == 0) return job;
  }
  return NULL;
}

static bench_job_time* job_of(bench_recorded* times, const weft_span* span) {
  const bench_job_time* known = bench_recorded_job(times, span->stage, span->name);
  if (known != NULL) return &times->jobs[known - times->jobs];
  if (times->job_count == BENCH_MAX_JOBS) return NULL;
  bench_job_time* job = &times->jobs[times->job_count++];
  *job = (bench_job_time){.name = span->name, .stage = span->stage};
  return job;
}

static void add_span(bench_recorded* times, const weft_span* span) {
  const bool is_job = span->kind == WEFT_SPAN_LOOP || span->kind == WEFT_SPAN_WAVEFRONT;
  const bool is_work = span->kind == WEFT_SPAN_PIECE || span->kind == WEFT_SPAN_PHASE;
  bench_job_time* job = is_job || is_work ? job_of(times, span) : NULL;
  if (job == NULL) return;
  *(is_job ? &job->elapsed_ns : &job->work_ns) += (double)(span->end_ns - span->begin_ns);
}

static void add_step(const weft_world* world, uint32_t worker_count, bench_recorded* times) {
  weft_spans caller, own;
  tool_must(weft_world_get_spans(world, 0, &caller));
  for (uint32_t worker = 0; worker < worker_count; ++worker) {
    tool_must(weft_world_get_spans(world, worker, &own));
    tool_walk_lane(&caller, &own, worker, add_part, &times->workers[worker]);
    for (uint32_t i = 0; i < own.count; ++i) add_span(times, &own.items[i]);
  }
}

bool bench_record(weft_world* world, const char* name, uint32_t steps, tool_trace* trace,
                  bench_recorded* times, tool_message* why) {
  const weft_world_stats stats = bench_stats_of(world);
  if (trace != NULL) tool_trace_begin_world(trace, name, stats.worker_count);
  for (uint32_t step = 0; step < steps; ++step) {
    if (tool_interrupted()) return false;
    weft_world_step(world, 1);
    if (times != NULL) add_step(world, stats.worker_count, times);
    if (trace != NULL && !tool_trace_add_step(trace, world, why)) return false;
  }
  return true;
}
