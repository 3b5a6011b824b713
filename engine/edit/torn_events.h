/* Queue of torn links, in order of batches. Steps queue slots; link numbers are found for all
 * entries at once when they are taken, cheaper than a column from slots to links. */
#ifndef WEFT_EDIT_TORN_EVENTS_H
#define WEFT_EDIT_TORN_EVENTS_H

#include "base/archive.h"
#include "tables/schedule.h"

typedef struct weft__torn_events {
  /* Batch (a step or a call) above; below the link number if resolved, else the slot [capacity] */
  uint64_t* entries;
  uint32_t* links; /* scratch [capacity] */
  uint32_t capacity;
  uint32_t first;    /* entries are [first, end) */
  uint32_t numbered; /* [first, numbered) have link numbers */
  uint32_t end;
  uint32_t batch;
  bool is_open; /* the batch has entries */
  uint64_t lost;
  size_t bytes;
} weft__torn_events;

extern const weft__table weft__torn_events_table;

/* The caller destroys the ring either way. */
bool weft__torn_events_create(weft__torn_events* ring, uint32_t capacity);
void weft__torn_events_destroy(weft__torn_events* ring);

/* Lost if the queue is full. */
void weft__torn_events_push(weft__torn_events* ring, uint32_t slot);

void weft__torn_events_close_batch(weft__torn_events* ring);

/* Takes first entries, by batch and then by link; returns their number. The schedule's marks must
 * be clear, and are left clear. */
uint32_t weft__torn_events_take(weft__torn_events* ring, const weft__schedule* schedule,
                                uint32_t capacity, uint32_t* links);

#endif
