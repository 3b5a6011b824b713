#include "collision/ccd/pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "tables/schedule.h"

#define LEAST_RUNS 4u

// more than one pair a run, as a rule, and some runs without pairs a block
static uint32_t runs_for(uint32_t pairs, uint32_t blocks) {
  const uint64_t runs = (uint64_t)pairs / 4 + 1024 + 32 * (uint64_t)blocks;
  return runs < WEFT__NONE ? (uint32_t)runs : WEFT__NONE;
}

static bool grow(weft__ccd_pairs* pairs, uint32_t pair_capacity, uint32_t blocks) {
  const uint32_t run_capacity = runs_for(pair_capacity, blocks);
  weft__ccd_pair* pair = weft__alloc(pair_capacity, sizeof(*pair));
  weft__cluster_pair* run = weft__alloc(run_capacity, sizeof(*run));
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

bool weft__ccd_pairs_reserve(weft__ccd_pairs* pairs, uint32_t pair_room, uint32_t blocks) {
  if (pair_room > pairs->pair_capacity && !grow(pairs, pair_room, blocks)) return false;
  pairs->pair_room = pair_room;
  pairs->run_room = runs_for(pair_room, blocks);
  return true;
}

void weft__ccd_pairs_destroy(weft__ccd_pairs* pairs) {
  free(pairs->pair);
  free(pairs->run);
  memset(pairs, 0, sizeof(*pairs));
}

void weft__ccd_pairs_drop_runs(const weft__ccd_pairs* pairs, weft__cluster_pair_list* chain,
                               uint32_t kept) {
  if (chain->run_count < kept) {
    chain->is_wanting = false;
    kept = 0;
  }
  chain->run_count = kept;
  chain->wanted_pairs = 0;
  for (uint32_t n = 0; n < kept; ++n) {
    chain->wanted_pairs += pairs->run[chain->first_run + n].pair_count;
  }
}

// twice as much, elsewhere: what it leaves is free when all chains are emptied
static bool grow_chain(weft__ccd_pairs* pairs, weft__cluster_pair_list* chain) {
  const uint32_t room = chain->run_room == 0 ? LEAST_RUNS : 2 * chain->run_room;
  // relaxed: the workers meet before anyone reads what stands there
  const uint64_t first = atomic_fetch_add_explicit(&pairs->run_count, room, memory_order_relaxed);
  if (first + room > pairs->run_room) return false;
  weft__cluster_pair* run = &pairs->run[first];
  memset(run, 0, room * sizeof(*run));
  memcpy(run, &pairs->run[chain->first_run], chain->run_room * sizeof(*run));
  chain->first_run = (uint32_t)first;
  chain->run_room = room;
  return true;
}

void weft__ccd_pairs_add_run(weft__ccd_pairs* pairs, weft__cluster_pair_list* chain,
                             const weft__cluster_pair* run) {
  if (chain->run_count == chain->run_room && !grow_chain(pairs, chain)) return;
  weft__cluster_pair* slot = &pairs->run[chain->first_run + chain->run_count++];
  // what stood there before had room for pairs
  const uint32_t first_pair = slot->first_pair;
  const uint16_t pair_room = slot->pair_room;
  *slot = *run;
  slot->first_pair = first_pair;
  slot->pair_room = pair_room;
}

static float least_key(const weft__ccd_pair* pair, uint32_t count) {
  float least = INFINITY;
  for (uint32_t n = 0; n < count; ++n) {
    if (pair[n].key < least) least = pair[n].key;
  }
  return least;
}

void weft__ccd_pairs_fill(weft__ccd_pairs* pairs, weft__cluster_pair_list* chain,
                          weft__cluster_pair* run, const weft__ccd_pair* pair, uint32_t count) {
  if (chain->wanted_pairs <= UINT32_MAX - count) chain->wanted_pairs += count;
  run->pair_count = 0;
  run->key = INFINITY;
  if (count == 0 || chain->is_lost) return;
  if (count > run->pair_room) {
    const uint64_t first =
        atomic_fetch_add_explicit(&pairs->pair_count, count, memory_order_relaxed);
    if (first + count > pairs->pair_room) return;
    run->first_pair = (uint32_t)first;
    run->pair_room = (uint16_t)count;
  }
  memcpy(&pairs->pair[run->first_pair], pair, count * sizeof(*pair));
  run->pair_count = (uint16_t)count;
  run->key = least_key(pair, count);
}
