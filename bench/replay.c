#include "replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "simulated_pool.h"

const char* bench_loss_name(bench_loss_cause cause) {
  static const char* const names[BENCH_LOSS_CAUSES] = {"serial",  "job opening", "longest path",
                                                       "waiting", "memory",      "slower cores"};
  return names[cause];
}

typedef struct run {
  const bench_task_graph* graph;
  bench_simulated_pool pool;
  double stage_work[WEFT_STAGE_COUNT]; /* in jobs */
  bench_replay* replay;
} run;

static void lose(bench_replay* replay, bench_loss_cause cause, const char* name, double ns) {
  size_t i = 0;
  if (!(ns > 0.0)) return;
  while (i < replay->loss_count &&
         (replay->losses[i].cause != cause || strcmp(replay->losses[i].name, name) != 0)) {
    ++i;
  }
  if (i == BENCH_MAX_LOSSES) --i;
  if (i == replay->loss_count)
    replay->losses[replay->loss_count++] = (bench_loss){cause, name, 0.0};
  replay->losses[i].ns += ns;
}

// A task that the caller takes alone: a serial part, or a loop of one piece.
static void run_alone(run* r, const bench_task* task) {
  const double work_ns = task->work_ns * r->pool.costs->slowdown;
  r->pool.time += work_ns;
  lose(r->replay, BENCH_LOSS_SERIAL, task->name, (r->pool.count - 1) * work_ns);
  lose(r->replay, BENCH_LOSS_SLOWDOWN, "work", work_ns - task->work_ns);
}

// Sets the arrivals of all workers; the caller's is after it has woken those that sleep.
static void open_job(bench_simulated_pool* pool) {
  const bench_replay_costs* costs = pool->costs;
  const double opened = pool->time;
  for (uint32_t w = 1; w < pool->count; ++w) {
    if (opened - pool->idle_since[w] <= costs->spin) {
      pool->arrival[w] = opened + costs->handoff;
    } else {
      pool->time += costs->wake;
      pool->arrival[w] = pool->time + costs->wake_up;
    }
  }
  pool->arrival[0] = pool->time;
}

// Least time of a job by the ceiling of the memory: its part of the stage's traffic.
static double memory_ns(const run* r, const bench_task* task) {
  const double all = r->stage_work[task->stage];
  if (!(all > 0.0)) return 0.0;
  return r->pool.costs->bytes[task->stage] * (task->work_ns / all) / r->pool.costs->memory_gb_per_s;
}

// Shares out what a job of this length has lost.
static void account(run* r, const bench_task* task, double path_ns, double opening_ns,
                    double job_ns, double memory_wait_ns) {
  const double workers = (double)r->pool.count;
  const double slowdown = r->pool.costs->slowdown;
  const double work_ns = task->work_ns * slowdown;
  const double excess = workers * job_ns - work_ns;
  const double by_path = fmin(excess, fmax(0.0, workers * path_ns * slowdown - work_ns));
  lose(r->replay, BENCH_LOSS_OPENING, task->name, workers * opening_ns);
  lose(r->replay, BENCH_LOSS_PATH, task->name, by_path);
  lose(r->replay, BENCH_LOSS_WAITING, task->name, excess - by_path);
  lose(r->replay, BENCH_LOSS_MEMORY, weft_stage_name(task->stage), workers * memory_wait_ns);
  lose(r->replay, BENCH_LOSS_SLOWDOWN, "work", work_ns - task->work_ns);
}

static bool run_job(run* r, const bench_task* task, double path_ns) {
  bench_simulated_pool* pool = &r->pool;
  const double begin = pool->time;
  const double* costs = bench_task_costs(r->graph, task);
  open_job(pool);
  const double opened = pool->time;
  const double worked =
      task->kind == BENCH_TASK_LOOP
          ? bench_simulate_loop(pool, task, costs)
          : bench_simulate_wavefront(pool, task, &r->graph->patches[task->level], costs);
  if (worked < 0.0) return false;
  const double end = fmax(worked, opened + memory_ns(r, task));
  const double closing = pool->costs->handoff + (pool->count - 1) * pool->costs->look;
  account(r, task, path_ns, opened - begin + closing, worked - opened, end - worked);
  pool->time = end + closing;
  return true;
}

static bool run_task(run* r, const bench_task* task) {
  r->replay->work_ns += task->work_ns;
  if (task->kind == BENCH_TASK_SERIAL || task->count * task->phase_count <= 1 ||
      r->pool.count == 1) {
    r->replay->path_ns += task->work_ns;
    run_alone(r, task);
    return true;
  }
  const double path_ns = bench_task_longest_path(r->graph, task);
  r->replay->path_ns += path_ns;
  return path_ns >= 0.0 && run_job(r, task, path_ns);
}

static int by_size(const void* a, const void* b) {
  const double x = ((const bench_loss*)a)->ns, y = ((const bench_loss*)b)->ns;
  return x < y ? 1 : x > y ? -1 : 0;
}

bool bench_replay_run(const bench_task_graph* graph, uint32_t workers,
                      const bench_replay_costs* costs, bench_replay* replay) {
  run r = {.graph = graph, .replay = replay};
  *replay = (bench_replay){.ns = 0.0};
  for (size_t i = 0; i < graph->task_count; ++i) {
    const bench_task* task = &graph->tasks[i];
    if (task->kind != BENCH_TASK_SERIAL) r.stage_work[task->stage] += task->work_ns;
  }
  bool ok = bench_simulated_pool_create(workers, costs, &r.pool);
  for (size_t i = 0; ok && i < graph->task_count; ++i) ok = run_task(&r, &graph->tasks[i]);
  replay->ns = r.pool.time;
  bench_simulated_pool_destroy(&r.pool);
  qsort(replay->losses, replay->loss_count, sizeof *replay->losses, by_size);
  return ok;
}
