/* Events of torn links: a queue, in order of batches, until the caller takes them.
 *
 * A step queues slots. Link numbers are found when entries are taken, for all at once: one pass
 * over the links is cheaper than a column from slots to links. */
#ifndef WEFT_EDIT_TORN_EVENTS_H
#define WEFT_EDIT_TORN_EVENTS_H

#include "base/archive.h"
#include "tables/schedule.h"

typedef struct weft__torn_events {
  /* Batch (a step or a call) above; below the caller's link number if resolved, else the slot
   * [capacity] */
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

/* Later entries order after it. */
void weft__torn_events_close_batch(weft__torn_events* ring);

/* First entries, at most `capacity`, by batch and then by link. Returns their number. Uses the
 * schedule's marks, which must be clear, and clears them. */
uint32_t weft__torn_events_take(weft__torn_events* ring, const weft__schedule* schedule,
                                uint32_t capacity, uint32_t* links);

#endif
