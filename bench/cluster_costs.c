#include <math.h>

#include "cluster.h"
#include "common/interrupt.h"
#include "machine_costs.h"
#include "samples.h"
#include "scaling.h"
#include "task_graph.h"

enum { WARMUP = 5, STEPS = 20 };

// Parts of a step, in nanoseconds.
enum { PART_INTEGRATION, PART_SWEEPS, PART_REST, PART_SERIAL, PARTS };

static void add_step(const bench_task_graph* graph, bench_samples samples[PARTS]) {
  double parts[PARTS] = {0.0};
  for (size_t t = 0; t < graph->task_count; ++t) {
    const bench_task* task = &graph->tasks[t];
    const double* costs = bench_task_costs(graph, task);
    if (task->kind == BENCH_TASK_SERIAL) parts[PART_SERIAL] += task->work_ns;
    if (task->kind == BENCH_TASK_LOOP) parts[PART_REST] += task->work_ns;
    if (task->kind != BENCH_TASK_WAVEFRONT) continue;
    for (size_t i = 0; i < (size_t)task->count * task->phase_count; ++i) {
      parts[i % task->phase_count == 0 ? PART_INTEGRATION : PART_SWEEPS] += costs[i];
    }
  }
  for (int part = 0; part < PARTS; ++part) bench_samples_add(&samples[part], parts[part]);
}

static bool record(weft_world* world, bench_samples samples[PARTS], tool_message* why) {
  bench_task_graph graph = {.tasks = NULL};
  bool ok = true;
  for (int step = 0; ok && step < WARMUP + STEPS; ++step) {
    weft_world_step(world, 1);
    ok = !tool_interrupted() && bench_task_graph_read(world, &graph, why);
    if (ok && step >= WARMUP) add_step(&graph, samples);
  }
  bench_task_graph_free(&graph);
  return ok;
}

static bool create_world(const bench_cluster_request* request, weft_world** world,
                         tool_message* why) {
  const bench_scaling_request scene = {
      .size = request->recorded_size, .iterations = request->iterations, .cloth = {.count = 1}};
  weft_world_def def = weft_plain_world_def();
  def.worker_count = 1;
  def.span_capacity = 1u << 20;
  return bench_scaling_create_world(&scene, scene.size, def, world, why);
}

bool bench_measure_rank_costs(const bench_cluster_request* request, bench_rank_costs* costs,
                              tool_message* why) {
  bench_samples samples[PARTS] = {{NULL, 0, 0}};
  weft_world* world = NULL;
  bool ok = create_world(request, &world, why);
  for (int part = 0; ok && part < PARTS; ++part) {
    ok = bench_samples_create(&samples[part], STEPS) || tool_because(why, "no memory for samples");
  }
  ok = ok && record(world, samples, why);
  const double particles = (double)request->recorded_size * request->recorded_size;
  if (ok) {
    *costs = (bench_rank_costs){
        .integration = bench_samples_median(&samples[PART_INTEGRATION]) / particles,
        .sweep = bench_samples_median(&samples[PART_SWEEPS]) / particles / request->iterations,
        .rest = bench_samples_median(&samples[PART_REST]) / particles,
        .serial = bench_samples_median(&samples[PART_SERIAL]),
        .memory_gb_per_s = (double)INFINITY};
  }
  for (int part = 0; part < PARTS; ++part) bench_samples_free(&samples[part]);
  weft_world_destroy(&world);
  return ok;
}

bool bench_measure_rank_memory(const bench_machine* machine, uint32_t workers, bool quiet,
                               double* gb_per_s, tool_message* why) {
  bench_machine_costs limits = {.round_trip_ns = 0.0};
  if (!bench_measure_costs(machine, quiet, &limits, why)) return false;
  *gb_per_s = bench_memory_of(&limits, workers);
  return true;
}
