/* Threads of weft, which run the tasks of one world's worker pool, or of many.
 *
 * A thread has room for one task, and no queue: a task that finds no idle thread is refused, and
 * the pool offers it again with a later job. Of shared threads the task of worker i prefers thread
 * i - 1; a pool's own threads take no other, so that a worker keeps its thread, CPU and cache. An
 * idle thread spins for a while, then parks.
 *
 * Rejected: a queue, in which tasks of worlds whose step is over would wait before others.
 *
 * fork() copies the calling thread only: weft__threads_restart() starts the others in the child. */
#ifndef WEFT_PARALLEL_THREADS_H
#define WEFT_PARALLEL_THREADS_H

#include "weft/weft.h"

/* Checks CPUs to bind to, [count] or NULL: the platform can bind, and all are available. */
weft_result weft__check_cpus(const uint32_t* cpus, uint32_t count, const char* field);

uint32_t weft__threads_count(const weft_threads* threads);

/* Restarts the threads in a forked child, in which they have no tasks. Threads that cannot be had
 * are missing from now on. */
void weft__threads_restart(weft_threads* threads);

/* Gives a task to an idle thread: weft_task_system.enqueue() of threads, as the context. */
bool weft__threads_offer(void* threads, weft_task* task);

/* The same, but a task of worker i only to thread i - 1. */
bool weft__threads_offer_own(void* threads, weft_task* task);

/* Keeps the memory of threads, which weft_threads_destroy() may stop meanwhile. */
void weft__threads_retain(weft_threads* threads);
void weft__threads_release(weft_threads* threads);

#endif
