#include "edit/event_ring.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

bool weft__event_ring_create(weft__event_ring* event_ring, uint32_t capacity) {
  *event_ring = (weft__event_ring){
      .entries = weft__alloc(capacity, sizeof(*event_ring->entries)),
      .links = weft__alloc(capacity, sizeof(*event_ring->links)),
      .capacity = capacity,
  };
  return event_ring->entries != NULL && event_ring->links != NULL;
}

void weft__event_ring_destroy(weft__event_ring* event_ring) {
  free(event_ring->entries);
  free(event_ring->links);
  *event_ring = (weft__event_ring){0};
}

size_t weft__event_ring_bytes(const weft__event_ring* event_ring) {
  return event_ring->capacity * (sizeof(*event_ring->entries) + sizeof(*event_ring->links));
}

static void move_to_front(weft__event_ring* event_ring) {
  memmove(event_ring->entries, event_ring->entries + event_ring->first,
          (event_ring->end - event_ring->first) * sizeof(*event_ring->entries));
  event_ring->numbered -= event_ring->first;
  event_ring->end -= event_ring->first;
  event_ring->first = 0;
}

void weft__event_ring_push(weft__event_ring* event_ring, uint32_t slot) {
  if (event_ring->end - event_ring->first == event_ring->capacity) {
    ++event_ring->lost;
    return;
  }
  if (event_ring->end == event_ring->capacity) move_to_front(event_ring);
  event_ring->entries[event_ring->end++] = (uint64_t)event_ring->batch << 32 | slot;
  event_ring->is_open = true;
}

void weft__event_ring_close(weft__event_ring* event_ring) {
  // a link tears once: there are never more batches than links
  if (event_ring->is_open) ++event_ring->batch;
  event_ring->is_open = false;
}

// ---- numbers ----

static uint64_t swap_halves(uint64_t entry) {
  return entry << 32 | entry >> 32;
}

// where the slot stands in the upper halves of ascending entries
static uint32_t find_slot(const uint64_t* entries, uint32_t count, uint32_t slot) {
  uint32_t at = 0;
  for (uint32_t beyond = count; at < beyond;) {
    const uint32_t middle = at + (beyond - at) / 2;
    if (entries[middle] >> 32 < slot) {
      at = middle + 1;
    } else {
      beyond = middle;
    }
  }
  return at;
}

static void mark(const weft__schedule* schedule, uint32_t slot) {
  uint16_t* marks = &schedule->torn[slot / WEFT__LANES];
  *marks = (uint16_t)(*marks ^ 1u << slot % WEFT__LANES);
}

// entries: slot above, batch below, ascending; links: the numbers of their links
static void look_up(const weft__schedule* schedule, const uint64_t* entries, uint32_t count,
                    uint32_t* links) {
  for (uint32_t i = 0; i < count; ++i) mark(schedule, (uint32_t)(entries[i] >> 32));
  uint32_t left = count;
  for (uint32_t link = 0; left > 0 && link < schedule->link_count; ++link) {
    const uint32_t slot = schedule->slot_of_link[link];
    if (!weft__is_marked(schedule->torn, slot)) continue;
    links[find_slot(entries, count, slot)] = link;
    --left;
  }
  for (uint32_t i = 0; i < count; ++i) mark(schedule, (uint32_t)(entries[i] >> 32));
}

static void find_numbers(weft__event_ring* event_ring, const weft__schedule* schedule) {
  const uint32_t count = event_ring->end - event_ring->numbered;
  if (count == 0) return;
  uint64_t* entries = event_ring->entries + event_ring->numbered;
  for (uint32_t i = 0; i < count; ++i) entries[i] = swap_halves(entries[i]);
  weft__sort_numbers(entries, count);
  look_up(schedule, entries, count, event_ring->links);
  for (uint32_t i = 0; i < count; ++i) entries[i] = entries[i] << 32 | event_ring->links[i];
  weft__sort_numbers(entries, count);
  event_ring->numbered = event_ring->end;
}

uint32_t weft__event_ring_take(weft__event_ring* event_ring, const weft__schedule* schedule,
                               uint32_t capacity, uint32_t* links) {
  const uint32_t held = event_ring->end - event_ring->first;
  const uint32_t count = capacity < held ? capacity : held;
  if (count > 0) find_numbers(event_ring, schedule);
  for (uint32_t i = 0; i < count; ++i)
    links[i] = (uint32_t)event_ring->entries[event_ring->first++];
  if (event_ring->first == event_ring->end)
    event_ring->first = event_ring->numbered = event_ring->end = 0;
  return count;
}
