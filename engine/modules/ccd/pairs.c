#include "modules/ccd/pairs.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "tables/schedule.h"

#define MIN_LIST_CAPACITY 4u

// Capacity by experience: four feature pairs a cluster pair, and some culled ones a cluster.
static uint32_t cluster_pairs_for(uint32_t pairs, uint32_t clusters) {
  const uint64_t cluster_pairs = (uint64_t)pairs / 4 + 1024 + 32 * (uint64_t)clusters;
  return cluster_pairs < WEFT__NONE ? (uint32_t)cluster_pairs : WEFT__NONE;
}

static bool reallocate(weft__ccd_pairs* pairs, uint32_t pair_capacity, uint32_t clusters) {
  const uint32_t cluster_pair_capacity = cluster_pairs_for(pair_capacity, clusters);
  weft__ccd_pair* pair = weft__alloc(pair_capacity, sizeof(*pair));
  weft__cluster_pair* cluster_pair = weft__alloc(cluster_pair_capacity, sizeof(*cluster_pair));
  uint32_t* other = weft__alloc(cluster_pair_capacity, sizeof(*other));
  if (pair == NULL || cluster_pair == NULL || other == NULL) {
    weft__free(pair);
    weft__free(cluster_pair);
    weft__free(other);
    return false;
  }
  // contents are searched again
  weft__free(pairs->pair);
  weft__free(pairs->cluster_pair);
  weft__free(pairs->other);
  pairs->pair = pair;
  pairs->cluster_pair = cluster_pair;
  pairs->other = other;
  pairs->pair_capacity = pair_capacity;
  pairs->cluster_pair_capacity = cluster_pair_capacity;
  pairs->bytes = pair_capacity * sizeof(*pair) +
                 cluster_pair_capacity * (sizeof(*cluster_pair) + sizeof(*other));
  return true;
}

bool weft__ccd_pairs_reserve(weft__ccd_pairs* pairs, uint32_t pair_limit, uint32_t clusters) {
  if (pair_limit > pairs->pair_capacity && !reallocate(pairs, pair_limit, clusters)) return false;
  pairs->pair_limit = pair_limit;
  pairs->cluster_pair_limit = cluster_pairs_for(pair_limit, clusters);
  return true;
}

void weft__ccd_pairs_destroy(weft__ccd_pairs* pairs) {
  weft__free(pairs->pair);
  weft__free(pairs->cluster_pair);
  weft__free(pairs->other);
  memset(pairs, 0, sizeof(*pairs));
}

void weft__ccd_pairs_truncate(const weft__ccd_pairs* pairs, weft__cluster_pair_list* list,
                              uint32_t kept) {
  if (list->count < kept) {
    list->needs_pairs = false;
    kept = 0;
  }
  list->count = kept;
  list->pair_demand = 0;
  // as a rule all pairs are certified and have no feature pairs: their memory is not read
  if (!list->has_uncertified) return;
  for (uint32_t n = 0; n < kept; ++n) {
    list->pair_demand += pairs->cluster_pair[list->first + n].pair_count;
  }
}

void weft__ccd_pairs_empty(weft__cluster_pair_list* list) {
  *list = (weft__cluster_pair_list){.is_dropped = list->is_dropped,
                                    .test_count = list->test_count,
                                    .max_tests = list->max_tests,
                                    .budget_halvings = list->budget_halvings,
                                    .is_draining = list->is_draining};
}

// Doubles the capacity at a new address; the old memory is free after the next full search.
static bool grow_list(weft__ccd_pairs* pairs, weft__cluster_pair_list* list) {
  const uint32_t capacity = list->capacity == 0 ? MIN_LIST_CAPACITY : 2 * list->capacity;
  // relaxed: read after the loop
  const uint64_t first =
      atomic_fetch_add_explicit(&pairs->cluster_pair_count, capacity, memory_order_relaxed);
  if (first + capacity > pairs->cluster_pair_limit) return false;
  weft__cluster_pair* cluster_pair = &pairs->cluster_pair[first];
  memset(cluster_pair, 0, capacity * sizeof(*cluster_pair));
  memcpy(cluster_pair, &pairs->cluster_pair[list->first], list->capacity * sizeof(*cluster_pair));
  memset(&pairs->other[first], 0, capacity * sizeof(*pairs->other));
  memcpy(&pairs->other[first], &pairs->other[list->first], list->capacity * sizeof(*pairs->other));
  list->first = (uint32_t)first;
  list->capacity = capacity;
  return true;
}

void weft__ccd_pairs_append(weft__ccd_pairs* pairs, weft__cluster_pair_list* list,
                            const weft__cluster_pair* cluster_pair) {
  if (list->count == list->capacity && !grow_list(pairs, list)) return;
  pairs->other[list->first + list->count] = cluster_pair->other;
  weft__cluster_pair* slot = &pairs->cluster_pair[list->first + list->count++];
  // the slot keeps its memory for feature pairs
  const uint32_t first_pair = slot->first_pair;
  const uint16_t pair_capacity = slot->pair_capacity;
  *slot = *cluster_pair;
  slot->first_pair = first_pair;
  slot->pair_capacity = pair_capacity;
}

void weft__ccd_pairs_remove(const weft__ccd_pairs* pairs, weft__cluster_pair_list* list,
                            weft__cluster_pair* cluster_pair) {
  const uint32_t end = list->first + --list->count;
  const weft__cluster_pair last = pairs->cluster_pair[end];
  pairs->other[cluster_pair - pairs->cluster_pair] = last.other;
  pairs->cluster_pair[end] = *cluster_pair;
  *cluster_pair = last;
}

static float min_valid_until(const weft__ccd_pair* pair, uint32_t count) {
  float lowest = INFINITY;
  for (uint32_t n = 0; n < count; ++n) {
    if (pair[n].valid_until < lowest) lowest = pair[n].valid_until;
  }
  return lowest;
}

void weft__ccd_pairs_fill(weft__ccd_pairs* pairs, weft__cluster_pair_list* list,
                          weft__cluster_pair* cluster_pair, const weft__ccd_pair* pair,
                          uint32_t count) {
  if (list->pair_demand <= UINT32_MAX - count) list->pair_demand += count;
  cluster_pair->pair_count = 0;
  cluster_pair->valid_until = INFINITY;
  if (count == 0 || list->is_dropped) return;
  if (count > cluster_pair->pair_capacity) {
    const uint64_t first =
        atomic_fetch_add_explicit(&pairs->pair_count, count, memory_order_relaxed);
    if (first + count > pairs->pair_limit) return;
    cluster_pair->first_pair = (uint32_t)first;
    cluster_pair->pair_capacity = (uint16_t)count;
  }
  memcpy(&pairs->pair[cluster_pair->first_pair], pair, count * sizeof(*pair));
  cluster_pair->pair_count = (uint16_t)count;
  cluster_pair->valid_until = min_valid_until(pair, count);
}
