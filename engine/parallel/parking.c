#include "parallel/parking.h"

#include <errno.h>
#include <time.h>

bool weft__parking_create(weft__parking* parking) {
  atomic_init(&parking->parked, 0);
  if (pthread_mutex_init(&parking->mutex, NULL) != 0) return false;
  if (pthread_cond_init(&parking->woken, NULL) == 0) return true;
  pthread_mutex_destroy(&parking->mutex);
  return false;
}

void weft__parking_destroy(weft__parking* parking) {
  pthread_cond_destroy(&parking->woken);
  pthread_mutex_destroy(&parking->mutex);
}

static bool park_until(weft__parking* parking, weft__condition* holds, const void* context,
                       const struct timespec* end) {
  bool is_over = false;
  pthread_mutex_lock(&parking->mutex);
  // seq_cst: pairs with the load in weft__unpark()
  atomic_fetch_add_explicit(&parking->parked, 1, memory_order_seq_cst);
  while (!holds(context) && !is_over) {
    if (end == NULL) {
      pthread_cond_wait(&parking->woken, &parking->mutex);
    } else {
      is_over = pthread_cond_timedwait(&parking->woken, &parking->mutex, end) == ETIMEDOUT;
    }
  }
  atomic_fetch_sub_explicit(&parking->parked, 1, memory_order_relaxed);
  pthread_mutex_unlock(&parking->mutex);
  return !is_over || holds(context);
}

void weft__park(weft__parking* parking, weft__condition* holds, const void* context) {
  (void)park_until(parking, holds, context, NULL);
}

bool weft__park_for(weft__parking* parking, weft__condition* holds, const void* context,
                    int64_t ns) {
  // the default clock of condition variables
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  const int64_t end_ns = end.tv_nsec + ns;
  end.tv_sec += (time_t)(end_ns / 1000000000);
  end.tv_nsec = (long)(end_ns % 1000000000);
  return park_until(parking, holds, context, &end);
}

void weft__unpark(weft__parking* parking) {
  // seq_cst: pairs with the addition in weft__park()
  if (atomic_load_explicit(&parking->parked, memory_order_seq_cst) == 0) return;
  pthread_mutex_lock(&parking->mutex);
  pthread_cond_broadcast(&parking->woken);
  pthread_mutex_unlock(&parking->mutex);
}
