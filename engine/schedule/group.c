#include "schedule/group.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/sort.h"
#include "schedule/emit.h"
#include "schedule/fan.h"
#include "schedule/first_fit.h"

// a contiguous group costs about as much as four links of an indexed one
#define MIN_LANES 5u
// a patch with more than one leftover link in this many becomes fans
#define MAX_LEFT_OVER 4u

// State shared by the patches, whose links are grouped one patch after the other.
typedef struct grouper {
  const weft__order* order;
  const weft__links* links;
  weft__emitter emitter;
  uint32_t* patch_first_link; /* prefix offsets into patch_links [patch_count + 1] */
  uint32_t* patch_links;      /* links of each patch [link_count] */
  weft__first_fit fit;
  weft__sort_item* items; /* links of one patch; key: distance << 32 | first end */
  weft__sort_item* scratch;
  weft__sort_item* leftovers;
  uint8_t* parity; /* batch of a link within its chain [links of a patch] */
  uint32_t leftover_count;
  weft__fans* fans;
} grouper;

static uint32_t distance_of(weft__sort_item item) {
  return (uint32_t)(item.key >> 32);
}
static uint32_t first_end_of(weft__sort_item item) {
  return (uint32_t)item.key;
}

// ---- links of each patch ----

// A link belongs to the patch of its lower end.
static uint32_t lower_end(const grouper* g, uint32_t link) {
  const uint32_t a = g->order->solver_of[g->links->end_a[link]];
  const uint32_t b = g->order->solver_of[g->links->end_b[link]];
  return a < b ? a : b;
}

static void sort_links_by_patch(grouper* g, const uint32_t* patch_of) {
  uint32_t* first = g->patch_first_link;
  // counts are shifted by two, so that filling turns each start into the next one
  for (uint32_t i = 0; i < g->links->count; ++i) ++first[patch_of[lower_end(g, i)] + 2];
  for (uint32_t p = 0; p < g->order->patch_count; ++p) first[p + 2] += first[p + 1];
  for (uint32_t i = 0; i < g->links->count; ++i) {
    g->patch_links[first[patch_of[lower_end(g, i)] + 1]++] = i;
  }
}

static bool assign_links_to_patches(grouper* g) {
  uint32_t* patch_of = weft__alloc(g->order->particle_count, sizeof(*patch_of));
  if (patch_of == NULL) return false;
  weft__fill_patch_of(g->order->patch_first, g->order->patch_count, patch_of);
  sort_links_by_patch(g, patch_of);
  free(patch_of);
  return true;
}

// ---- contiguous groups ----

// Two links of one distance share a particle only as neighbours in a chain: a to a + d to a + 2d.
// Gives them different parities. Items are sorted by first end: the previous link of a chain comes
// first.
static void split_chains(const weft__sort_item* bucket, uint32_t count, uint8_t* parity) {
  uint32_t before = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t a = first_end_of(bucket[i]);
    while (first_end_of(bucket[before]) + distance_of(bucket[before]) < a) ++before;
    const bool chained =
        before < i && first_end_of(bucket[before]) + distance_of(bucket[before]) == a;
    parity[i] = chained ? !parity[before] : 0;
  }
}

// Fills the group with the links from item `i` on that have its parity and their first end in the
// window starting at `a`; returns their count.
static uint32_t fill_window(const weft__sort_item* bucket, uint32_t count, const uint8_t* parity,
                            uint32_t i, uint32_t a, weft__lanes* group) {
  *group = (weft__lanes){.kind = WEFT__RUN_CONTIGUOUS,
                         .a = a,
                         .b = a + distance_of(bucket[i]),
                         .lane_count = WEFT__LANES};
  memset(group->link, 0xff, sizeof(group->link));
  uint32_t lanes = 0;
  for (uint32_t j = i; j < count && first_end_of(bucket[j]) < a + WEFT__LANES; ++j) {
    if (parity[j] != parity[i]) continue;
    group->link[first_end_of(bucket[j]) - a] = bucket[j].value;
    ++lanes;
  }
  return lanes;
}

