#include "impulses/colors.h"

#include <string.h>

// what finds no other
#define LAST_COLOR (WEFT__PAIR_COLORS - 1)
#define ALL_COLORS (((uint64_t)1 << LAST_COLOR) - 1)

// looks random, and is another one for every pair (the finish of MurmurHash3, Appleby)
static uint32_t scatter(uint32_t pair) {
  pair = (pair ^ pair >> 16) * 0x85ebca6bu;
  pair = (pair ^ pair >> 13) * 0xc2b2ae35u;
  return pair ^ pair >> 16;
}

// less than all bids of the rounds before
static uint64_t bid_of(uint32_t pair, uint32_t round) {
  return (uint64_t)(UINT32_MAX - 1 - round) << 32 | scatter(pair);
}

// relaxed throughout: workers meet between bids and looking at them
static void bid(_Atomic uint64_t* least, uint64_t value) {
  uint64_t now = atomic_load_explicit(least, memory_order_relaxed);
  while (value < now && !atomic_compare_exchange_weak_explicit(
                            least, &now, value, memory_order_relaxed, memory_order_relaxed)) {
  }
}

// the pairs that one worker colours, and their free bodies
typedef struct coloring {
  weft__impulses* impulses;
  const float* inv_mass;
  uint32_t* waiting;
  uint32_t count;
  uint32_t round;
} coloring;

static uint32_t free_bodies(const coloring* c, uint32_t pair, uint32_t bodies[2]) {
  const weft__body_pair* ends = &c->impulses->list.pairs[pair];
  uint32_t count = 0;
  if (c->inv_mass[c->impulses->particle[ends->a]] > 0.0f) bodies[count++] = ends->a;
  if (c->inv_mass[c->impulses->particle[ends->b]] > 0.0f) bodies[count++] = ends->b;
  return count;
}

static void bid_for_all(coloring* c) {
  uint32_t left = 0;
  for (uint32_t k = 0; k < c->count; ++k) {
    const uint32_t pair = c->waiting[k];
    uint32_t bodies[2];
    const uint32_t count = free_bodies(c, pair, bodies);
    bool is_full = false;
    for (uint32_t i = 0; i < count; ++i) {
      is_full |= c->impulses->color_mask[bodies[i]] == ALL_COLORS;
    }
    if (is_full) {
      c->impulses->color[pair] = LAST_COLOR;
      continue;
    }
    for (uint32_t i = 0; i < count; ++i) {
      bid(&c->impulses->least[bodies[i]], bid_of(pair, c->round));
    }
    c->waiting[left++] = pair;
  }
  c->count = left;
}

static bool has_won(const coloring* c, uint32_t pair, const uint32_t bodies[2], uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t least =
        atomic_load_explicit(&c->impulses->least[bodies[i]], memory_order_relaxed);
    if (least != bid_of(pair, c->round)) return false;
  }
  return true;
}

// what has won has its bodies for itself
static void color_winners(coloring* c) {
  uint64_t* masks = c->impulses->color_mask;
  uint32_t left = 0;
  for (uint32_t k = 0; k < c->count; ++k) {
    const uint32_t pair = c->waiting[k];
    uint32_t bodies[2];
    const uint32_t count = free_bodies(c, pair, bodies);
    if (!has_won(c, pair, bodies, count)) {
      c->waiting[left++] = pair;
      continue;
    }
    uint64_t taken = 0;
    for (uint32_t i = 0; i < count; ++i) taken |= masks[bodies[i]];
    uint32_t color = 0;
    while (taken >> color & 1) ++color;
    c->impulses->color[pair] = (uint8_t)color;
    if (color == LAST_COLOR) continue;
    for (uint32_t i = 0; i < count; ++i) masks[bodies[i]] |= (uint64_t)1 << color;
  }
  c->count = left;
}

// completion: pairs that wait for a colour, of all workers
static uint32_t take_left(void* context) {
  weft__impulses* impulses = context;
  return atomic_exchange_explicit(&impulses->left, 0, memory_order_relaxed);
}

// completion: a counting sort, a few nanoseconds a pair
static uint32_t find_places(void* context) {
  weft__impulses* impulses = context;
  uint32_t* first = impulses->color_first;
  memset(first, 0, sizeof(impulses->color_first));
  for (uint32_t i = 0; i < impulses->pair_count; ++i) ++first[impulses->color[i] + 1];
  impulses->color_count = 0;
  for (uint32_t k = 0; k < WEFT__PAIR_COLORS; ++k) {
    impulses->color_count += first[k + 1] > 0;
    first[k + 1] += first[k];
  }
  uint32_t next[WEFT__PAIR_COLORS];
  memcpy(next, first, sizeof(next));
  for (uint32_t i = 0; i < impulses->pair_count; ++i) {
    impulses->place[i] = next[impulses->color[i]]++;
  }
  return 0;
}

void weft__colors_find(weft__impulses* impulses, const float* inv_mass, const weft__team* team) {
  const weft__range own = weft__team_share(team, impulses->pair_count);
  const weft__range bodies = weft__team_share(team, impulses->body_count);
  coloring c = {impulses, inv_mass, impulses->waiting + own.begin, own.end - own.begin, 0};
  for (uint32_t i = 0; i < c.count; ++i) c.waiting[i] = own.begin + i;
  for (uint32_t i = bodies.begin; i < bodies.end; ++i) {
    impulses->color_mask[i] = 0;
    atomic_store_explicit(&impulses->least[i], UINT64_MAX, memory_order_relaxed);
  }
  weft__team_meet(team);
  do {
    bid_for_all(&c);
    weft__team_meet(team);
    color_winners(&c);
    ++c.round;
    atomic_fetch_add_explicit(&impulses->left, c.count, memory_order_relaxed);
  } while (weft__team_decide(team, take_left, impulses) > 0);
  (void)weft__team_decide(team, find_places, impulses);
}
