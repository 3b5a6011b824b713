#include "event_queue.h"

#include <stdlib.h>

static bool is_earlier(bench_event a, bench_event b) {
  return a.time < b.time || (a.time == b.time && a.number < b.number);
}

bool bench_event_queue_push(bench_event_queue* queue, bench_event event) {
  if (queue->count == queue->capacity) {
    const size_t wanted = 2 * queue->capacity + 16;
    bench_event* grown = realloc(queue->items, wanted * sizeof *grown);
    if (grown == NULL) return false;
    queue->items = grown;
    queue->capacity = wanted;
  }
  size_t i = queue->count++;
  for (; i > 0 && is_earlier(event, queue->items[(i - 1) / 2]); i = (i - 1) / 2) {
    queue->items[i] = queue->items[(i - 1) / 2];
  }
  queue->items[i] = event;
  return true;
}

bench_event bench_event_queue_pop(bench_event_queue* queue) {
  const bench_event first = queue->items[0];
  const bench_event last = queue->items[--queue->count];
  size_t i = 0;
  for (size_t child = 1; child < queue->count; child = 2 * i + 1) {
    const size_t other = child + 1;
    if (other < queue->count && is_earlier(queue->items[other], queue->items[child])) child = other;
    if (!is_earlier(queue->items[child], last)) break;
    queue->items[i] = queue->items[child];
    i = child;
  }
  queue->items[i] = last;
  return first;
}

void bench_event_queue_free(bench_event_queue* queue) {
  free(queue->items);
  *queue = (bench_event_queue){.items = NULL};
}
