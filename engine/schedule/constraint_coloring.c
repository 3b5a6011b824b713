#include "schedule/constraint_coloring.h"

#include <string.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/sort.h"
#include "schedule/emit.h"
#include "schedule/fan.h"
#include "schedule/first_fit_coloring.h"
#include "schedule/pieces.h"

// windows with fewer links cost more than indexed groups and records
#define MIN_LINKS 5u
// patches with more than one leftover link in this many become fans
#define MAX_LEFT_OVER 4u

// Bits of a bucket above the distance: see link_bucket().
#define STRUCTURAL (1u << 31)
#define SECOND_DIAGONAL (1u << 30)

typedef struct grouper {
  const weft__constraints* constraints;
  weft__emitter emitter;
  uint32_t* patch_first; /* into patch_items [patch_count + 2] */
  uint32_t* patch_items; /* constraints [count] */
  weft__first_fit fit;
  weft__sort_item* items; /* constraints of one patch; key: bucket << 32 | lowest particle */
  weft__sort_item* scratch;
  weft__sort_item* leftovers; /* key: home */
  uint8_t* parity;            /* batch within a chain [constraints of a patch] */
  uint32_t leftover_count;
  weft__fans* fans; /* link groups */
  weft__pieces* pieces;
} grouper;

static uint32_t bucket_of(weft__sort_item item) {
  return (uint32_t)(item.key >> 32);
}
static uint32_t distance_of(weft__sort_item item) {
  return bucket_of(item) & ~(STRUCTURAL | SECOND_DIAGONAL);
}
static uint32_t low_of(weft__sort_item item) {
  return (uint32_t)item.key;
}

static bool is_elsewhere(const weft__constraints* c, uint32_t i) {
  return c->is_elsewhere != NULL && c->is_elsewhere[i];
}

static bool assign_to_patches(grouper* g) {
  const weft__constraints* c = g->constraints;
  const weft__order* order = c->order;
  uint32_t* patch_of = weft__alloc(order->particle_count, sizeof(*patch_of));
  if (patch_of == NULL) return false;
  weft__fill_patch_of(order->patch_first, order->patch_count, patch_of);
  uint32_t* first = g->patch_first;
  for (uint32_t i = 0; i < c->count; ++i) {
    if (!is_elsewhere(c, i)) ++first[patch_of[weft__constraint_home(c, i)] + 2];
  }
  (void)weft__sum_buckets(first, order->patch_count);
  for (uint32_t i = 0; i < c->count; ++i) {
    if (is_elsewhere(c, i)) continue;
    g->patch_items[first[patch_of[weft__constraint_home(c, i)] + 1]++] = i;
  }
  weft__free(patch_of);
  return true;
}

static uint32_t distance_between(uint32_t a, uint32_t b) {
  return a < b ? b - a : a - b;
}

static void add_leftover(grouper* g, weft__sort_item item) {
  const bool of_links = g->constraints->links != NULL;
  const uint32_t home = of_links ? low_of(item) : weft__constraint_home(g->constraints, item.value);
  g->leftovers[g->leftover_count++] = (weft__sort_item){home, item.value};
}

// Links of one distance share a particle only as neighbours in a chain, a to a + d to a + 2d. Items
// ascend by first end.
static void split_chains(const weft__sort_item* bucket, uint32_t count, uint8_t* parity) {
  const uint32_t distance = distance_of(*bucket);
  uint32_t before = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t a = low_of(bucket[i]);
    while (low_of(bucket[before]) + distance < a) ++before;
    const bool chained = before < i && low_of(bucket[before]) + distance == a;
    parity[i] = chained ? !parity[before] : 0;
  }
}

// Links from item `i` on with its parity, whose lower end is in the window at `low`; returns their
// count.
static uint32_t fill_window(const weft__sort_item* bucket, uint32_t count, const uint8_t* parity,
                            uint32_t i, uint32_t low, weft__lanes* group) {
  *group = (weft__lanes){
      .kind = WEFT__RUN_CONTIGUOUS,
      .first = {low, low + distance_of(*bucket)},
      .lane_count = WEFT__LANES,
  };
  memset(group->item, 0xff, sizeof(group->item));
  uint32_t lanes = 0;
  for (uint32_t j = i; j < count && low_of(bucket[j]) - low < WEFT__LANES; ++j) {
    if (parity[j] != parity[i]) continue;
    group->item[low_of(bucket[j]) - low] = bucket[j].value;
    ++lanes;
  }
  return lanes;
}