// Emits one batch: the links of one distance and parity. Sparse windows become leftovers.
static bool group_contiguous(grouper* g, const weft__sort_item* bucket, uint32_t count,
                             uint8_t wanted) {
  bool started = false;
  uint32_t covered = 0;  // end of the last window
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t a = first_end_of(bucket[i]);
    if (g->parity[i] != wanted || a < covered) continue;
    // across a short gap the run continues with empty lanes
    const uint32_t begin = started && a - covered < WEFT__LANES / 2 ? covered : a;
    weft__lanes group;
    if (fill_window(bucket, count, g->parity, i, begin, &group) < MIN_LANES) {
      g->leftovers[g->leftover_count++] = (weft__sort_item){a, bucket[i].value};
      continue;
    }
    if (!started && !weft__emit_batch_begin(&g->emitter)) return false;
    started = true;
    if (!weft__emit_lanes(&g->emitter, &group)) return false;
    covered = begin + WEFT__LANES;
  }
  return true;
}

// ---- indexed groups ----

static bool group_color(grouper* g, const weft__sort_item* items, uint32_t count) {
  if (!weft__emit_batch_begin(&g->emitter)) return false;
  for (uint32_t begin = 0; begin < count; begin += WEFT__LANES) {
    weft__lanes group = {.kind = WEFT__RUN_INDEXED, .lane_count = WEFT__LANES};
    for (uint32_t lane = 0; lane < WEFT__LANES; ++lane) {
      group.link[lane] = begin + lane < count ? items[begin + lane].value : WEFT__NO_LINK;
    }
    if (!weft__emit_lanes(&g->emitter, &group)) return false;
  }
  return true;
}

static void list_ends(const grouper* g, uint32_t link, uint32_t ends[2]) {
  ends[0] = g->order->solver_of[g->links->end_a[link]];
  ends[1] = g->order->solver_of[g->links->end_b[link]];
}

// Colours the leftover links in order; items become colour and link.
static void color_items(grouper* g, uint32_t count) {
  uint32_t ends[2];
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t link = g->leftovers[i].value;
    list_ends(g, link, ends);
    g->items[i] = (weft__sort_item){weft__first_fit_color(&g->fit, ends, 2), link};
  }
  for (uint32_t i = 0; i < count; ++i) {
    list_ends(g, g->items[i].value, ends);
    weft__first_fit_clear_particles(&g->fit, ends, 2);
  }
}

static bool group_leftovers(grouper* g) {
  // memory order, whatever distance they were sorted by
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

// ---- one patch ----

static uint32_t load_items(grouper* g, uint32_t patch) {
  const uint32_t begin = g->patch_first_link[patch];
  const uint32_t count = g->patch_first_link[patch + 1] - begin;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t link = g->patch_links[begin + i];
    const uint32_t a = g->order->solver_of[g->links->end_a[link]];
    const uint32_t b = g->order->solver_of[g->links->end_b[link]];
    const uint32_t low = a < b ? a : b;
    const uint64_t distance = a < b ? b - a : a - b;
    g->items[i] = (weft__sort_item){distance << 32 | low, link};
  }
  return count;
}

static void add_leftovers(grouper* g, const weft__sort_item* bucket, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    g->leftovers[g->leftover_count++] = (weft__sort_item){first_end_of(bucket[i]), bucket[i].value};
  }
}

// Emits contiguous groups; the rest is left over.
static bool group_runs(grouper* g, uint32_t count) {
  g->leftover_count = 0;
  for (uint32_t begin = 0, end = 0; begin < count; begin = end) {
    const weft__sort_item* bucket = g->items + begin;
    end = begin + 1;
    while (end < count && distance_of(g->items[end]) == distance_of(*bucket)) ++end;
    if (end - begin < MIN_LANES || distance_of(*bucket) < WEFT__LANES) {
      add_leftovers(g, bucket, end - begin);
      continue;
    }
    split_chains(bucket, end - begin, g->parity);
    if (!group_contiguous(g, bucket, end - begin, 0)) return false;
    if (!group_contiguous(g, bucket, end - begin, 1)) return false;
  }
  return true;
}

