/* Simulated workers of a replay: clocks, and the jobs that they share. Times in nanoseconds. */
#ifndef BENCH_SIMULATED_POOL_H
#define BENCH_SIMULATED_POOL_H

#include "replay.h"

/* A worker does something next at a time. */
typedef struct bench_event {
  double time;
  uint32_t worker;
} bench_event;

typedef struct bench_simulated_pool {
  uint32_t count;
  const bench_replay_costs* costs;
  double time;        /* of the caller */
  double* arrival;    /* of each worker in the job [count] */
  double* idle_since; /* begin of its last wait for a job [count] */
  bench_event* heap;  /* the earliest first: of equal times that of the lowest worker [count] */
  uint32_t heap_count;
} bench_simulated_pool;

/* False if memory cannot be had; to be destroyed also then. */
bool bench_simulated_pool_create(uint32_t count, const bench_replay_costs* costs,
                                 bench_simulated_pool* pool);
void bench_simulated_pool_destroy(bench_simulated_pool* pool);

void bench_push_event(bench_simulated_pool* pool, double time, uint32_t worker);
bench_event bench_pop_event(bench_simulated_pool* pool);

/* Simulates a job that workers enter at their arrival; sets idle_since of those that have worked to
 * the end of their work. Returns the time when all work is done; negative if memory cannot be
 * had. */
double bench_simulate_loop(bench_simulated_pool* pool, const bench_task* task, const double* costs);
double bench_simulate_wavefront(bench_simulated_pool* pool, const bench_task* task,
                                const bench_patch_graph* patches, const double* costs);

#endif
