#include "schedule/hinge_group.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "schedule/first_fit.h"
#include "schedule/hinge_emit.h"

// a window with fewer hinges costs more than solving them on records
#define MIN_LANES 4u
// sorts after all buckets of windows
#define NO_BUCKET UINT64_MAX

typedef struct grouper {
  const weft__order* order;
  const weft__hinges* hinges;
  weft__hinge_emitter emitter;
  uint32_t* patch_first;  /* prefix offsets into patch_hinges [patch_count + 2] */
  uint32_t* patch_hinges; /* hinges of each patch [hinge_count] */
  weft__first_fit fit;
  weft__sort_item* items; /* hinges of one patch */
  weft__sort_item* scratch;
  weft__sort_item* leftovers;
  uint32_t leftover_count;
} grouper;

// Particles of a three-particle hinge in solver numbers, outer ones ascending.
typedef struct triple {
  uint32_t low, middle, high;
} triple;

static triple triple_of(const grouper* g, uint32_t hinge) {
  const uint32_t* particle = g->hinges->particle[hinge];
  const uint32_t* solver_of = g->order->solver_of;
  const uint32_t a = solver_of[particle[0]];
  const uint32_t b = solver_of[particle[2]];
  return (triple){a < b ? a : b, solver_of[particle[1]], a < b ? b : a};
}

// Sheet hinge: symmetric, with implied coefficients (1, -2, 1) and rest length 0.
static bool is_sheet_hinge(const grouper* g, uint32_t hinge) {
  const float* c = g->hinges->coefficient[hinge];
  return g->hinges->particle[hinge][3] == WEFT__NO_PARTICLE && c[0] == 1.0f && c[1] == -2.0f &&
         c[2] == 1.0f && g->hinges->rest_length[hinge] == 0.0f;
}

static uint32_t distance_between(uint32_t a, uint32_t b) {
  return a < b ? b - a : a - b;
}

// Hinges of one bucket have equal distances between their particles, paired ones equal parity too.
static uint64_t bucket_of(const grouper* g, uint32_t hinge) {
  if (!is_sheet_hinge(g, hinge)) return NO_BUCKET;
  const triple t = triple_of(g, hinge);
  // overlapping windows would overwrite each other's results
  const bool is_paired = t.high == t.low + 1;
  const uint32_t reach = is_paired ? 2 * WEFT__HINGE_LANES : WEFT__HINGE_LANES;
  const bool overlap = distance_between(t.low, t.middle) < reach ||
                       distance_between(t.middle, t.high) < reach ||
                       (!is_paired && t.high - t.low < reach);
  if (overlap) return NO_BUCKET;
  const uint64_t parity = is_paired ? t.low % 2 : 0;
  return parity << 63 | (uint64_t)(t.high - t.low) << 32 | (uint32_t)(t.middle - t.low);
}

// ---- hinges of each patch ----

static bool assign_to_patches(grouper* g) {
  uint32_t* patch_of = weft__alloc(g->order->particle_count, sizeof(*patch_of));
  if (patch_of == NULL) return false;
  weft__fill_patch_of(g->order->patch_first, g->order->patch_count, patch_of);
  const weft__hinges* hinges = g->hinges;
  const uint32_t* solver_of = g->order->solver_of;
  uint32_t* first = g->patch_first;
  // counts are shifted by two, so that filling turns each start into the next one
  for (uint32_t i = 0; i < hinges->count; ++i) {
    ++first[patch_of[solver_of[hinges->particle[i][1]]] + 2];
  }
  for (uint32_t p = 0; p < g->order->patch_count; ++p) first[p + 2] += first[p + 1];
  for (uint32_t i = 0; i < hinges->count; ++i) {
    g->patch_hinges[first[patch_of[solver_of[hinges->particle[i][1]]] + 1]++] = i;
  }
  free(patch_of);
  return true;
}

// ---- windows ----

static void add_leftover(grouper* g, uint32_t hinge) {
  const uint32_t middle = g->order->solver_of[g->hinges->particle[hinge][1]];
  g->leftovers[g->leftover_count++] = (weft__sort_item){middle, hinge};
}

// Fills the window starting at `low` with the hinges from item `i` on; returns their count.
static uint32_t fill_window(const grouper* g, const weft__sort_item* bucket, uint32_t count,
                            uint32_t i, uint32_t low, weft__hinge_window* window) {
  const triple t = triple_of(g, bucket[i].value);
  const bool is_paired = t.high == t.low + 1;
  const uint32_t stride = is_paired ? 2 : 1;
  const uint32_t back = t.low - low;
  *window = (weft__hinge_window){
      .kind = is_paired ? WEFT__HINGES_PAIRED : WEFT__HINGES_SEPARATE,
      .first = {low, t.middle - back, t.high - back},
  };
  memset(window->hinge, 0xff, sizeof(window->hinge));
  uint32_t lanes = 0;
  for (uint32_t j = i; j < count; ++j) {
    const uint32_t here = triple_of(g, bucket[j].value).low - low;
    if (here >= stride * WEFT__HINGE_LANES) break;
    window->hinge[here / stride] = bucket[j].value;
    ++lanes;
  }
  return lanes;
}

