#include "collision/particles/colors.h"

#include <string.h>

#include "base/grain_size.h"

// Colour of pairs that find no other.
#define LAST_COLOR (WEFT__PAIR_COLORS - 1)
#define NO_COLOR UINT8_MAX
// Rounds go on while each colours one in so many of the pairs that are left.
#define MIN_PROGRESS 8u
// Pairs in a piece of work: some microseconds.
#define PAIR_GRAIN WEFT__GRAIN(128u, 2u)
#define ALL_COLORS (((uint64_t)1 << LAST_COLOR) - 1)

// Pseudo-random and distinct for each pair (finaliser of MurmurHash3, Appleby).
static uint32_t hash_pair(uint32_t pair) {
  pair = (pair ^ pair >> 16) * 0x85ebca6bu;
  pair = (pair ^ pair >> 13) * 0xc2b2ae35u;
  return pair ^ pair >> 16;
}

// Bids fall from round to round, so stale bids of earlier rounds never win.
static uint64_t bid_of(uint32_t pair, uint32_t round) {
  return (uint64_t)(UINT32_MAX - 1 - round) << 32 | hash_pair(pair);
}

// relaxed throughout: bids and reads are in different loops
static void bid(_Atomic uint64_t* best, uint64_t value) {
  uint64_t current = atomic_load_explicit(best, memory_order_relaxed);
  while (value < current &&
         !atomic_compare_exchange_weak_explicit(best, &current, value, memory_order_relaxed,
                                                memory_order_relaxed)) {
  }
}

typedef struct coloring {
  weft__particle_contacts* state;
  const float* inv_mass;
  uint32_t round;
} coloring;

static uint32_t free_bodies(const coloring* c, uint32_t pair, uint32_t bodies[2]) {
  const weft__particle_pair* ends = &c->state->list.pairs[pair];
  uint32_t count = 0;
  if (c->inv_mass[c->state->particle[ends->a]] > 0.0f) bodies[count++] = ends->a;
  if (c->inv_mass[c->state->particle[ends->b]] > 0.0f) bodies[count++] = ends->b;
  return count;
}

static void bid_for_pairs(void* context, weft__range range, uint32_t worker) {
  (void)worker;
  const coloring* c = context;
  for (uint32_t k = range.begin; k < range.end; ++k) {
    const uint32_t pair = c->state->uncolored[k];
    uint32_t bodies[2];
    const uint32_t count = free_bodies(c, pair, bodies);
    bool is_full = false;
    for (uint32_t i = 0; i < count; ++i) {
      is_full |= c->state->color_mask[bodies[i]] == ALL_COLORS;
    }
    if (is_full) c->state->color[pair] = LAST_COLOR;
    for (uint32_t i = 0; i < count && !is_full; ++i) {
      bid(&c->state->best_bid[bodies[i]], bid_of(pair, c->round));
    }
  }
}

static bool has_won(const coloring* c, uint32_t pair, const uint32_t bodies[2], uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t winner =
        atomic_load_explicit(&c->state->best_bid[bodies[i]], memory_order_relaxed);
    if (winner != bid_of(pair, c->round)) return false;
  }
  return true;
}

// Gives a pair the lowest colour that its free bodies do not have.
static void take_color(weft__particle_contacts* state, uint32_t pair, const uint32_t* bodies,
                       uint32_t count) {
  uint64_t taken = 0;
  for (uint32_t i = 0; i < count; ++i) taken |= state->color_mask[bodies[i]];
  uint32_t color = 0;
  while (taken >> color & 1) ++color;
  state->color[pair] = (uint8_t)color;
  if (color == LAST_COLOR) return;
  for (uint32_t i = 0; i < count; ++i) state->color_mask[bodies[i]] |= (uint64_t)1 << color;
}

// A winner is the only pair of this round at its free bodies.
static void color_winners(void* context, weft__range range, uint32_t worker) {
  (void)worker;
  const coloring* c = context;
  for (uint32_t k = range.begin; k < range.end; ++k) {
    const uint32_t pair = c->state->uncolored[k];
    uint32_t bodies[2];
    const uint32_t count = free_bodies(c, pair, bodies);
    if (c->state->color[pair] != NO_COLOR || !has_won(c, pair, bodies, count)) continue;
    take_color(c->state, pair, bodies, count);
  }
}

// Keeps the pairs without a colour; returns their number.
static uint32_t keep_uncolored(weft__particle_contacts* state, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t pair = state->uncolored[k];
    if (state->color[pair] == NO_COLOR) state->uncolored[kept++] = pair;
  }
  return kept;
}

// Colours the pairs that are left one by one, in the order of their bids: the same colours as by
// rounds, in which a body with many pairs takes a round for each. The memory of the contacts, which
// are written later, serves for the sort.
static void color_in_order(const coloring* c, uint32_t count) {
  weft__particle_contacts* state = c->state;
  weft__sort_item* order = (weft__sort_item*)(void*)state->contacts;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t pair = state->uncolored[k];
    order[k] = (weft__sort_item){hash_pair(pair), pair};
  }
  weft__sort(order, order + count, count);
  for (uint32_t k = 0; k < count; ++k) {
    uint32_t bodies[2];
    const uint32_t body_count = free_bodies(c, order[k].value, bodies);
    take_color(state, order[k].value, bodies, body_count);
  }
}

// Counting sort of pairs by colour, a few nanoseconds a pair.
static void order_by_color(weft__particle_contacts* state) {
  uint32_t* first = state->color_first;
  memset(first, 0, sizeof(state->color_first));
  for (uint32_t i = 0; i < state->pair_count; ++i) ++first[state->color[i] + 1];
  state->color_count = 0;
  for (uint32_t k = 0; k < WEFT__PAIR_COLORS; ++k) {
    state->color_count += first[k + 1] > 0;
    first[k + 1] += first[k];
  }
  uint32_t next[WEFT__PAIR_COLORS];
  memcpy(next, first, sizeof(next));
  for (uint32_t i = 0; i < state->pair_count; ++i) {
    state->contact_of_pair[i] = next[state->color[i]]++;
  }
}

void weft__colors_assign(weft__particle_contacts* state, const weft__step_context* step) {
  for (uint32_t i = 0; i < state->body_count; ++i) {
    state->color_mask[i] = 0;
    atomic_store_explicit(&state->best_bid[i], UINT64_MAX, memory_order_relaxed);
  }
  for (uint32_t i = 0; i < state->pair_count; ++i) state->uncolored[i] = i;
  memset(state->color, NO_COLOR, state->pair_count);
  coloring c = {state, step->particles->inv_mass, 0};
  for (uint32_t count = state->pair_count; count > 0; ++c.round) {
    weft__step_for(step, count, PAIR_GRAIN, bid_for_pairs, &c);
    weft__step_for(step, count, PAIR_GRAIN, color_winners, &c);
    const uint32_t left = keep_uncolored(state, count);
    if (count - left < count / MIN_PROGRESS) {
      color_in_order(&c, left);
      break;
    }
    count = left;
  }
  order_by_color(state);
}