// One batch: links of one distance and parity. Sparse windows become leftovers.
static bool group_windows(grouper* g, const weft__sort_item* bucket, uint32_t count,
                          uint8_t wanted) {
  bool started = false;
  uint32_t covered = 0;  // by the last window
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t low = low_of(bucket[i]);
    if (g->parity[i] != wanted || low < covered) continue;
    // across a short gap the run continues with empty lanes
    const uint32_t begin = started && low - covered < WEFT__LANES / 2 ? covered : low;
    weft__lanes group;
    if (fill_window(bucket, count, g->parity, i, begin, &group) < MIN_LINKS) {
      add_leftover(g, bucket[i]);
      continue;
    }
    if (!started && !weft__emit_batch_begin(&g->emitter)) return false;
    started = true;
    if (!weft__emit_lanes(&g->emitter, &group)) return false;
    covered = begin + WEFT__LANES;
  }
  return true;
}

static bool group_color(grouper* g, const weft__sort_item* items, uint32_t count) {
  if (g->pieces == NULL && !weft__emit_batch_begin(&g->emitter)) return false;
  for (uint32_t begin = 0; begin < count; begin += WEFT__LANES) {
    weft__lanes group = {.kind = WEFT__RUN_INDEXED, .lane_count = WEFT__LANES};
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      group.item[lane] = begin + lane < count ? items[begin + lane].value : WEFT__EMPTY_LANE;
    }
    const bool emitted = g->pieces == NULL ? weft__emit_lanes(&g->emitter, &group)
                                           : weft__pieces_add(g->pieces, &g->emitter, group.item);
    if (!emitted) return false;
  }
  return true;
}

// In order; items become colour and constraint.
static void color_items(grouper* g, uint32_t count) {
  uint32_t particles[4];
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t item = g->leftovers[i].value;
    const uint32_t arity = weft__constraint_particles(g->constraints, item, particles);
    g->items[i] = (weft__sort_item){weft__first_fit_color(&g->fit, particles, arity), item};
  }
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t arity = weft__constraint_particles(g->constraints, g->items[i].value, particles);
    weft__first_fit_clear_particles(&g->fit, particles, arity);
  }
}

static bool group_leftovers(grouper* g) {
  // memory order, whatever the bucket
  const uint32_t count = g->leftover_count;
  weft__sort(g->leftovers, g->scratch, count);
  color_items(g, count);
  weft__sort(g->items, g->scratch, count);
  for (uint32_t begin = 0, end = 0; begin < count; begin = end) {
    for (end = begin + 1; end < count && g->items[end].key == g->items[begin].key;) ++end;
    if (!group_color(g, g->items + begin, end - begin)) return false;
  }
  return true;
}

// A bucket for each distance; structural links last, as a sweep solves its last links best. The
// diagonals of a lattice, which may have one distance, differ in bit 1 of the difference of the
// caller's numbers: columns + 1 and columns - 1.
static uint32_t link_bucket(const weft__constraints* c, uint32_t link, uint32_t distance) {
  const uint32_t kind = c->links->kind[link] == WEFT_LINK_STRUCTURAL ? STRUCTURAL : 0;
  const uint32_t step = distance_between(c->links->end_a[link], c->links->end_b[link]);
  return kind | ((step & 2) != 0 ? SECOND_DIAGONAL : 0) | distance;
}

static uint64_t link_key(const weft__constraints* c, uint32_t link) {
  const uint32_t a = c->order->solver_of[c->links->end_a[link]];
  const uint32_t b = c->order->solver_of[c->links->end_b[link]];
  return (uint64_t)link_bucket(c, link, distance_between(a, b)) << 32 | (a < b ? a : b);
}

static uint32_t load_items(grouper* g, uint32_t patch) {
  const weft__constraints* c = g->constraints;
  const bool of_links = c->links != NULL;
  const uint32_t begin = g->patch_first[patch];
  const uint32_t count = g->patch_first[patch + 1] - begin;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t item = g->patch_items[begin + i];
    const uint64_t key = of_links ? link_key(c, item) : weft__constraint_low(c, item);
    g->items[i] = (weft__sort_item){key, item};
  }
  weft__sort(g->items, g->scratch, count);
  return count;
}