// Emits the windows of one bucket; sparse ones become leftovers.
static bool group_bucket(grouper* g, uint32_t patch, const weft__sort_item* bucket,
                         uint32_t count) {
  const triple t = triple_of(g, bucket[0].value);
  const uint32_t reach = t.high == t.low + 1 ? 2 * WEFT__HINGE_LANES : WEFT__HINGE_LANES;
  bool started = false;
  uint32_t covered = 0;  // end of the last window
  for (uint32_t i = 0; i < count; ++i) {
    const triple here = triple_of(g, bucket[i].value);
    if (started && here.low < covered) continue;
    // across a short gap the run continues with empty lanes
    const bool continues = started && here.low - covered < reach / 2;
    const uint32_t low = continues ? covered : here.low;
    weft__hinge_window window;
    if (fill_window(g, bucket, count, i, low, &window) < MIN_LANES) {
      add_leftover(g, bucket[i].value);
      continue;
    }
    if (!weft__hinge_emit_window(&g->emitter, patch, &window)) return false;
    started = true;
    covered = low + reach;
  }
  return true;
}

// ---- leftovers ----

// Returns the number of particles.
static uint32_t list_particles(const grouper* g, uint32_t hinge, uint32_t particles[4]) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < 4; ++k) {
    const uint32_t particle = g->hinges->particle[hinge][k];
    if (particle != WEFT__NO_PARTICLE) particles[count++] = g->order->solver_of[particle];
  }
  return count;
}

static bool group_color(grouper* g, const weft__sort_item* items, uint32_t count) {
  for (uint32_t begin = 0; begin < count; begin += WEFT__HINGE_LANES) {
    const uint32_t left = count - begin;
    const uint32_t lanes = left < WEFT__HINGE_LANES ? left : WEFT__HINGE_LANES;
    if (!weft__hinge_emit_group(&g->emitter, items + begin, lanes)) return false;
  }
  return true;
}

// Colours the leftover hinges in order; items become colour and hinge.
static void color_items(grouper* g, uint32_t count) {
  uint32_t particles[4];
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t hinge = g->leftovers[i].value;
    const uint32_t particle_count = list_particles(g, hinge, particles);
    g->items[i] =
        (weft__sort_item){weft__first_fit_color(&g->fit, particles, particle_count), hinge};
  }
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t particle_count = list_particles(g, g->items[i].value, particles);
    weft__first_fit_clear_particles(&g->fit, particles, particle_count);
  }
}

static bool group_leftovers(grouper* g) {
  // memory order
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

// Sorts the patch's hinges by bucket, then by first particle; returns their count.
static uint32_t load_items(grouper* g, uint32_t patch) {
  const uint32_t begin = g->patch_first[patch];
  const uint32_t count = g->patch_first[patch + 1] - begin;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t hinge = g->patch_hinges[begin + i];
    g->items[i] = (weft__sort_item){triple_of(g, hinge).low, hinge};
  }
  weft__sort(g->items, g->scratch, count);
  for (uint32_t i = 0; i < count; ++i) g->items[i].key = bucket_of(g, g->items[i].value);
  weft__sort(g->items, g->scratch, count);
  return count;
}

static bool group_patch(grouper* g, uint32_t patch) {
  weft__hinge_emit_patch_begin(&g->emitter, patch);
  g->leftover_count = 0;
  const uint32_t count = load_items(g, patch);
  for (uint32_t begin = 0, end = 0; begin < count; begin = end) {
    const weft__sort_item* bucket = g->items + begin;
    end = begin + 1;
    while (end < count && g->items[end].key == bucket->key) ++end;
    if (bucket->key == NO_BUCKET) {
      for (uint32_t i = begin; i < end; ++i) add_leftover(g, g->items[i].value);
    } else if (!group_bucket(g, patch, bucket, end - begin)) {
      return false;
    }
  }
  return group_leftovers(g) && weft__hinge_emit_patch_end(&g->emitter);
}

// ---- all patches ----

static uint32_t max_hinges_per_patch(const grouper* g) {
  uint32_t max_count = 0;
  for (uint32_t p = 0; p < g->order->patch_count; ++p) {
    const uint32_t count = g->patch_first[p + 1] - g->patch_first[p];
    if (count > max_count) max_count = count;
  }
  return max_count;
}

static void lay_out(grouper* g, weft__arena* arena, uint32_t max_count) {
  g->items = weft__arena_alloc(arena, max_count, sizeof(*g->items));
  g->scratch = weft__arena_alloc(arena, max_count, sizeof(*g->scratch));
  g->leftovers = weft__arena_alloc(arena, max_count, sizeof(*g->leftovers));
  weft__first_fit_lay_out(&g->fit, arena, g->order->particle_count, (size_t)4 * max_count);
}

static bool group_assigned(grouper* g) {
  const uint32_t max_count = max_hinges_per_patch(g);
  weft__arena arena = {0};
  lay_out(g, &arena, max_count);
  if (!weft__arena_commit(&arena)) return false;
  lay_out(g, &arena, max_count);
  weft__first_fit_clear(&g->fit);
  bool good = true;
  for (uint32_t patch = 0; good && patch < g->order->patch_count; ++patch) {
    good = group_patch(g, patch);
  }
  free(arena.block);
  return good && weft__hinge_emit_finish(&g->emitter);
}

bool weft__group_hinges(weft__schedule* schedule, const weft__order* order,
                        const weft__hinges* hinges) {
  if (hinges->count == 0) return true;
  grouper g = {
      .order = order,
      .hinges = hinges,
      .patch_first = weft__alloc_zeroed((size_t)order->patch_count + 2, sizeof(uint32_t)),
      .patch_hinges = weft__alloc(hinges->count, sizeof(uint32_t)),
  };
  const bool done = g.patch_first != NULL && g.patch_hinges != NULL &&
                    weft__hinge_emitter_create(&g.emitter, schedule, order, hinges) &&
                    assign_to_patches(&g) && group_assigned(&g);
  weft__hinge_emitter_destroy(&g.emitter);
  free(g.patch_first);
  free(g.patch_hinges);
  if (!done) return false;
  schedule->hinges.hinge_count = hinges->count;
  schedule->bytes += schedule->hinges.bytes;
  return true;
}
