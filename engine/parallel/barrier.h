/* Gate: a reusable barrier with a completion step.
 *
 * Workers arrive and wait for the last one, which runs the completion step, resets the count and
 * opens the next phase. A waiting worker spins on the phase for a while, which costs a cache line's
 * round trip, then parks on a condition variable, which costs microseconds but frees the core.
 *
 *     arrive: arrived += 1 ------ not the last ------> spin on phase -> park -> result
 *                 |  last                                                         ^
 *                 v                                                               |
 *     result = completion(context), arrived = 0, phase += 1, wake the parked, if any
 *
 * The completion step is the only means of a collective decision: it runs after all workers have
 * written its inputs, and before any of them continues. Its result cannot change before all workers
 * have read it, since the next completion waits for all of them to arrive again. A branch that
 * leads to a barrier depends only on such a result, or on values that no stage of the step writes.
 *
 * Count and phase have a cache line each, so that arrivals do not disturb waiting workers.
 * (Mellor-Crummey and Scott 1991, "Algorithms for scalable synchronization", section 3.1: the
 * centralised barrier, with a phase number instead of the sense. Completion step: C++20
 * std::barrier) */
#ifndef WEFT_PARALLEL_BARRIER_H
#define WEFT_PARALLEL_BARRIER_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct weft__barrier {
  alignas(WEFT__CACHE_LINE) atomic_uint arrived;
  alignas(WEFT__CACHE_LINE) atomic_uint phase;
  uint32_t result; /* result of the last completion step: written before `phase`, read after it */
  alignas(WEFT__CACHE_LINE)
      atomic_uint parked; /* workers that wait, or are about to, on `opened` */
#ifndef NDEBUG
  /* call site of the first worker to arrive in this phase, NULL = none yet */
  _Atomic(const char*) call_site;
#endif
  uint32_t worker_count;
  uint32_t spin_limit;   /* polls of the phase before parking */
  pthread_mutex_t mutex; /* held from a parking worker's last read of the phase until it sleeps */
  pthread_cond_t opened;
} weft__barrier;

/* False if the system has no more mutexes. */
bool weft__barrier_create(weft__barrier* barrier, uint32_t worker_count);
void weft__barrier_destroy(weft__barrier* barrier);

/* Runs on one worker, the last to arrive, while all others wait. The result must not depend on
 * which one. */
typedef uint32_t weft__completion(void* context);

/* Call site of a barrier as a string constant. NULL in release builds. */
#ifdef NDEBUG
#define WEFT__CALL_SITE NULL
#else
#define WEFT__CALL_SITE __FILE__ ":" WEFT__TEXT_OF(__LINE__)
#define WEFT__TEXT_OF(line) WEFT__TEXT_OF_VALUE(line)
#define WEFT__TEXT_OF_VALUE(value) #value
#endif

/* Barrier: returns the completion step's result, or 0 if `completion` is NULL, after all workers
 * have called it. All earlier writes, by workers and by the completion step, are then visible to
 * all. Debug builds abort if workers arrive from different call sites. */
uint32_t weft__barrier_wait(weft__barrier* barrier, weft__completion* completion, void* context,
                            const char* call_site);

#endif
