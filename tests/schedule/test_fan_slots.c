#include "schedule/fan_slots.h"

#include "support/test.h"

// bipartite graph with the degrees of its vertices
typedef struct slot_trial {
  weft__slots slots;
  weft__edge edges[WEFT__MAX_EDGES];
  uint32_t edge_count;
  uint32_t other_count;
  uint32_t lane_degree[WEFT__FAN_LANES];
  uint32_t other_degree[WEFT__MAX_EDGES];
} slot_trial;

// lane with up to 64 distinct other ends; ends are numbered in order of first use
static void draw_lane(slot_trial* t, random_source* random, uint32_t lane, uint32_t degree,
                      uint32_t range, uint32_t* number_of) {
  bool* mine = test_alloc(range * sizeof(bool));
  for (uint32_t e = 0; e < degree; ++e) {
    const uint32_t end = random_below(random, range);
    if (mine[end]) continue;
    mine[end] = true;
    if (number_of[end] == 0) number_of[end] = ++t->other_count;
    const uint32_t other = number_of[end] - 1;
    t->edges[t->edge_count++] = (weft__edge){.lane = (uint16_t)lane, .other = (uint16_t)other};
    ++t->lane_degree[lane];
    ++t->other_degree[other];
  }
}

// a narrow range gives few other ends of high degree, the hardest case
static void draw_graph(slot_trial* t, random_source* random) {
  t->edge_count = t->other_count = 0;
  memset(t->lane_degree, 0, sizeof(t->lane_degree));
  memset(t->other_degree, 0, sizeof(t->other_degree));
  const uint32_t range = random_from(random, 1, random_chance(random, 2) ? 70 : 2000);
  const uint32_t upper = random_from(random, 1, WEFT__MAX_SLOTS);
  uint32_t* number_of = test_alloc(range * sizeof(uint32_t));
  const uint32_t lanes = random_from(random, 1, WEFT__FAN_LANES);
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const uint32_t degree = random_chance(random, 3) ? upper : random_from(random, 0, upper);
    draw_lane(t, random, lane, degree, range, number_of);
  }
}

static uint32_t largest(const uint32_t* values, uint32_t count) {
  uint32_t upper = 0;
  for (uint32_t i = 0; i < count; ++i) upper = values[i] > upper ? values[i] : upper;
  return upper;
}

RANDOM_TEST(edges_that_meet_get_different_slots_and_no_more_than_the_busiest_end_has_edges,
            ROUNDS(300, 60)) {
  slot_trial* t = test_alloc(1 * sizeof(*t));
  // the slots are reused: results must not depend on the previous graph
  for (int round = 0; round < 10; ++round) {
    draw_graph(t, &random);
    const uint32_t slot_count =
        weft__assign_slots(&t->slots, t->edges, t->edge_count, t->other_count);
    const uint32_t at_lanes = largest(t->lane_degree, WEFT__FAN_LANES);
    const uint32_t at_others = largest(t->other_degree, t->other_count);
    ck_assert_uint_eq(slot_count, at_lanes > at_others ? at_lanes : at_others);
    uint64_t lane_slots[WEFT__FAN_LANES] = {0};
    uint64_t* other_slots = test_alloc((t->other_count + 1) * sizeof(uint64_t));
    for (uint32_t e = 0; e < t->edge_count; ++e) {
      const weft__edge edge = t->edges[e];
      require(edge.slot < slot_count);
      require((lane_slots[edge.lane] >> edge.slot & 1) == 0);
      require((other_slots[edge.other] >> edge.slot & 1) == 0);
      lane_slots[edge.lane] |= UINT64_C(1) << edge.slot;
      other_slots[edge.other] |= UINT64_C(1) << edge.slot;
    }
  }
}

RANDOM_TEST(the_room_says_which_edge_each_lane_has_in_each_slot, ROUNDS(300, 60)) {
  slot_trial* t = test_alloc(1 * sizeof(*t));
  draw_graph(t, &random);
  (void)weft__assign_slots(&t->slots, t->edges, t->edge_count, t->other_count);
  uint32_t taken = 0;
  for (uint32_t lane = 0; lane < WEFT__FAN_LANES; ++lane) {
    for (uint32_t slot = 0; slot < WEFT__MAX_SLOTS; ++slot) {
      taken += (t->slots.lane_used[lane] >> slot & 1) != 0;
    }
  }
  ck_assert_uint_eq(taken, t->edge_count);
  for (uint32_t e = 0; e < t->edge_count; ++e) {
    require(t->slots.lane_edge[t->edges[e].lane][t->edges[e].slot] == e);
  }
}
