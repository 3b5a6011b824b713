/* Events by time: a binary heap (Williams 1964, "Algorithm 232: Heapsort"). */
#ifndef BENCH_EVENT_QUEUE_H
#define BENCH_EVENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct bench_event {
  double time;
  uint64_t number; /* of events at one time the lower comes first */
} bench_event;

/* Zero is an empty queue. */
typedef struct bench_event_queue {
  bench_event* items; /* [count]; the first is the next event */
  size_t count, capacity;
} bench_event_queue;

/* False if memory cannot be had. */
bool bench_event_queue_push(bench_event_queue* queue, bench_event event);

/* Removes the next event; the queue must not be empty. */
bench_event bench_event_queue_pop(bench_event_queue* queue);

void bench_event_queue_free(bench_event_queue* queue);

#endif
