/* The torn links that wait to be taken.
 *
 * What tears is noted by its slot, as that is at hand in a step. Numbers are found for all that wait at
 * once, when some are taken: by one look at every link, which is cheaper than a column that knows them. */
#ifndef WEFT_EDIT_EVENT_RING_H
#define WEFT_EDIT_EVENT_RING_H

#include "tables/schedule.h"

typedef struct weft__event_ring {
  /* The batch, a step or a call, in the upper half; below it the caller's number of a link where it is
   * found already, else the slot [capacity] */
  uint64_t* entries;
  uint32_t* links; /* room for numbers that are being found [capacity] */
  uint32_t capacity;
  uint32_t first;    /* what waits is the entries [first, end) */
  uint32_t numbered; /* of these, [first, numbered) have their numbers */
  uint32_t end;
  uint32_t batch;
  bool is_open; /* the batch has entries */
  uint64_t lost;
} weft__event_ring;

/* False when memory cannot be had; the caller destroys it either way. */
bool weft__event_ring_create(weft__event_ring* event_ring, uint32_t capacity);
void weft__event_ring_destroy(weft__event_ring* event_ring);
size_t weft__event_ring_bytes(const weft__event_ring* event_ring);

/* Notes the link of a slot, or counts it as lost where there is no room. */
void weft__event_ring_push(weft__event_ring* event_ring, uint32_t slot);

/* Ends a batch: what comes now comes after it. */
void weft__event_ring_close(weft__event_ring* event_ring);

/* Takes the first `capacity` out, or all: batch by batch, and in a batch by number. Returns how many. Needs the
 * schedule's marks, all clear, and leaves them so. */
uint32_t weft__event_ring_take(weft__event_ring* event_ring, const weft__schedule* schedule,
                               uint32_t capacity, uint32_t* links);

#endif
