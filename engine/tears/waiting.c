#include "tears/waiting.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"

bool weft__waiting_create(weft__waiting* waiting, uint32_t capacity) {
  *waiting = (weft__waiting){
      .entries = weft__alloc(capacity, sizeof(*waiting->entries)),
      .links = weft__alloc(capacity, sizeof(*waiting->links)),
      .capacity = capacity,
  };
  return waiting->entries != NULL && waiting->links != NULL;
}

void weft__waiting_destroy(weft__waiting* waiting) {
  free(waiting->entries);
  free(waiting->links);
  *waiting = (weft__waiting){0};
}

size_t weft__waiting_bytes(const weft__waiting* waiting) {
  return waiting->capacity * (sizeof(*waiting->entries) + sizeof(*waiting->links));
}

static void move_to_front(weft__waiting* waiting) {
  memmove(waiting->entries, waiting->entries + waiting->first,
          (waiting->end - waiting->first) * sizeof(*waiting->entries));
  waiting->numbered -= waiting->first;
  waiting->end -= waiting->first;
  waiting->first = 0;
}

void weft__waiting_push(weft__waiting* waiting, uint32_t slot) {
  if (waiting->end - waiting->first == waiting->capacity) {
    ++waiting->lost;
    return;
  }
  if (waiting->end == waiting->capacity) move_to_front(waiting);
  waiting->entries[waiting->end++] = (uint64_t)waiting->batch << 32 | slot;
  waiting->is_open = true;
}

void weft__waiting_close(weft__waiting* waiting) {
  // a link tears once: there are never more batches than links
  if (waiting->is_open) ++waiting->batch;
  waiting->is_open = false;
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

static void find_numbers(weft__waiting* waiting, const weft__schedule* schedule) {
  const uint32_t count = waiting->end - waiting->numbered;
  if (count == 0) return;
  uint64_t* entries = waiting->entries + waiting->numbered;
  for (uint32_t i = 0; i < count; ++i) entries[i] = swap_halves(entries[i]);
  weft__sort_numbers(entries, count);
  look_up(schedule, entries, count, waiting->links);
  for (uint32_t i = 0; i < count; ++i) entries[i] = entries[i] << 32 | waiting->links[i];
  weft__sort_numbers(entries, count);
  waiting->numbered = waiting->end;
}

uint32_t weft__waiting_take(weft__waiting* waiting, const weft__schedule* schedule,
                            uint32_t capacity, uint32_t* links) {
  const uint32_t held = waiting->end - waiting->first;
  const uint32_t count = capacity < held ? capacity : held;
  if (count > 0) find_numbers(waiting, schedule);
  for (uint32_t i = 0; i < count; ++i) links[i] = (uint32_t)waiting->entries[waiting->first++];
  if (waiting->first == waiting->end) waiting->first = waiting->numbered = waiting->end = 0;
  return count;
}
