/* Fixed set of workers that run one task together.
 *
 * The caller is worker 0; a pool of one makes no thread and takes no lock. Between tasks the other
 * workers wait at the barrier: they spin briefly, then sleep. Inside a task the same barrier is
 * their barrier, any number of times, as long as all of them wait at it.
 *
 * fork() copies the calling thread only. In the child the next task restarts the other workers;
 * detecting this is one system call a task, about 100 nanoseconds.
 *
 * A worker's index may select its work and its scratch memory, but never a result. */
#ifndef WEFT_PARALLEL_WORKER_POOL_H
#define WEFT_PARALLEL_WORKER_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "parallel/barrier.h"

typedef void weft__task(void* context, uint32_t worker);

typedef struct weft__worker_pool weft__worker_pool;

/* Starts worker_count - 1 threads, 1 <= worker_count <= WEFT_MAX_WORKERS. NULL if memory or threads
 * cannot be had. */
weft__worker_pool* weft__worker_pool_create(uint32_t worker_count);

/* Stops and joins the threads. NULL is allowed. */
void weft__worker_pool_destroy(weft__worker_pool* pool);

uint32_t weft__worker_pool_count(const weft__worker_pool* pool);
size_t weft__worker_pool_bytes(const weft__worker_pool* pool);

/* Calls task(context, worker) on every worker and returns when all have returned. */
void weft__worker_pool_run(weft__worker_pool* pool, weft__task* task, void* context);

/* Barrier inside a task, see weft__barrier_wait(): a stage calls weft__stage_barrier() or
 * weft__stage_decide(). NULL is a pool of one. */
uint32_t weft__worker_pool_wait(weft__worker_pool* pool, weft__completion* completion,
                                void* context, const char* call_site);

/* A worker's share of `count` items: [begin, end). Shares differ by at most one item, are in worker
 * order and cover every item once. */
typedef struct weft__range {
  uint32_t begin, end;
} weft__range;

static inline weft__range weft__share(uint32_t count, uint32_t worker, uint32_t worker_count) {
  return (weft__range){(uint32_t)((uint64_t)count * worker / worker_count),
                       (uint32_t)((uint64_t)count * (worker + 1) / worker_count)};
}

#endif
