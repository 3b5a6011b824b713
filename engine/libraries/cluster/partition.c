#include "libraries/cluster/partition.h"

#include <math.h>

#include "base/memory.h"
#include "base/sort.h"

void weft__partition_ranges(const weft__patch_graph* graph, uint32_t rank_count, uint32_t* owner) {
  uint64_t all = 0, so_far = 0;
  for (uint32_t p = 0; p < graph->patch_count; ++p) all += graph->cost[p];
  for (uint32_t p = 0; p < graph->patch_count; ++p) {
    // as weft__partition_patches()
    owner[p] = (uint32_t)(so_far * rank_count / all);
    so_far += graph->cost[p];
  }
}

// Their error is below the rounding of costs.
#define BISECTIONS 60

// If all ranks were alike.
static double mean_load(const weft__cost_shares* of) {
  double cost = 0.0, share = 0.0;
  for (uint32_t p = 0; p < of->patch_count; ++p) cost += (double)of->cost[p];
  for (uint32_t r = 0; r < of->rank_count; ++r) share += (double)of->share[r];
  return cost / share;
}

static double max_load(const weft__cost_shares* of, const uint32_t* first) {
  double most = 0.0;
  for (uint32_t r = 0; r < of->rank_count; ++r) {
    double cost = 0.0;
    for (uint32_t p = first[r]; p < first[r + 1]; ++p) cost += (double)of->cost[p];
    if (cost / (double)of->share[r] > most) most = cost / (double)of->share[r];
  }
  return most;
}

// One rank after the other up to a load; the last takes the rest.
static void fill(const weft__cost_shares* of, double load, uint32_t* first) {
  uint32_t patch = 0;
  for (uint32_t r = 0; r < of->rank_count; ++r) {
    const double room = load * (double)of->share[r];
    double cost = 0.0;
    first[r] = patch;
    while (patch < of->patch_count && cost + (double)of->cost[patch] <= room) {
      cost += (double)of->cost[patch++];
    }
  }
  first[of->rank_count] = of->patch_count;
}

void weft__partition_costs(const weft__cost_shares* of, uint32_t* first) {
  double lower = mean_load(of);
  // with room for all, the first rank takes it
  fill(of, INFINITY, first);
  double upper = max_load(of, first);
  for (int k = 0; k < BISECTIONS && lower < upper; ++k) {
    const double middle = 0.5 * (lower + upper);
    fill(of, middle, first);
    if (max_load(of, first) <= middle) {
      upper = middle;
    } else {
      lower = middle;
    }
  }
  fill(of, upper, first);
}

double weft__partition_imbalance(const weft__cost_shares* of, const uint32_t* first) {
  const double mean = mean_load(of);
  return mean > 0.0 ? max_load(of, first) / mean : 1.0;
}

typedef struct message_list {
  weft__sort_item* items; /* key: patch << 32 | rank << 1 | own; value: particles */
  size_t count, capacity;
} message_list;

// An earlier patch of the share has this owner.
static bool is_repeated(const uint32_t* patches, uint32_t i, const uint32_t* owner) {
  for (uint32_t k = 0; k < i; ++k) {
    if (owner[patches[k]] == owner[patches[i]]) return true;
  }
  return false;
}

static bool send_share(message_list* list, const weft__patch_graph* graph, uint32_t share,
                       const uint32_t* owner) {
  const uint32_t first = graph->share_first[share];
  const uint32_t* patches = graph->share_patches + first;
  const uint32_t count = graph->share_first[share + 1] - first;
  for (uint32_t i = 0; i < count; ++i) {
    if (is_repeated(patches, i, owner)) continue;
    const uint32_t rank = owner[patches[i]];
    for (uint32_t k = 0; k < count; ++k) {
      if (owner[patches[k]] == rank) continue;
      if (!weft__grow((void**)&list->items, &list->capacity, (uint64_t)list->count + 1,
                      sizeof(*list->items))) {
        return false;
      }
      const uint64_t key = (uint64_t)patches[k] << 32 | (uint64_t)rank << 1 | (k == 0 ? 1u : 0u);
      list->items[list->count++] = (weft__sort_item){key, graph->share_particles[share]};
    }
  }
  return true;
}

static bool list_items(message_list* list, const weft__patch_graph* graph, const uint32_t* owner) {
  for (uint32_t share = 0; share < graph->share_count; ++share) {
    if (!send_share(list, graph, share, owner)) return false;
  }
  weft__sort_item* scratch = weft__alloc(list->count, sizeof(*scratch));
  if (scratch == NULL) return false;
  weft__sort(list->items, scratch, list->count);
  weft__free(scratch);
  return true;
}

bool weft__partition_messages(const weft__patch_graph* graph, const uint32_t* owner,
                              weft__patch_message** messages, size_t* count) {
  message_list list = {0};
  *count = 0;
  const bool listed = list_items(&list, graph, owner);
  *messages = listed ? weft__alloc(list.count, sizeof(**messages)) : NULL;
  for (size_t i = 0; *messages != NULL && i < list.count; ++i) {
    const uint64_t key = list.items[i].key;
    if (i == 0 || key >> 1 != list.items[i - 1].key >> 1) {
      const weft__patch_message message = {.patch = (uint32_t)(key >> 32),
                                           .rank = (uint32_t)key >> 1};
      (*messages)[(*count)++] = message;
    }
    weft__patch_message* last = &(*messages)[*count - 1];
    last->particles += list.items[i].value;
    if ((key & 1) != 0) last->own_particles += list.items[i].value;
  }
  weft__free(list.items);
  return *messages != NULL;
}
