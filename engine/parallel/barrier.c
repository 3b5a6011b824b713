#include "parallel/barrier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parallel/pause.h"

// 20 to 50 microseconds: longer than a stage of a balanced step, shorter than a frame
#define SPIN_LIMIT 4000u

bool weft__barrier_create(weft__barrier* barrier, uint32_t worker_count) {
  atomic_init(&barrier->arrived, 0);
  atomic_init(&barrier->phase, 0);
  atomic_init(&barrier->parked, 0);
  barrier->result = 0;
#ifndef NDEBUG
  atomic_init(&barrier->call_site, NULL);
#endif
  barrier->worker_count = worker_count;
  // with more workers than cores, a spinning worker keeps the awaited one from running
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  barrier->spin_limit = cores >= (long)worker_count ? SPIN_LIMIT : 0;
  if (pthread_mutex_init(&barrier->mutex, NULL) != 0) return false;
  if (pthread_cond_init(&barrier->opened, NULL) != 0) {
    pthread_mutex_destroy(&barrier->mutex);
    return false;
  }
  return true;
}

void weft__barrier_destroy(weft__barrier* barrier) {
  pthread_cond_destroy(&barrier->opened);
  pthread_mutex_destroy(&barrier->mutex);
}

// Aborts if an earlier worker of this phase arrived from another call site.
static void check_call_site(weft__barrier* barrier, const char* call_site) {
#ifdef NDEBUG
  (void)barrier;
  (void)call_site;
#else
  const char* first = NULL;
  // relaxed: the strings are constant; the reset in open_gate() is ordered by the phase
  if (atomic_compare_exchange_strong_explicit(&barrier->call_site, &first, call_site,
                                              memory_order_relaxed, memory_order_relaxed) ||
      strcmp(first, call_site) == 0) {
    return;
  }
  fprintf(stderr, "weft: workers wait at different barriers: %s and %s\n", first, call_site);
  abort();
#endif
}

static void open_gate(weft__barrier* barrier) {
#ifndef NDEBUG
  atomic_store_explicit(&barrier->call_site, NULL, memory_order_relaxed);
#endif
  // ordered before the phase by the next addition, which every worker has read before it arrives
  // again
  atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
  // seq_cst, with the loads and additions in park(): either this thread sees the parked worker, or
  // that worker sees the new phase. Also releases all earlier writes to the loads of the phase.
  atomic_fetch_add_explicit(&barrier->phase, 1, memory_order_seq_cst);
  if (atomic_load_explicit(&barrier->parked, memory_order_seq_cst) == 0) return;
  pthread_mutex_lock(&barrier->mutex);
  pthread_cond_broadcast(&barrier->opened);
  pthread_mutex_unlock(&barrier->mutex);
}

static void park(weft__barrier* barrier, unsigned phase) {
  pthread_mutex_lock(&barrier->mutex);
  atomic_fetch_add_explicit(&barrier->parked, 1, memory_order_seq_cst);
  while (atomic_load_explicit(&barrier->phase, memory_order_seq_cst) == phase) {
    pthread_cond_wait(&barrier->opened, &barrier->mutex);
  }
  atomic_fetch_sub_explicit(&barrier->parked, 1, memory_order_relaxed);
  pthread_mutex_unlock(&barrier->mutex);
}

uint32_t weft__barrier_wait(weft__barrier* barrier, weft__completion* completion, void* context,
                            const char* call_site) {
  check_call_site(barrier, call_site);
  // cannot change before this worker has arrived
  const unsigned phase = atomic_load_explicit(&barrier->phase, memory_order_relaxed);
  // acq_rel: the last worker to arrive acquires what the others released here
  const unsigned before = atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel);
  if (before + 1 == barrier->worker_count) {
    barrier->result = completion != NULL ? completion(context) : 0;
    open_gate(barrier);
    return barrier->result;
  }
  for (uint32_t spin = 0; spin < barrier->spin_limit; ++spin) {
    // acquire: pairs with the addition in open_gate()
    if (atomic_load_explicit(&barrier->phase, memory_order_acquire) != phase)
      return barrier->result;
    weft__pause();
  }
  park(barrier, phase);
  return barrier->result;
}
