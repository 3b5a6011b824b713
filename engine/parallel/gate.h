/* The gate: a reusable barrier with a completion step.
 *
 * Workers arrive and wait until the last one has arrived. The last one runs the completion step,
 * resets the count and opens the next phase. A waiting worker spins on the phase for a while, which
 * costs a cache line's round trip, and then parks on a condition variable, which costs microseconds
 * but leaves the core to others.
 *
 *     arrive: arrived += 1 ------ not the last ------> spin on phase -> park -> result
 *                 |  last                                                         ^
 *                 v                                                               |
 *     result = completion(context), arrived = 0, phase += 1, wake the parked, if any
 *
 * The completion step is the one way to make a collective decision: it runs when all workers have
 * written what the decision depends on, and before any of them goes on. Its result cannot change
 * before all workers have read it, since the next completion waits for all of them to arrive again.
 * A branch that leads to a barrier depends on such a result, or on values that no stage of the step
 * writes, and on nothing else.
 *
 * The count and the phase have a cache line each, so that arrivals do not disturb waiting workers.
 * (Mellor-Crummey and Scott 1991, "Algorithms for scalable synchronization", section 3.1: the
 * centralised barrier, with a phase number in place of the sense. Completion step: C++20
 * std::barrier) */
#ifndef WEFT_PARALLEL_GATE_H
#define WEFT_PARALLEL_GATE_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct weft__gate {
  alignas(WEFT__CACHE_LINE) atomic_uint arrived;
  alignas(WEFT__CACHE_LINE) atomic_uint phase;
  uint32_t result; /* of the last completion step: written before `phase`, read after it */
  alignas(WEFT__CACHE_LINE)
      atomic_uint parked; /* workers that wait, or are about to, on `opened` */
#ifndef NDEBUG
  _Atomic(const char*) place; /* of the first worker to arrive in this phase, NULL = none yet */
#endif
  uint32_t worker_count;
  uint32_t spin_limit;   /* looks at the phase before parking */
  pthread_mutex_t mutex; /* held from a parking worker's last look at the phase until it sleeps */
  pthread_cond_t opened;
} weft__gate;

/* False when the system has no more mutexes. */
bool weft__gate_create(weft__gate* gate, uint32_t worker_count);
void weft__gate_destroy(weft__gate* gate);

/* Runs on one worker, the last to arrive, while all others wait. The returned value must not depend
 * on which worker that is. */
typedef uint32_t weft__completion(void* context);

/* The call's place in the source: one pointer for each place. Release builds have none. */
#ifdef NDEBUG
#define WEFT__PLACE NULL
#else
#define WEFT__PLACE __FILE__ ":" WEFT__TEXT_OF(__LINE__)
#define WEFT__TEXT_OF(line) WEFT__TEXT_OF_VALUE(line)
#define WEFT__TEXT_OF_VALUE(value) #value
#endif

/* Returns the completion step's result, or 0 where `completion` is NULL, once all workers have
 * called it. All writes made before, by workers and by the completion step, are then visible to all.
 * Aborts in debug builds when workers arrive from different places. */
uint32_t weft__gate_wait(weft__gate* gate, weft__completion* completion, void* context,
                         const char* place);

#endif
