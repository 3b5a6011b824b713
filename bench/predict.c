#include "predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "common/must.h"

// ---- workers ----

static void insert(tool_count_list* list, uint32_t workers) {
  uint32_t i = list->count;
  for (uint32_t k = 0; k < list->count; ++k) {
    if (list->items[k] == workers) return;
  }
  if (workers < 2 || list->count == TOOL_MAX_LIST) return;
  for (; i > 0 && list->items[i - 1] > workers; --i) list->items[i] = list->items[i - 1];
  list->items[i] = workers;
  ++list->count;
}

static tool_count_list workers_of(const bench_predict_request* request,
                                  const bench_scaling_row* rows, size_t count) {
  tool_count_list list = {.count = 0};
  for (size_t i = 0; i < count; ++i) insert(&list, rows[i].workers);
  for (uint32_t i = 0; i < request->workers.count; ++i) insert(&list, request->workers.items[i]);
  return list;
}

// ---- steps ----

// Replays of the recorded steps, step by step.
typedef struct recording {
  bench_task_graph graphs[BENCH_PREDICT_STEPS];
  bench_replay_costs costs[TOOL_MAX_LIST];
  const tool_count_list* workers;
  double one_ns[BENCH_PREDICT_STEPS];
  uint32_t order[BENCH_PREDICT_STEPS]; /* steps, the fastest first */
  bench_replay* replays;               /* [workers][BENCH_PREDICT_STEPS] */
} recording;

static bool replay_step(recording* r, uint32_t step, tool_message* why) {
  for (uint32_t i = 0; i < r->workers->count; ++i) {
    bench_replay* replay = &r->replays[i * BENCH_PREDICT_STEPS + step];
    if (!bench_replay_run(&r->graphs[step], r->workers->items[i], &r->costs[i], replay)) {
      return tool_because(why, "no memory for a replay");
    }
    r->one_ns[step] = replay->work_ns;
  }
  return true;
}

static bool record_steps(const bench_scaling_request* scene, const bench_machine_costs* costs,
                         weft_world* world, recording* r, tool_message* why) {
  for (uint32_t step = 0; step < scene->warmup; ++step) {
    if (tool_interrupted()) return false;
    weft_world_step(world, 1);
  }
  for (uint32_t step = 0; step < BENCH_PREDICT_STEPS; ++step) {
    if (tool_interrupted()) return false;
    weft_world_step(world, 1);
    if (!bench_task_graph_read(world, &r->graphs[step], why)) return false;
  }
  for (uint32_t i = 0; i < r->workers->count; ++i) {
    bench_memory_traffic(costs, world, r->costs[i].bytes);
  }
  return bench_task_graphs_smooth(r->graphs, BENCH_PREDICT_STEPS) ||
         tool_because(why, "no memory for medians of recorded steps");
}

static bool create_world(const bench_scaling_request* request, weft_world** world,
                         tool_message* why) {
  weft_world_def def = weft_plain_world_def();
  def.sweeps = WEFT_SWEEPS_TEXTBOOK;
  def.worker_count = 1;
  def.span_capacity = 1u << 20;
  return bench_scaling_create_world(request, request->size, def, world, why);
}

// ---- medians ----

static void sort_steps(recording* r) {
  for (uint32_t i = 0; i < BENCH_PREDICT_STEPS; ++i) {
    uint32_t k = i;
    for (; k > 0 && r->one_ns[r->order[k - 1]] > r->one_ns[i]; --k) r->order[k] = r->order[k - 1];
    r->order[k] = i;
  }
}

static double speed_up_of(const bench_replay* replay) {
  return replay->work_ns / replay->ns;
}

static int by_speed_up(const void* a, const void* b) {
  const double x = speed_up_of(*(bench_replay*const*)a), y = speed_up_of(*(bench_replay*const*)b);
  return x < y ? -1 : x > y ? 1 : 0;
}

static bench_prediction predict_one(const recording* r, uint32_t i) {
  enum { KEPT = BENCH_PREDICT_STEPS / 2 };
  const bench_replay* kept[KEPT];
  for (uint32_t k = 0; k < KEPT; ++k) {
    kept[k] = &r->replays[i * BENCH_PREDICT_STEPS + r->order[k]];
  }
  qsort(kept, KEPT, sizeof kept[0], by_speed_up);
  const bench_replay* median = kept[KEPT / 2];
  return (bench_prediction){.workers = r->workers->items[i],
                            .speed_up = speed_up_of(median),
                            .speed_up_low = speed_up_of(kept[KEPT / 4]),
                            .speed_up_high = speed_up_of(kept[(3 * KEPT) / 4]),
                            .most = median->work_ns / median->path_ns,
                            .replay = *median};
}

static bool predict_all(const bench_scaling_request* scene, const tool_count_list* workers,
                        bench_predictions* predictions, tool_message* why) {
  recording r = {.workers = workers};
  weft_world* world = NULL;
  r.replays = calloc((size_t)workers->count * BENCH_PREDICT_STEPS, sizeof *r.replays);
  predictions->items = calloc(workers->count, sizeof *predictions->items);
  bool ok = (r.replays != NULL && predictions->items != NULL) ||
            tool_because(why, "no memory for %u predictions", workers->count);
  for (uint32_t i = 0; ok && i < workers->count; ++i) {
    r.costs[i] = bench_costs_for(&predictions->costs, workers->items[i]);
  }
  ok = ok && create_world(scene, &world, why) &&
       record_steps(scene, &predictions->costs, world, &r, why);
  for (uint32_t step = 0; ok && step < BENCH_PREDICT_STEPS; ++step) ok = replay_step(&r, step, why);
  sort_steps(&r);
  for (uint32_t i = 0; ok && i < workers->count; ++i) predictions->items[i] = predict_one(&r, i);
  predictions->count = ok ? workers->count : 0;
  weft_world_destroy(&world);
  for (int step = 0; step < BENCH_PREDICT_STEPS; ++step) bench_task_graph_free(&r.graphs[step]);
  free(r.replays);
  return ok;
}

bool bench_predict(const bench_scaling_request* scene, const bench_predict_request* request,
                   const bench_machine* machine, const bench_scaling_row* rows, size_t count,
                   bool quiet, bench_predictions* predictions, tool_message* why) {
  const tool_count_list workers = workers_of(request, rows, count);
  bench_machine_costs* costs = &predictions->costs;
  costs->given_gb_per_s = request->gb_per_s;
  bool ok = bench_measure_costs(machine, quiet, costs, why);
  for (uint32_t i = 0; ok && i < workers.count; ++i) {
    ok = bench_measure_slowdown(costs, workers.items[i], why);
  }
  return ok && predict_all(scene, &workers, predictions, why);
}

bench_scaling_row bench_predicted_row(const bench_scaling_row* one, const bench_prediction* item) {
  const double nan = (double)NAN;
  bench_scaling_row row = *one;
  const bench_loss* most = &item->replay.losses[0];
  row.is_predicted = true;
  row.threads = row.workers = item->workers;
  row.beside = 0;
  row.steps = BENCH_PREDICT_STEPS;
  row.step_ms_median = one->step_ms_median / item->speed_up;
  row.step_ms_min = row.step_ms_mean = row.step_ms_p99 = row.step_ms_max = nan;
  row.speed_up = item->speed_up;
  row.speed_up_low = item->speed_up_low;
  row.speed_up_high = item->speed_up_high;
  row.efficiency = item->speed_up / (double)item->workers;
  if (item->replay.loss_count > 0) {
    snprintf(row.bound_by, sizeof row.bound_by, "%s: %s", bench_loss_name(most->cause), most->name);
  }
  return row;
}
