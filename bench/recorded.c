#include "recorded.h"

#include "common/interrupt.h"
#include "common/must.h"

static void add_time(void* context, const tool_lane_part* part) {
  bench_worker_time* time = context;
  time->ns[part->kind] += (double)(part->end_ns - part->begin_ns);
}

static void add_times(const weft_world* world, uint32_t worker_count, bench_worker_time* times) {
  weft_spans caller, own;
  tool_must(weft_world_get_spans(world, 0, &caller));
  for (uint32_t worker = 0; worker < worker_count; ++worker) {
    tool_must(weft_world_get_spans(world, worker, &own));
    tool_walk_lane(&caller, &own, worker, add_time, &times[worker]);
  }
}

bool bench_record(weft_world* world, const char* name, uint32_t steps, tool_trace* trace,
                  bench_worker_time* times, tool_message* why) {
  weft_world_stats stats;
  tool_must(weft_world_get_stats(world, &stats));
  if (trace != NULL) tool_trace_begin_world(trace, name, stats.worker_count);
  for (uint32_t step = 0; step < steps; ++step) {
    if (tool_interrupted()) return false;
    weft_world_step(world, 1);
    if (times != NULL) add_times(world, stats.worker_count, times);
    if (trace != NULL && !tool_trace_add_step(trace, world, why)) return false;
  }
  return true;
}
