/* Worker pool: the caller leads, and workers that have a core help.
 *
 * The caller runs the whole step and, stage by stage, opens jobs. Every worker that is there in
 * time joins a job and claims pieces of it. The job ends when all pieces are done and all joined
 * workers have left: nothing waits for a worker that lost its core between jobs.
 *
 *     caller   open ---- pieces ---- close, wait for those inside ------> next stage
 *     worker 1     enter -- pieces -- leave .spin. enter ..
 *     worker 2  (its task has not begun, or it has no core: misses the job, nothing waits for it)
 *
 * A worker is a task, run by a thread of weft or of the host: see weft_task. The caller offers the
 * tasks of absent workers to their source when it opens a job. A task attends the jobs until the
 * step is over, or it has spun for a while without one; its worker is absent then. A task that
 * begins late finds no job; the pool's memory is kept until the last task has ended.
 *
 * The caller takes all decisions of a step, between jobs, and publishes them by opening the next
 * one. A worker that finds itself on the caller's CPU excludes itself for some milliseconds. The
 * caller excludes one that completes nothing while the caller spins and then sleeps for 0.3 ms, in
 * which the worker's thread has hardly run: it has lost its core. Tasks of excluded workers end,
 * and are not offered.
 *
 * A worker's index may select scratch memory and the pieces it begins with, never a result.
 *
 * fork() copies the calling thread only. In the child weft__worker_pool_begin() restarts threads of
 * weft.
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

/* Source of the workers other than the caller; all NULL = threads of the pool's own. */
typedef struct weft__worker_source {
  weft_threads* threads;        /* shared */
  weft_task_system task_system; /* the host's, if there are no threads */
  const uint32_t* cpus;         /* CPUs of own threads: of worker 1 and up, [worker_count - 1] */
} weft__worker_source;

/* Pool of worker_count workers, 1 to WEFT_MAX_WORKERS, with the caller; of fewer where `source` has
 * fewer threads or, for own threads, the process may use fewer CPUs: weft__worker_pool_count(). A
 * NULL source means own threads. NULL if memory or threads cannot be had. */
weft__worker_pool* weft__worker_pool_create(uint32_t worker_count,
                                            const weft__worker_source* source);

/* Ends jobs for good; threads of its own are stopped and joined. NULL is allowed. */
void weft__worker_pool_destroy(weft__worker_pool* pool);

uint32_t weft__worker_pool_count(const weft__worker_pool* pool);
size_t weft__worker_pool_bytes(const weft__worker_pool* pool);

/* Prepares for a run of jobs: once a step, and before other uses. Restarts threads in a forked
 * child. */
void weft__worker_pool_begin(weft__worker_pool* pool);

/* Ends a run of jobs: workers leave at once. Without it they spin for a while. */
void weft__worker_pool_end(weft__worker_pool* pool);

/* From here on jobs are recorded; NULL = no more. */
void weft__worker_pool_record(weft__worker_pool* pool, weft__spans* spans);

/* Spans to record in, NULL = off; constant during a job. */
weft__spans* weft__worker_pool_spans(const weft__worker_pool* pool);

/* Between jobs: readmits excluded workers whose time is over. True if the pool has other workers,
 * and not all of them are excluded in the next job. */
bool weft__worker_pool_is_helped(weft__worker_pool* pool);

/* Calls task(context, worker) on the caller and on the workers that join before the caller's call
 * returns; waits for all of them. The task claims its pieces itself, and the caller returns from it
 * only if none is left to begin. */
void weft__worker_pool_run(weft__worker_pool* pool, weft__task* task, void* context);

/* Calls task(context, items, worker) for [0, count) in pieces of at most `grain` items, >= 1; only
 * on the caller, in one piece of any size, if it has no help and is not recorded, or there is one
 * piece. Workers begin with pieces of their own share, so that a worker finds the same items in its
 * cache from stage to stage. A pool of NULL is just the caller. */
#define weft__worker_pool_for(pool, count, grain, task, context) \
  weft__worker_pool_run_loop(pool, count, grain, task, #task, context)

/* The same with a name, a static string, for spans. */
void weft__worker_pool_run_loop(weft__worker_pool* pool, uint32_t count, uint32_t grain,
                                weft__range_task* task, const char* name, void* context);

/* The same for any range of items. */
void weft__worker_pool_run_range(weft__worker_pool* pool, weft__range items, uint32_t grain,
                                 weft__range_task* task, const char* name, void* context);

/* Inside a task: tells that the worker has completed a piece, and wakes the caller if it waits for
 * that. */
void weft__worker_pool_report(weft__worker_pool* pool, uint32_t worker);

/* Inside a task, on the caller: waits until the condition holds, which a worker makes true before
 * it reports. Workers that complete nothing for long meanwhile are excluded. Both sides access the
 * condition's data with sequential consistency. */
void weft__worker_pool_await(weft__worker_pool* pool, weft__condition* holds, const void* context);

/* Inside a task: true if the worker runs on the CPU that the caller needs. It is excluded then, and
 * should return. */
bool weft__worker_pool_is_in_the_way(weft__worker_pool* pool, uint32_t worker);

/* Inside a task: claims the next of `count` pieces of `owner`'s share in this job: 0 to count - 1,
 * each once; UINT32_MAX if none is left. */
uint32_t weft__worker_pool_claim(weft__worker_pool* pool, uint32_t owner, uint32_t count);

/* A worker's share of `count` items. Shares differ by at most one item, are in worker order and
 * cover every item once. */
static inline weft__range weft__share(uint32_t count, uint32_t worker, uint32_t worker_count) {
  return (weft__range){(uint32_t)((uint64_t)count * worker / worker_count),
                       (uint32_t)((uint64_t)count * (worker + 1) / worker_count)};
}

#endif
