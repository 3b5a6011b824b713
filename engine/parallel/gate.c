#include "parallel/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parallel/pause.h"

// 20 to 50 microseconds: longer than a stage of a balanced step, shorter than a frame
#define SPIN_LIMIT 4000u

bool weft__gate_create(weft__gate* gate, uint32_t worker_count) {
  atomic_init(&gate->arrived, 0);
  atomic_init(&gate->phase, 0);
  atomic_init(&gate->parked, 0);
  gate->result = 0;
#ifndef NDEBUG
  atomic_init(&gate->call_site, NULL);
#endif
  gate->worker_count = worker_count;
  // with more workers than cores, a spinning worker keeps the awaited one from running
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  gate->spin_limit = cores >= (long)worker_count ? SPIN_LIMIT : 0;
  if (pthread_mutex_init(&gate->mutex, NULL) != 0) return false;
  if (pthread_cond_init(&gate->opened, NULL) != 0) {
    pthread_mutex_destroy(&gate->mutex);
    return false;
  }
  return true;
}

void weft__gate_destroy(weft__gate* gate) {
  pthread_cond_destroy(&gate->opened);
  pthread_mutex_destroy(&gate->mutex);
}

// Aborts if an earlier worker of this phase arrived from another call site.
static void check_call_site(weft__gate* gate, const char* call_site) {
#ifdef NDEBUG
  (void)gate;
  (void)call_site;
#else
  const char* first = NULL;
  // relaxed: the strings are constant; the reset in open_gate() is ordered by the phase
  if (atomic_compare_exchange_strong_explicit(&gate->call_site, &first, call_site,
                                              memory_order_relaxed, memory_order_relaxed) ||
      strcmp(first, call_site) == 0) {
    return;
  }
  fprintf(stderr, "weft: workers wait at different barriers: %s and %s\n", first, call_site);
  abort();
#endif
}

static void open_gate(weft__gate* gate) {
#ifndef NDEBUG
  atomic_store_explicit(&gate->call_site, NULL, memory_order_relaxed);
#endif
  // ordered before the phase by the next addition, which every worker has read before it arrives
  // again
  atomic_store_explicit(&gate->arrived, 0, memory_order_relaxed);
  // seq_cst, with the loads and additions in park(): either this thread sees the parked worker, or
  // that worker sees the new phase. Also releases all earlier writes to the loads of the phase.
  atomic_fetch_add_explicit(&gate->phase, 1, memory_order_seq_cst);
  if (atomic_load_explicit(&gate->parked, memory_order_seq_cst) == 0) return;
  pthread_mutex_lock(&gate->mutex);
  pthread_cond_broadcast(&gate->opened);
  pthread_mutex_unlock(&gate->mutex);
}

static void park(weft__gate* gate, unsigned phase) {
  pthread_mutex_lock(&gate->mutex);
  atomic_fetch_add_explicit(&gate->parked, 1, memory_order_seq_cst);
  while (atomic_load_explicit(&gate->phase, memory_order_seq_cst) == phase) {
    pthread_cond_wait(&gate->opened, &gate->mutex);
  }
  atomic_fetch_sub_explicit(&gate->parked, 1, memory_order_relaxed);
  pthread_mutex_unlock(&gate->mutex);
}

uint32_t weft__gate_wait(weft__gate* gate, weft__completion* completion, void* context,
                         const char* call_site) {
  check_call_site(gate, call_site);
  // cannot change before this worker has arrived
  const unsigned phase = atomic_load_explicit(&gate->phase, memory_order_relaxed);
  // acq_rel: the last worker to arrive acquires what the others released here
  const unsigned before = atomic_fetch_add_explicit(&gate->arrived, 1, memory_order_acq_rel);
  if (before + 1 == gate->worker_count) {
    gate->result = completion != NULL ? completion(context) : 0;
    open_gate(gate);
    return gate->result;
  }
  for (uint32_t spin = 0; spin < gate->spin_limit; ++spin) {
    // acquire: pairs with the addition in open_gate()
    if (atomic_load_explicit(&gate->phase, memory_order_acquire) != phase) return gate->result;
    weft__pause();
  }
  park(gate, phase);
  return gate->result;
}
