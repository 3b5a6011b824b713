/* The gate: a barrier that is used again and again.
 *
 * Workers arrive and wait until the last one has come. The last one resets the count and opens the
 * next phase. A waiting worker spins on the phase for a while, which costs a cache line's round
 * trip, and then parks on a condition variable, which costs microseconds but leaves the core to
 * others.
 *
 *     arrive: arrived += 1 ------ not the last ------> spin on phase -> park
 *                 |  last
 *                 v
 *     arrived = 0, phase += 1, wake the parked, if any
 *
 * The count and the phase have a cache line each, so that arrivals do not disturb those who spin.
 * (Mellor-Crummey and Scott 1991, "Algorithms for scalable synchronization", section 3.1: the
 * centralised barrier, with a phase number in place of the sense) */
#ifndef WEFT_WORKERS_GATE_H
#define WEFT_WORKERS_GATE_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"

typedef struct weft__gate {
  alignas(WEFT__CACHE_LINE) atomic_uint arrived;
  alignas(WEFT__CACHE_LINE) atomic_uint phase;
  alignas(WEFT__CACHE_LINE)
      atomic_uint parked; /* workers that wait, or are about to, on `opened` */
  uint32_t worker_count;
  uint32_t spin_limit;   /* looks at the phase before parking */
  pthread_mutex_t mutex; /* held from a parking worker's last look at the phase until it sleeps */
  pthread_cond_t opened;
} weft__gate;

/* False when the system has no more mutexes. */
bool weft__gate_create(weft__gate* gate, uint32_t worker_count);
void weft__gate_destroy(weft__gate* gate);

/* Returns once all workers have called it. What each wrote before is then visible to all. */
void weft__gate_wait(weft__gate* gate);

#endif
