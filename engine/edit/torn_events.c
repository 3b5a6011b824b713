#include "edit/torn_events.h"

#include <string.h>

#include "base/sort.h"

static const weft__column columns[] = {
    WEFT__MEMBER(weft__torn_events, first),
    WEFT__MEMBER(weft__torn_events, numbered),
    WEFT__MEMBER(weft__torn_events, end),
    WEFT__MEMBER(weft__torn_events, batch),
    WEFT__MEMBER(weft__torn_events, is_open),
    WEFT__MEMBER(weft__torn_events, lost),
    WEFT__LIST(weft__torn_events, entries, end, capacity, WEFT__STATE),
    WEFT__COLUMN(weft__torn_events, links, capacity, WEFT__SCRATCH),
};

static bool is_ordered(const void* table) {
  const weft__torn_events* ring = table;
  return ring->first <= ring->end && ring->numbered <= ring->end;
}

const weft__table weft__torn_events_table = {
    .columns = columns, .count = WEFT__COUNT_OF(columns), .is_sound = is_ordered};

bool weft__torn_events_create(weft__torn_events* ring, uint32_t capacity) {
  *ring = (weft__torn_events){.capacity = capacity};
  return weft__columns_add(ring, &weft__torn_events_table, 0, &ring->bytes);
}

void weft__torn_events_destroy(weft__torn_events* ring) {
  weft__columns_free(ring, &weft__torn_events_table);
  *ring = (weft__torn_events){0};
}

static void compact(weft__torn_events* ring) {
  memmove(ring->entries, ring->entries + ring->first,
          (ring->end - ring->first) * sizeof(*ring->entries));
  ring->numbered -= ring->first;
  ring->end -= ring->first;
  ring->first = 0;
}

void weft__torn_events_push(weft__torn_events* ring, uint32_t slot) {
  if (ring->end - ring->first == ring->capacity) {
    ++ring->lost;
    return;
  }
  if (ring->end == ring->capacity) compact(ring);
  ring->entries[ring->end++] = (uint64_t)ring->batch << 32 | slot;
  ring->is_open = true;
}

void weft__torn_events_close_batch(weft__torn_events* ring) {
  // a link tears once: there are never more batches than links
  if (ring->is_open) ++ring->batch;
  ring->is_open = false;
}

static uint64_t swap_halves(uint64_t entry) {
  return entry << 32 | entry >> 32;
}

static void toggle_mark(const weft__link_schedule* links, uint32_t slot) {
  uint16_t* marks = &links->torn[slot / WEFT__LANES];
  *marks = (uint16_t)(*marks ^ 1u << slot % WEFT__LANES);
}

// Entries have slot above, batch below, ascending; one pass over the schedule.
static void find_links(const weft__schedule* schedule, const uint64_t* entries, uint32_t count,
                       uint32_t* links) {
  for (uint32_t i = 0; i < count; ++i) toggle_mark(&schedule->links, (uint32_t)(entries[i] >> 32));
  uint32_t left = count;
  for (uint32_t link = 0; left > 0 && link < schedule->links.link_count; ++link) {
    const uint32_t slot = schedule->links.slot_of_link[link];
    if (!weft__is_marked(schedule->links.torn, slot)) continue;
    links[weft__lower_bound_of(entries, sizeof(*entries), 0, count, (uint64_t)slot << 32)] = link;
    --left;
  }
  for (uint32_t i = 0; i < count; ++i) toggle_mark(&schedule->links, (uint32_t)(entries[i] >> 32));
}

static void resolve_entries(weft__torn_events* ring, const weft__schedule* schedule) {
  const uint32_t count = ring->end - ring->numbered;
  if (count == 0) return;
  uint64_t* entries = ring->entries + ring->numbered;
  for (uint32_t i = 0; i < count; ++i) entries[i] = swap_halves(entries[i]);
  weft__sort_numbers(entries, count);
  find_links(schedule, entries, count, ring->links);
  for (uint32_t i = 0; i < count; ++i) entries[i] = entries[i] << 32 | ring->links[i];
  weft__sort_numbers(entries, count);
  ring->numbered = ring->end;
}

uint32_t weft__torn_events_take(weft__torn_events* ring, const weft__schedule* schedule,
                                uint32_t capacity, uint32_t* links) {
  const uint32_t held = ring->end - ring->first;
  const uint32_t count = capacity < held ? capacity : held;
  if (count > 0) resolve_entries(ring, schedule);
  for (uint32_t i = 0; i < count; ++i) links[i] = (uint32_t)ring->entries[ring->first++];
  if (ring->first == ring->end) ring->first = ring->numbered = ring->end = 0;
  return count;
}
