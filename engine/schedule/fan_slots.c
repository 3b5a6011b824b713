#include "schedule/fan_slots.h"

#include "base/host.h"

#include <string.h>

static uint32_t lowest_bit(uint64_t bits) {
  WEFT__ASSERT(bits != 0);
  return (uint32_t)__builtin_ctzll(bits);
}

static void assign_slot(weft__slots* slots, weft__edge* edges, uint16_t e, uint32_t slot) {
  weft__edge* edge = &edges[e];
  edge->slot = (uint16_t)slot;
  slots->lane_used[edge->lane] |= 1ull << slot;
  slots->other_used[edge->other] |= 1ull << slot;
  slots->lane_edge[edge->lane][slot] = e;
  slots->other_edge[edge->other][slot] = e;
}

static void release_slot(weft__slots* slots, const weft__edge* edge) {
  slots->lane_used[edge->lane] &= ~(1ull << edge->slot);
  slots->other_used[edge->other] &= ~(1ull << edge->slot);
}

// Swaps p, taken, and q, free, along the alternating path from `other`: no particle comes twice.
static void swap_path(weft__slots* slots, weft__edge* edges, uint32_t other, uint32_t p,
                      uint32_t q) {
  uint16_t path[2 * WEFT__FAN_LANES + 2];
  uint32_t length = 0;
  while (slots->other_used[other] >> p & 1) {
    const uint16_t to_lane = slots->other_edge[other][p];
    path[length++] = to_lane;
    const uint32_t lane = edges[to_lane].lane;
    if ((slots->lane_used[lane] >> q & 1) == 0) break;
    path[length++] = slots->lane_edge[lane][q];
    other = edges[slots->lane_edge[lane][q]].other;
  }
  for (uint32_t i = 0; i < length; ++i) release_slot(slots, &edges[path[i]]);
  for (uint32_t i = 0; i < length; ++i) {
    assign_slot(slots, edges, path[i], edges[path[i]].slot == p ? q : p);
  }
}

static uint32_t max_degree(weft__slots* slots, const weft__edge* edges, uint32_t edge_count) {
  uint32_t lane_edges[WEFT__FAN_LANES] = {0};
  uint32_t largest = 0;
  for (uint32_t e = 0; e < edge_count; ++e) {
    const uint32_t at_lane = ++lane_edges[edges[e].lane];
    // counter in the row of this other end's slots
    const uint32_t at_other = ++slots->other_edge[edges[e].other][0];
    if (at_lane > largest) largest = at_lane;
    if (at_other > largest) largest = at_other;
  }
  WEFT__ASSERT(largest <= WEFT__MAX_SLOTS);
  return largest;
}

uint32_t weft__assign_slots(weft__slots* slots, weft__edge* edges, uint32_t edge_count,
                            uint32_t other_count) {
  memset(slots->lane_used, 0, sizeof(slots->lane_used));
  memset(slots->other_used, 0, other_count * sizeof(*slots->other_used));
  for (uint32_t other = 0; other < other_count; ++other) slots->other_edge[other][0] = 0;
  const uint32_t slot_count = max_degree(slots, edges, edge_count);
  const uint64_t all = slot_count < 64 ? (1ull << slot_count) - 1 : UINT64_MAX;

  for (uint16_t e = 0; e < (uint16_t)edge_count; ++e) {
    const uint64_t lane_free = all & ~slots->lane_used[edges[e].lane];
    const uint64_t other_free = all & ~slots->other_used[edges[e].other];
    if ((lane_free & other_free) == 0) {
      swap_path(slots, edges, edges[e].other, lowest_bit(lane_free), lowest_bit(other_free));
      assign_slot(slots, edges, e, lowest_bit(lane_free));
    } else {
      assign_slot(slots, edges, e, lowest_bit(lane_free & other_free));
    }
  }
  return slot_count;
}
