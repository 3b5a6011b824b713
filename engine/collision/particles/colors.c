#include "collision/particles/colors.h"

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
  weft__particle_contacts* particle_contacts;
  const float* inv_mass;
  uint32_t* event_ring;
  uint32_t count;
  uint32_t round;
} coloring;

static uint32_t free_bodies(const coloring* c, uint32_t pair, uint32_t bodies[2]) {
  const weft__body_pair* ends = &c->particle_contacts->list.pairs[pair];
  uint32_t count = 0;
  if (c->inv_mass[c->particle_contacts->particle[ends->a]] > 0.0f) bodies[count++] = ends->a;
  if (c->inv_mass[c->particle_contacts->particle[ends->b]] > 0.0f) bodies[count++] = ends->b;
  return count;
}

static void bid_for_all(coloring* c) {
  uint32_t left = 0;
  for (uint32_t k = 0; k < c->count; ++k) {
    const uint32_t pair = c->event_ring[k];
    uint32_t bodies[2];
    const uint32_t count = free_bodies(c, pair, bodies);
    bool is_full = false;
    for (uint32_t i = 0; i < count; ++i) {
      is_full |= c->particle_contacts->color_mask[bodies[i]] == ALL_COLORS;
    }
    if (is_full) {
      c->particle_contacts->color[pair] = LAST_COLOR;
      continue;
    }
    for (uint32_t i = 0; i < count; ++i) {
      bid(&c->particle_contacts->least[bodies[i]], bid_of(pair, c->round));
    }
    c->event_ring[left++] = pair;
  }
  c->count = left;
}

static bool has_won(const coloring* c, uint32_t pair, const uint32_t bodies[2], uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t least =
        atomic_load_explicit(&c->particle_contacts->least[bodies[i]], memory_order_relaxed);
    if (least != bid_of(pair, c->round)) return false;
  }
  return true;
}

// what has won has its bodies for itself
static void color_winners(coloring* c) {
  uint64_t* masks = c->particle_contacts->color_mask;
  uint32_t left = 0;
  for (uint32_t k = 0; k < c->count; ++k) {
    const uint32_t pair = c->event_ring[k];
    uint32_t bodies[2];
    const uint32_t count = free_bodies(c, pair, bodies);
    if (!has_won(c, pair, bodies, count)) {
      c->event_ring[left++] = pair;
      continue;
    }
    uint64_t taken = 0;
    for (uint32_t i = 0; i < count; ++i) taken |= masks[bodies[i]];
    uint32_t color = 0;
    while (taken >> color & 1) ++color;
    c->particle_contacts->color[pair] = (uint8_t)color;
    if (color == LAST_COLOR) continue;
    for (uint32_t i = 0; i < count; ++i) masks[bodies[i]] |= (uint64_t)1 << color;
  }
  c->count = left;
}

// completion: pairs that wait for a colour, of all workers
static uint32_t take_left(void* context) {
  weft__particle_contacts* particle_contacts = context;
  return atomic_exchange_explicit(&particle_contacts->left, 0, memory_order_relaxed);
}

// completion: a counting sort, a few nanoseconds a pair
static uint32_t find_places(void* context) {
  weft__particle_contacts* particle_contacts = context;
  uint32_t* first = particle_contacts->color_first;
  memset(first, 0, sizeof(particle_contacts->color_first));
  for (uint32_t i = 0; i < particle_contacts->pair_count; ++i)
    ++first[particle_contacts->color[i] + 1];
  particle_contacts->color_count = 0;
  for (uint32_t k = 0; k < WEFT__PAIR_COLORS; ++k) {
    particle_contacts->color_count += first[k + 1] > 0;
    first[k + 1] += first[k];
  }
  uint32_t next[WEFT__PAIR_COLORS];
  memcpy(next, first, sizeof(next));
  for (uint32_t i = 0; i < particle_contacts->pair_count; ++i) {
    particle_contacts->place[i] = next[particle_contacts->color[i]]++;
  }
  return 0;
}

void weft__colors_find(weft__particle_contacts* particle_contacts, const float* inv_mass,
                       const weft__team* team) {
  const weft__range own = weft__team_share(team, particle_contacts->pair_count);
  const weft__range bodies = weft__team_share(team, particle_contacts->body_count);
  coloring c = {particle_contacts, inv_mass, particle_contacts->event_ring + own.begin,
                own.end - own.begin, 0};
  for (uint32_t i = 0; i < c.count; ++i) c.event_ring[i] = own.begin + i;
  for (uint32_t i = bodies.begin; i < bodies.end; ++i) {
    particle_contacts->color_mask[i] = 0;
    atomic_store_explicit(&particle_contacts->least[i], UINT64_MAX, memory_order_relaxed);
  }
  weft__team_meet(team);
  do {
    bid_for_all(&c);
    weft__team_meet(team);
    color_winners(&c);
    ++c.round;
    atomic_fetch_add_explicit(&particle_contacts->left, c.count, memory_order_relaxed);
  } while (weft__team_decide(team, take_left, particle_contacts) > 0);
  (void)weft__team_decide(team, find_places, particle_contacts);
}