// Links of overlapping windows would overwrite each other's results.
static bool group_bucket(grouper* g, const weft__sort_item* bucket, uint32_t count) {
  if (distance_of(*bucket) < WEFT__LANES || count < MIN_LINKS) {
    for (uint32_t i = 0; i < count; ++i) add_leftover(g, bucket[i]);
    return true;
  }
  split_chains(bucket, count, g->parity);
  return group_windows(g, bucket, count, 0) && group_windows(g, bucket, count, 1);
}

static bool group_buckets(grouper* g, uint32_t count) {
  g->leftover_count = 0;
  for (uint32_t begin = 0, end = 0; begin < count; begin = end) {
    end = begin + 1;
    while (end < count && bucket_of(g->items[end]) == bucket_of(g->items[begin])) ++end;
    if (!group_bucket(g, g->items + begin, end - begin)) return false;
  }
  return true;
}

static bool group_patch(grouper* g, uint32_t patch) {
  weft__emit_patch(&g->emitter, patch);
  const weft__emitter mark = g->emitter;
  const uint32_t count = load_items(g, patch);
  if (g->pieces != NULL) {
    g->leftover_count = 0;
    for (uint32_t i = 0; i < count; ++i) add_leftover(g, g->items[i]);
    return group_leftovers(g) && weft__pieces_close(g->pieces, &g->emitter);
  }
  if (!group_buckets(g, count)) return false;
  if (g->leftover_count > count / MAX_LEFT_OVER) {
    weft__emit_rewind(&g->emitter, &mark);
    const uint32_t* numbers = g->patch_items + g->patch_first[patch];
    const weft__fans_result result = weft__fans_emit(g->fans, &g->emitter, patch, numbers, count);
    if (result != WEFT__FANS_TOO_LARGE) return result == WEFT__FANS_MADE;
    if (!group_buckets(g, count)) return false;
  }
  return group_leftovers(g);
}

static uint32_t max_count_per_patch(const grouper* g) {
  uint32_t max_count = 0;
  for (uint32_t p = 0; p < g->constraints->order->patch_count; ++p) {
    const uint32_t count = g->patch_first[p + 1] - g->patch_first[p];
    if (count > max_count) max_count = count;
  }
  return max_count;
}

static void lay_out(grouper* g, weft__arena* arena, uint32_t max_count) {
  const size_t max_arity = g->constraints->links != NULL ? 2 : 4;
  g->items = weft__arena_alloc(arena, max_count, sizeof(*g->items));
  g->scratch = weft__arena_alloc(arena, max_count, sizeof(*g->scratch));
  g->leftovers = weft__arena_alloc(arena, max_count, sizeof(*g->leftovers));
  g->parity = weft__arena_alloc(arena, max_count, sizeof(*g->parity));
  weft__first_fit_lay_out(&g->fit, arena, g->constraints->order->particle_count,
                          max_arity * max_count);
}

static bool group_patches(grouper* g, uint32_t max_count) {
  weft__arena arena = {0};
  lay_out(g, &arena, max_count);
  if (!weft__arena_commit(&arena)) return false;
  lay_out(g, &arena, max_count);
  weft__first_fit_clear(&g->fit);
  const uint32_t patch_count = g->constraints->order->patch_count;
  bool good = true;
  for (uint32_t patch = 0; good && patch < patch_count; ++patch) good = group_patch(g, patch);
  weft__free(arena.block);
  return good && weft__emit_finish(&g->emitter, patch_count);
}

static bool group_assigned(grouper* g) {
  const weft__constraints* c = g->constraints;
  const uint32_t max_count = max_count_per_patch(g);
  if (c->links != NULL) {
    g->fans = weft__fans_create(c->order, c->links, max_count);
  } else {
    g->pieces = weft__pieces_create(c);
  }
  const bool done = (g->fans != NULL || g->pieces != NULL) && group_patches(g, max_count);
  weft__fans_destroy(g->fans);
  weft__pieces_destroy(g->pieces);
  return done;
}

bool weft__color_constraints(weft__schedule* schedule, const weft__constraints* constraints) {
  grouper g = {
      .constraints = constraints,
      .emitter = {.schedule = schedule, .constraints = constraints},
      .patch_first =
          weft__alloc_zeroed((size_t)constraints->order->patch_count + 2, sizeof(uint32_t)),
      .patch_items = weft__alloc(constraints->count, sizeof(uint32_t)),
  };
  const bool done = g.patch_first != NULL && g.patch_items != NULL &&
                    weft__emit_start(&g.emitter, constraints->order->patch_count) &&
                    assign_to_patches(&g) && group_assigned(&g);
  weft__free(g.patch_first);
  weft__free(g.patch_items);
  return done;
}
