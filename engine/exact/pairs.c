#include "exact/pairs.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tables/schedule.h"

// more than one pair a run, as a rule
static uint32_t runs_for(uint32_t pairs) {
  return pairs / 4 + 1024;
}

static bool grow(weft__exact_pairs* pairs, uint32_t pair_capacity) {
  const uint32_t run_capacity = runs_for(pair_capacity);
  weft__exact_pair* pair = weft__alloc(pair_capacity, sizeof(*pair));
  weft__exact_run* run = weft__alloc(run_capacity, sizeof(*run));
  if (pair == NULL || run == NULL) {
    free(pair);
    free(run);
    return false;
  }
  // what was found before is found again
  free(pairs->pair);
  free(pairs->run);
  pairs->pair = pair;
  pairs->run = run;
  pairs->pair_capacity = pair_capacity;
  pairs->run_capacity = run_capacity;
  pairs->bytes = pair_capacity * sizeof(*pair) + run_capacity * sizeof(*run);
  return true;
}

bool weft__exact_pairs_reserve(weft__exact_pairs* pairs, uint32_t pair_room) {
  if (pair_room > pairs->pair_capacity && !grow(pairs, pair_room)) return false;
  pairs->pair_room = pair_room;
  pairs->run_room = runs_for(pair_room);
  return true;
}

void weft__exact_pairs_destroy(weft__exact_pairs* pairs) {
  free(pairs->pair);
  free(pairs->run);
  memset(pairs, 0, sizeof(*pairs));
}

static float least_key(const weft__exact_pair* pair, uint32_t count) {
  float least = pair[0].key;
  for (uint32_t n = 1; n < count; ++n) {
    if (pair[n].key < least) least = pair[n].key;
  }
  return least;
}

void weft__exact_pairs_add(weft__exact_pairs* pairs, weft__exact_chain* chain, uint32_t other,
                           const weft__exact_pair* pair, uint32_t count, uint32_t made) {
  if (count == 0) return;
  chain->pair_count += count;
  ++chain->run_count;
  if (chain->is_lost) return;
  // relaxed: the workers meet before anyone reads what stands there
  const uint64_t first = atomic_fetch_add_explicit(&pairs->pair_count, count, memory_order_relaxed);
  const uint64_t run = atomic_fetch_add_explicit(&pairs->run_count, 1, memory_order_relaxed);
  if (first + count > pairs->pair_room || run >= pairs->run_room) return;
  memcpy(&pairs->pair[first], pair, count * sizeof(*pair));
  pairs->run[run] = (weft__exact_run){.other = other,
                                      .first_pair = (uint32_t)first,
                                      .pair_count = count,
                                      .next = WEFT__NONE,
                                      .made = made,
                                      .key = least_key(pair, count)};
  if (chain->first_run == WEFT__NONE) {
    chain->first_run = (uint32_t)run;
  } else {
    pairs->run[chain->last_run].next = (uint32_t)run;
  }
  chain->last_run = (uint32_t)run;
}
