/* Parking: a wait that gives the core away until another worker makes a condition true.
 *
 *     park:    lock; parked += 1; sleep until the condition holds; parked -= 1; unlock
 *     unpark:  make the condition true; if parked > 0: lock; wake all; unlock
 *
 * The condition is changed and tested by sequentially consistent operations, like `parked`: either
 * the parking worker sees the condition, or the other one sees parked > 0. A wait costs
 * microseconds: callers spin before it where the condition is about to come true. (Eventcount:
 * Reed, Kanodia 1979, "Synchronization with eventcounts and sequencers") */
#ifndef WEFT_PARALLEL_PARKING_H
#define WEFT_PARALLEL_PARKING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct weft__parking {
  atomic_uint parked;    /* workers asleep here, or about to be */
  pthread_mutex_t mutex; /* held from a worker's last test until it sleeps */
  pthread_cond_t woken;
} weft__parking;

typedef bool weft__condition(const void* context);

/* False if the system has no more mutexes. */
bool weft__parking_create(weft__parking* parking);
void weft__parking_destroy(weft__parking* parking);

void weft__park(weft__parking* parking, weft__condition* holds, const void* context);

/* Sleeps for `ns` < 1e9 nanoseconds at most, by the system's time; true if the condition holds. */
bool weft__park_for(weft__parking* parking, weft__condition* holds, const void* context,
                    int64_t ns);

void weft__unpark(weft__parking* parking);

#endif
