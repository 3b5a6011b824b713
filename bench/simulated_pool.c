#include "simulated_pool.h"

#include <math.h>
#include <stdlib.h>

bool bench_simulated_pool_create(uint32_t count, const bench_replay_costs* costs,
                                 bench_simulated_pool* pool) {
  *pool = (bench_simulated_pool){.count = count, .costs = costs};
  pool->arrival = calloc(count, sizeof *pool->arrival);
  pool->idle_since = calloc(count, sizeof *pool->idle_since);
  pool->heap = calloc(count, sizeof *pool->heap);
  return pool->arrival != NULL && pool->idle_since != NULL && pool->heap != NULL;
}

void bench_simulated_pool_destroy(bench_simulated_pool* pool) {
  free(pool->arrival);
  free(pool->idle_since);
  free(pool->heap);
}

// ---- events ----

static bool is_before(const bench_event* a, const bench_event* b) {
  return a->time < b->time || (a->time == b->time && a->worker < b->worker);
}

static void swap(bench_event* a, bench_event* b) {
  const bench_event kept = *a;
  *a = *b;
  *b = kept;
}

void bench_push_event(bench_simulated_pool* pool, double time, uint32_t worker) {
  bench_event* heap = pool->heap;
  uint32_t i = pool->heap_count++;
  heap[i] = (bench_event){time, worker};
  for (; i > 0 && is_before(&heap[i], &heap[(i - 1) / 2]); i = (i - 1) / 2) {
    swap(&heap[i], &heap[(i - 1) / 2]);
  }
}

bench_event bench_pop_event(bench_simulated_pool* pool) {
  bench_event* heap = pool->heap;
  const bench_event first = heap[0];
  heap[0] = heap[--pool->heap_count];
  for (uint32_t i = 0;;) {
    uint32_t least = i;
    for (uint32_t child = 2 * i + 1; child <= 2 * i + 2; ++child) {
      if (child < pool->heap_count && is_before(&heap[child], &heap[least])) least = child;
    }
    if (least == i) return first;
    swap(&heap[i], &heap[least]);
    i = least;
  }
}

// ---- loops ----

// Pieces of each worker's share that nobody has claimed.
typedef struct loop_shares {
  uint32_t* next; /* [count] */
  uint32_t* end;  /* [count] */
  uint32_t* seen; /* shares that a worker has found empty [count] */
} loop_shares;

static bool create_shares(uint32_t count, uint32_t pieces, loop_shares* shares) {
  uint32_t* all = calloc(3 * (size_t)count, sizeof *all);
  *shares = (loop_shares){all, all + count, all + 2 * (size_t)count};
  for (uint32_t w = 0; all != NULL && w < count; ++w) {
    shares->next[w] = (uint32_t)((uint64_t)pieces * w / count);
    shares->end[w] = (uint32_t)((uint64_t)pieces * (w + 1) / count);
  }
  return all != NULL;
}

// Next piece for the worker, and the time of its claim added; UINT32_MAX if none is left.
static uint32_t claim_piece(const bench_simulated_pool* pool, const loop_shares* shares,
                            bench_event* now) {
  for (uint32_t* k = &shares->seen[now->worker]; *k < pool->count; ++*k) {
    const uint32_t owner = (now->worker + *k) % pool->count;
    if (shares->next[owner] < shares->end[owner]) {
      now->time += *k == 0 ? pool->costs->claim : pool->costs->handoff;
      return shares->next[owner]++;
    }
    now->time += pool->costs->look;
  }
  return UINT32_MAX;
}

double bench_simulate_loop(bench_simulated_pool* pool, const bench_task* task,
                           const double* costs) {
  loop_shares shares;
  double end = pool->time;
  if (!create_shares(pool->count, task->count, &shares)) return -1.0;
  for (uint32_t w = 0; w < pool->count; ++w) bench_push_event(pool, pool->arrival[w], w);
  while (pool->heap_count > 0) {
    bench_event now = bench_pop_event(pool);
    const uint32_t piece = claim_piece(pool, &shares, &now);
    if (piece != UINT32_MAX) {
      now.time += costs[piece] * pool->costs->slowdown;
      end = fmax(end, now.time);
      bench_push_event(pool, now.time, now.worker);
    } else {
      pool->idle_since[now.worker] = now.time;
    }
  }
  free(shares.next);
  return end;
}