static bool group_patch(grouper* g, uint32_t patch) {
  weft__schedule* schedule = g->emitter.schedule;
  schedule->patch_first_batch[patch] = schedule->batch_count;
  schedule->patch_first_segment[patch] = schedule->segment_count;
  const weft__emitter mark = g->emitter;
  const weft__schedule counts = *schedule;
  const uint32_t count = load_items(g, patch);
  weft__sort(g->items, g->scratch, count);
  if (!group_runs(g, count)) return false;

  if (g->leftover_count > count / MAX_LEFT_OVER) {
    weft__emit_rewind(&g->emitter, &mark, &counts);
    const uint32_t* numbers = g->patch_links + g->patch_first_link[patch];
    const weft__fans_result result = weft__fans_emit(g->fans, &g->emitter, patch, numbers, count);
    if (result != WEFT__FANS_TOO_LARGE) return result == WEFT__FANS_MADE;
    if (!group_runs(g, count)) return false;
  }
  return group_leftovers(g);
}

// ---- all patches ----

static uint32_t max_links_per_patch(const grouper* g) {
  uint32_t most = 0;
  for (uint32_t p = 0; p < g->order->patch_count; ++p) {
    const uint32_t count = g->patch_first_link[p + 1] - g->patch_first_link[p];
    if (count > most) most = count;
  }
  return most;
}

static void lay_out(grouper* g, weft__arena* arena, uint32_t most_links) {
  g->items = weft__arena_alloc(arena, most_links, sizeof(*g->items));
  g->scratch = weft__arena_alloc(arena, most_links, sizeof(*g->scratch));
  g->leftovers = weft__arena_alloc(arena, most_links, sizeof(*g->leftovers));
  g->parity = weft__arena_alloc(arena, most_links, sizeof(*g->parity));
  weft__first_fit_lay_out(&g->fit, arena, g->order->particle_count, (size_t)2 * most_links);
}

static bool group_patches(grouper* g) {
  weft__schedule* schedule = g->emitter.schedule;
  for (uint32_t patch = 0; patch < g->order->patch_count; ++patch) {
    if (!group_patch(g, patch)) return false;
  }
  schedule->patch_first_batch[g->order->patch_count] = schedule->batch_count;
  schedule->patch_first_segment[g->order->patch_count] = schedule->segment_count;
  // a schedule without links has no batch but still an end
  return (schedule->batch_count > 0 || weft__emit_batch_begin(&g->emitter)) &&
         weft__emit_finish(&g->emitter);
}

static bool group_assigned_links(grouper* g) {
  const uint32_t most_links = max_links_per_patch(g);
  weft__arena arena = {0};
  lay_out(g, &arena, most_links);
  if (!weft__arena_commit(&arena)) return false;
  lay_out(g, &arena, most_links);
  weft__first_fit_clear(&g->fit);
  g->fans = weft__fans_create(g->order, g->links, most_links);
  const bool done = g->fans != NULL && group_patches(g);
  weft__fans_destroy(g->fans);
  free(arena.block);
  return done;
}

bool weft__group_links(weft__schedule* schedule, const weft__order* order,
                       const weft__links* links) {
  grouper g = {
      .order = order,
      .links = links,
      .emitter = {.schedule = schedule, .links = links},
      .patch_first_link = weft__alloc_zeroed((size_t)order->patch_count + 2, sizeof(uint32_t)),
      .patch_links = weft__alloc(links->count, sizeof(uint32_t)),
  };
  const bool done = g.patch_first_link != NULL && g.patch_links != NULL &&
                    assign_links_to_patches(&g) && group_assigned_links(&g);
  free(g.patch_first_link);
  free(g.patch_links);
  return done;
}
