/* Worker pool: the caller leads, and workers that have a core help.
 *
 * The caller opens jobs, stage by stage. Workers that are there in time join a job and claim
 * pieces. It ends when all pieces are done and all joined workers have left: nothing waits for a
 * worker that lost its core between jobs.
 *
 *     caller   open ---- pieces ---- close, wait for those inside ------> next stage
 *     worker 1     enter -- pieces -- leave .spin. enter ..
 *     worker 2  (its task has not begun, or it has no core: misses the job, nothing waits for it)
 *
 * A worker is a task (weft_task), run by a thread of weft or of the host. The caller offers absent
 * workers' tasks to their source when it opens a job. A task attends jobs until the step is over,
 * or it has spun for a while without one; its worker is absent then. A task that begins late finds
 * no job; the pool's memory is kept until the last task has ended.
 *
 * The caller takes all decisions of a step, between jobs; opening the next one publishes them. A
 * worker on the caller's CPU excludes itself for some milliseconds. The caller excludes one that
 * completes nothing while the caller spins and then sleeps for 0.3 ms, in which the worker's thread
 * has hardly run: it has lost its core. Excluded tasks end, and are not offered.
 *
 * A worker's index may select scratch memory and first pieces, never a result. fork() copies the
 * calling thread only: in the child weft__worker_pool_begin() restarts threads of weft.
 *
 * (Catto 2022, Box2D v3 solver stages, where workers claim blocks of a stage that one of them
 * opens; entering and closing are Dekker's handshake: Dijkstra 1965, "Cooperating sequential
 * processes") */
#ifndef WEFT_PARALLEL_WORKER_POOL_H
#define WEFT_PARALLEL_WORKER_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/range.h"
#include "parallel/parking.h"
#include "parallel/spans.h"

typedef struct weft__worker_pool weft__worker_pool;

typedef void weft__task(void* context, uint32_t worker);
typedef void weft__range_task(void* context, weft__range items, uint32_t worker);

/* Source of workers other than the caller; all NULL: threads of the pool's own. */
typedef struct weft__worker_source {
  weft_threads* threads;        /* shared */
  weft_task_system task_system; /* the host's, if `threads` is NULL */
  const uint32_t* cpus;         /* for own threads, from worker 1 [worker_count - 1] */
} weft__worker_source;

/* Up to worker_count workers, with the caller: as many as `source` has threads or, for own threads
 * (a NULL source), as the process may use CPUs. NULL also if threads cannot be had. */
weft__worker_pool* weft__worker_pool_create(uint32_t worker_count,
                                            const weft__worker_source* source);

/* Stops and joins own threads. NULL is allowed. */
void weft__worker_pool_destroy(weft__worker_pool* pool);

uint32_t weft__worker_pool_count(const weft__worker_pool* pool);
size_t weft__worker_pool_bytes(const weft__worker_pool* pool);

/* Before each step and other runs of jobs. Restarts threads in a forked child. */
void weft__worker_pool_begin(weft__worker_pool* pool);

/* Workers leave at once; without it they spin for a while. */
void weft__worker_pool_end(weft__worker_pool* pool);

void weft__worker_pool_record(weft__worker_pool* pool, weft__spans* spans);

weft__spans* weft__worker_pool_spans(const weft__worker_pool* pool);

/* Between jobs: readmits workers after their exclusion. True if the next job has other workers. */
bool weft__worker_pool_is_helped(weft__worker_pool* pool);

/* Calls task(context, worker) on the caller and on workers that join before its call returns; waits
 * for all. The task claims pieces; the caller's returns only if none is left to begin. */
void weft__worker_pool_run(weft__worker_pool* pool, weft__task* task, void* context);

/* Calls task(context, items, worker) for [0, count) in pieces of at most `grain` >= 1 items;
 * without help and recording in one piece of any size. Workers begin with their own share: the same
 * items are in their cache from stage to stage. A pool of NULL is just the caller. */
#define weft__worker_pool_for(pool, count, grain, task, context) \
  weft__worker_pool_run_loop(pool, count, grain, task, #task, context)

/* `name`: a static string, for spans. */
void weft__worker_pool_run_loop(weft__worker_pool* pool, uint32_t count, uint32_t grain,
                                weft__range_task* task, const char* name, void* context);

void weft__worker_pool_run_range(weft__worker_pool* pool, weft__range items, uint32_t grain,
                                 weft__range_task* task, const char* name, void* context);

/* Inside a task: the worker has completed a piece; wakes the caller if it waits. */
void weft__worker_pool_report(weft__worker_pool* pool, uint32_t worker);

/* Inside a task, on the caller: waits until a worker makes the condition true and reports; excludes
 * workers that complete nothing for long. Both sides access the condition's data seq_cst. */
void weft__worker_pool_await(weft__worker_pool* pool, weft__condition* holds, const void* context);

/* Inside a task: the worker is on the CPU that the caller needs, is excluded, and should return. */
bool weft__worker_pool_is_in_the_way(weft__worker_pool* pool, uint32_t worker);

/* Inside a task: the next of `count` pieces of `owner`'s share, each once; UINT32_MAX: none. */
uint32_t weft__worker_pool_claim(weft__worker_pool* pool, uint32_t owner, uint32_t count);

/* Shares differ by at most one item, in worker order. */
static inline weft__range weft__share(uint32_t count, uint32_t worker, uint32_t worker_count) {
  return (weft__range){(uint32_t)((uint64_t)count * worker / worker_count),
                       (uint32_t)((uint64_t)count * (worker + 1) / worker_count)};
}

#endif
