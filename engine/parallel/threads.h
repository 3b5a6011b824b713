/* Threads of weft, for the tasks of one world's worker pool, or of many.
 *
 * A thread has room for one task: a task that finds no idle thread is refused, and offered again
 * with a later job. Of shared threads the task of worker i prefers thread i - 1; a pool's own
 * threads take no other: a worker keeps its CPU and cache. Rejected: a queue, in which tasks of
 * worlds whose step is over would wait before others. */
#ifndef WEFT_PARALLEL_THREADS_H
#define WEFT_PARALLEL_THREADS_H

#include "weft/weft.h"

/* The platform can bind, and all are available. [count] or NULL */
weft_result weft__check_cpus(const uint32_t* cpus, uint32_t count, const char* field);

uint32_t weft__threads_count(const weft_threads* threads);

/* In a forked child, which has none of the threads; those that cannot be had stay missing. */
void weft__threads_restart(weft_threads* threads);

/* weft_task_system.enqueue() of threads, as the context. */
bool weft__threads_offer(void* threads, weft_task* task);

/* Takes worker i's task only to thread i - 1. */
bool weft__threads_offer_own(void* threads, weft_task* task);

/* Keeps the memory: weft_threads_destroy() may stop the threads meanwhile. */
void weft__threads_retain(weft_threads* threads);
void weft__threads_release(weft_threads* threads);

#endif
