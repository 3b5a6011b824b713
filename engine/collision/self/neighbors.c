#include "collision/self/neighbors.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "collision/self/body_pairs.h"
#include "collision/self/seams.h"

// Share of stale tiles beyond which all lists are rebuilt: one in this many.
#define STALE_DIVISOR 3u
// Substeps with a check of every tile before all lists are rebuilt: a check costs a tenth of a
// rebuild, and cloth at rest should stop paying for it.
#define MAX_STALE_CHECKS 24u
#define LIST_GRAIN WEFT__GRAIN(16u, 1u)
#define STALE_GRAIN WEFT__GRAIN(16u, 1u)
#define KEEP_GRAIN WEFT__GRAIN(128u, 1u)
#define REFIT_GRAIN WEFT__GRAIN(16u, 1u)

static void merge_16(const weft__tile_boxes* boxes, uint32_t level, uint32_t node) {
  const uint32_t first = boxes->first[level - 1] + node * WEFT__TILE;
  for (int axis = 0; axis < 3; ++axis) {
    float lower = INFINITY;
    float upper = -INFINITY;
    for (uint32_t i = first; i < first + WEFT__TILE; ++i) {
      lower = boxes->lower[axis][i] < lower ? boxes->lower[axis][i] : lower;
      upper = boxes->upper[axis][i] > upper ? boxes->upper[axis][i] : upper;
    }
    boxes->lower[axis][boxes->first[level] + node] = lower;
    boxes->upper[axis][boxes->first[level] + node] = upper;
  }
}

static void merge_both(const weft__self_tiles* t, uint32_t level, uint32_t begin, uint32_t end) {
  for (uint32_t node = begin; node < end; ++node) {
    merge_16(&t->boxes, level, node);
    merge_16(&t->displacements, level, node);
  }
}

static void refit_first_level(void* context, weft__range nodes, uint32_t worker) {
  (void)worker;
  merge_both(context, 1, nodes.begin, nodes.end);
}

static void refit_boxes(weft__self_tiles* t, const weft__step_context* step) {
  if (t->boxes.level_count == 1) return;
  weft__step_for(step, t->boxes.count[1], REFIT_GRAIN, refit_first_level, t);
  for (uint32_t level = 2; level < t->boxes.level_count; ++level) {
    merge_both(t, level, 0, t->boxes.count[level]);
  }
}

void weft__self_merge_boxes(const weft__tile_boxes* boxes) {
  for (uint32_t level = 1; level < boxes->level_count; ++level) {
    for (uint32_t node = 0; node < boxes->count[level]; ++node) merge_16(boxes, level, node);
  }
}

enum { MAX_PENDING = 256 };

typedef struct listing {
  weft__self* self;
  const weft__step_context* step;
  /* sums of all work; relaxed, read after the loop */
  _Alignas(WEFT__CACHE_LINE) atomic_uint_least64_t row_end; /* with rows that do not fit */
  atomic_uint_least64_t pair_ends;                          /* twice the pairs */
  atomic_uint_least64_t lost; /* ends of pairs beyond a tile's limits */
  atomic_uint_least32_t stale_count;
} listing;

// Lists of one piece of work, not yet copied to the shared rows.
typedef struct pending_lists {
  weft__tile_row* rows;
  uint32_t row_count;
  uint32_t tiles[MAX_PENDING];
  uint32_t count;
} pending_lists;

static void flush_pending(listing* l, pending_lists* pending) {
  weft__self_tiles* t = &l->self->tiles;
  const uint64_t at =
      atomic_fetch_add_explicit(&l->row_end, pending->row_count, memory_order_relaxed);
  if (at + pending->row_count <= l->self->lists.row_capacity) {
    memcpy(t->rows + at, pending->rows, pending->row_count * sizeof(*pending->rows));
    uint32_t first = (uint32_t)at;
    for (uint32_t i = 0; i < pending->count; ++i) {
      t->row_first[pending->tiles[i]] = first;
      first += t->row_count[pending->tiles[i]];
    }
  }
  pending->row_count = pending->count = 0;
}

static bool may_collide(const weft__self* self, const weft__materials* materials, uint32_t a,
                        uint32_t b) {
  const uint8_t* is_of_strand = self->is_of_strand;
  if (is_of_strand != NULL && is_of_strand[self->particle[a]] && is_of_strand[self->particle[b]])
    return false;
  const weft__material* of_a = weft__material_of(materials, self->particle[a]);
  const weft__material* of_b = weft__material_of(materials, self->particle[b]);
  return weft__surfaces_collide(&of_a->surface, &of_b->surface);
}

uint64_t weft__self_count_pairs(uint32_t tile, const weft__tile_row* row) {
  const uint32_t other = row->place / WEFT__TILE;
  const uint64_t pairs = (uint64_t)__builtin_popcount(row->lanes);
  return other < tile ? 2 * pairs : other == tile ? pairs : 0;
}

// Removes pairs that the collision filters exclude, and pairs of strands.
static void filter_list(const weft__self* self, const weft__materials* materials, uint32_t tile,
                        weft__tile_list* list) {
  uint32_t kept = 0;
  list->pairs = 0;
  for (uint32_t r = 0; r < list->count; ++r) {
    weft__tile_row row = list->rows[r];
    for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) {
      const uint32_t bit = 1u << lane;
      if ((row.lanes & bit) == 0) continue;
      if (!may_collide(self, materials, tile * WEFT__TILE + lane, row.place)) row.lanes ^= bit;
    }
    if (row.lanes == 0) continue;
    list->pairs += weft__self_count_pairs(tile, &row);
    list->rows[kept++] = row;
  }
  list->count = kept;
}

static weft__tile_list begin_list(listing* l, pending_lists* pending) {
  if (pending->count == MAX_PENDING ||
      pending->row_count + WEFT__SELF_MAX_ROWS > WEFT__SELF_SCRATCH) {
    flush_pending(l, pending);
  }
  return (weft__tile_list){.rows = pending->rows + pending->row_count,
                           .capacity = WEFT__SELF_MAX_ROWS};
}

// Tiles that may be near a tile: listed ones of its environment.
static weft__range listed_others(const weft__self* self, const weft__step_context* step,
                                 uint32_t tile) {
  weft__range others = weft__self_others(self, step, tile);
  if (others.end > self->lists.tile_end) others.end = self->lists.tile_end;
  return others;
}

// Tiles near several tiles of a group.
typedef struct near_group {
  weft__range tiles; /* for which `near` holds */
  weft__near_tiles near;
} near_group;

// Finds the tiles near a tile, and with them the tiles near others of its group, from it to `end`,
// that may share them.
static void find_near(const weft__self* self, const weft__step_context* step, uint32_t tile,
                      uint32_t end, const uint8_t* only, near_group* group) {
  weft__near_search search = {.own = {tile, tile + 1},
                              .others = listed_others(self, step, tile),
                              .only = only,
                              .margin = self->lists.skin + self->tiles.margin};
  for (; search.own.end < end && search.own.end % WEFT__TILE != 0; ++search.own.end) {
    const weft__range others = listed_others(self, step, search.own.end);
    if (others.begin != search.others.begin || others.end != search.others.end) break;
  }
  if (!step->kernels->find_near_tiles(&self->tiles, &search, &group->near)) {
    search.own.end = tile + 1;
    (void)step->kernels->find_near_tiles(&self->tiles, &search, &group->near);
  }
  group->tiles = search.own;
}

static void list_tile_pairs(const weft__self* self, const weft__step_context* step, uint32_t tile,
                            const near_group* group, weft__tile_list* list) {
  step->kernels->list_tile(&self->tiles, tile, self->lists.skin, &group->near, list);
  if (self->shapes.has_filters) filter_list(self, step->materials, tile, list);
  if (self->has_seam[tile]) weft__self_leave_out_seams(self, step->joints, tile, list);
}

static bool is_listed(const weft__self* self, uint32_t tile) {
  return self->shapes.has_cloth[tile] != 0 && tile < self->lists.tile_end;
}

static void append_pending(weft__self_tiles* tiles, pending_lists* pending, uint32_t tile,
                           const weft__tile_list* list) {
  tiles->row_count[tile] = list->count;
  tiles->row_first[tile] = 0;
  pending->row_count += list->count;
  pending->tiles[pending->count++] = tile;
}

static pending_lists empty_pending(const weft__self* self, uint32_t worker) {
  return (pending_lists){.rows = self->scratch + (size_t)worker * WEFT__SELF_SCRATCH};
}

// ---- persistent lists ----

static void list_tiles(void* context, weft__range tiles, uint32_t worker) {
  listing* l = context;
  weft__self* self = l->self;
  uint64_t pair_ends = 0;
  uint64_t lost = 0;
  pending_lists pending = empty_pending(self, worker);
  near_group group;
  group.tiles = (weft__range){0, 0};
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    weft__tile_list list = begin_list(l, &pending);
    if (is_listed(self, tile)) {
      if (tile >= group.tiles.end) find_near(self, l->step, tile, tiles.end, NULL, &group);
      list_tile_pairs(self, l->step, tile, &group, &list);
    }
    lost += list.lost;
    pair_ends += list.pairs;
    self->lists.kept_pair_ends[tile] = list.pairs;
    append_pending(&self->tiles, &pending, tile, &list);
  }
  flush_pending(l, &pending);
  atomic_fetch_add_explicit(&l->pair_ends, pair_ends, memory_order_relaxed);
  atomic_fetch_add_explicit(&l->lost, lost, memory_order_relaxed);
}

static void list_until(listing* l, uint32_t tile_end) {
  weft__self* self = l->self;
  self->lists.tile_end = tile_end;
  l->row_end = 0;
  l->pair_ends = 0;
  l->lost = 0;
  weft__step_for(l->step, self->tiles.tile_count, LIST_GRAIN, list_tiles, l);
}

// First tile whose rows or pairs exceed the capacity.
static uint32_t find_tile_end(const weft__self* self) {
  uint64_t rows = 0;
  uint64_t pairs = 0;
  for (uint32_t tile = 0; tile < self->tiles.tile_count; ++tile) {
    rows += self->tiles.row_count[tile];
    pairs += self->lists.kept_pair_ends[tile];
    if (rows > self->lists.row_capacity || pairs > 2 * self->lists.pair_limit) return tile;
  }
  return self->tiles.tile_count;
}

// Lists, and the positions that they belong to.
static void keep_lists(void* context, weft__range tiles, uint32_t worker) {
  (void)worker;
  weft__self* self = context;
  const size_t count = tiles.end - tiles.begin;
  memcpy(self->lists.kept_first + tiles.begin, self->tiles.row_first + tiles.begin,
         count * sizeof(uint32_t));
  memcpy(self->lists.kept_count + tiles.begin, self->tiles.row_count + tiles.begin,
         count * sizeof(uint32_t));
  const size_t first = (size_t)tiles.begin * WEFT__TILE;
  for (int axis = 0; axis < 3; ++axis) {
    memcpy(self->tiles.listed_pos[axis] + first, self->tiles.at[axis] + first,
           count * WEFT__TILE * sizeof(float));
  }
}

// Boxes of all levels must be up to date.
static void rebuild_all(weft__self* self, const weft__step_context* step) {
  weft__self_lists* lists = &self->lists;
  listing l = {.self = self, .step = step};
  list_until(&l, self->tiles.tile_count);
  const uint64_t pair_ends = l.pair_ends, lost = l.lost;
  // beyond the capacity, only the leading tiles are listed again
  if (l.row_end > lists->row_capacity || pair_ends > 2 * lists->pair_limit)
    list_until(&l, find_tile_end(self));
  weft__step_for(step, self->tiles.tile_count, KEEP_GRAIN, keep_lists, self);
  lists->lost += (pair_ends - l.pair_ends + lost) / 2;
  lists->pair_count = (uint32_t)(l.pair_ends / 2);
  lists->row_end = lists->kept_row_end = (uint32_t)l.row_end;
  lists->is_listed = true;
  lists->has_stale = false;
  lists->stale_checks = 0;
  weft__self_find_body_pairs(self, step);
}

// ---- lists for one substep ----

static float displacement_extent_sq(const weft__self* self) {
  float sum = 0.0f;
  if (self->environment_tile != NULL) {
    for (uint32_t worker = 0; worker < self->worker_count; ++worker) {
      if (self->lists.extents[worker].largest_sq > sum)
        sum = self->lists.extents[worker].largest_sq;
    }
    return sum;
  }
  for (int axis = 0; axis < 3; ++axis) {
    float lower = INFINITY;
    float upper = -INFINITY;
    for (uint32_t worker = 0; worker < self->worker_count; ++worker) {
      const weft__self_extent* extent = &self->lists.extents[worker];
      if (extent->lower[axis] < lower) lower = extent->lower[axis];
      if (extent->upper[axis] > upper) upper = extent->upper[axis];
    }
    sum += (upper - lower) * (upper - lower);
  }
  return sum;
}

// Drops the temporary list of the last substep.
static void restore_list(weft__self* self, uint32_t tile) {
  weft__self_tiles* t = &self->tiles;
  const uint32_t first = self->lists.kept_first[tile];
  const uint32_t count = self->lists.kept_count[tile];
  if (t->row_first[tile] == first && t->row_count[tile] == count) return;
  t->row_first[tile] = first;
  t->row_count[tile] = count;
}

static void restore_lists(void* context, weft__range tiles, uint32_t worker) {
  (void)worker;
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) restore_list(context, tile);
}

static void mark_stale(void* context, weft__range tiles, uint32_t worker) {
  (void)worker;
  listing* l = context;
  weft__self* self = l->self;
  uint32_t count = 0;
  // the 16 tiles around, within this environment
  uint32_t stale = 0;
  weft__range others = {0, 0};
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    const bool may_be_stale =
        self->shapes.has_cloth[tile] != 0 &&
        (self->has_moved == NULL || self->has_moved[weft__self_environment(self, l->step, tile)]);
    const weft__range own = weft__self_others(self, l->step, tile);
    if (tile % WEFT__TILE == 0 || own.begin != others.begin || own.end != others.end) {
      others = own;
      stale =
          l->step->kernels->find_stale(&self->tiles, tile / WEFT__TILE, others, self->lists.skin);
    }
    const bool is_stale = may_be_stale && (stale >> tile % WEFT__TILE & 1u) != 0;
    self->lists.is_stale[tile] = is_stale;
    count += is_stale;
    restore_list(self, tile);
  }
  atomic_fetch_add_explicit(&l->stale_count, count, memory_order_relaxed);
}

// Copies the rows of a persistent list whose particle is not in a stale tile.
static void keep_valid_rows(const weft__self* self, uint32_t tile, weft__tile_list* list) {
  const weft__tile_row* rows = self->tiles.rows + self->lists.kept_first[tile];
  for (uint32_t r = 0; r < self->lists.kept_count[tile]; ++r) {
    if (!self->lists.is_stale[rows[r].place / WEFT__TILE]) list->rows[list->count++] = rows[r];
  }
}

// Lists pairs of two stale tiles anew, at both ends. Rows between a stale and a valid tile stay at
// both ends, so the lists remain symmetric.
static void list_stale_tiles(void* context, weft__range tiles, uint32_t worker) {
  listing* l = context;
  weft__self* self = l->self;
  pending_lists pending = empty_pending(self, worker);
  near_group group;
  group.tiles = (weft__range){0, 0};
  for (uint32_t tile = tiles.begin; tile < tiles.end; ++tile) {
    if (!self->lists.is_stale[tile]) continue;
    weft__tile_list list = begin_list(l, &pending);
    keep_valid_rows(self, tile, &list);
    if (is_listed(self, tile)) {
      if (tile >= group.tiles.end)
        find_near(self, l->step, tile, tiles.end, self->lists.is_stale, &group);
      list_tile_pairs(self, l->step, tile, &group, &list);
    }
    append_pending(&self->tiles, &pending, tile, &list);
  }
  flush_pending(l, &pending);
}

// Returns false if all lists must be rebuilt.
static bool rebuild_stale(weft__self* self, const weft__step_context* step) {
  weft__self_lists* lists = &self->lists;
  listing l = {.self = self, .step = step, .row_end = lists->kept_row_end};
  const uint32_t tile_count = self->tiles.tile_count;
  weft__step_for(step, tile_count, STALE_GRAIN, mark_stale, &l);
  lists->row_end = lists->kept_row_end;
  if (++lists->stale_checks > MAX_STALE_CHECKS) return false;
  if (l.stale_count == 0) return true;
  if (l.stale_count > tile_count / STALE_DIVISOR || self->shapes.body_count > 0) return false;
  weft__step_for(step, tile_count, STALE_GRAIN, list_stale_tiles, &l);
  lists->has_stale = true;
  lists->row_end = (uint32_t)l.row_end;
  return l.row_end <= lists->row_capacity && lists->tile_end == tile_count;
}

void weft__self_drop_stale(weft__self* self) {
  restore_lists(self, (weft__range){0, self->tiles.tile_count}, 0);
  self->lists.has_stale = false;
  self->lists.row_end = self->lists.kept_row_end;
}

uint32_t weft__self_count_rows(const weft__self* self) {
  uint32_t rows = 0;
  for (uint32_t tile = 0; tile < self->tiles.tile_count; ++tile)
    rows += self->lists.kept_count[tile];
  return rows;
}

void weft__self_place_lists(weft__self* self) {
  weft__self_tiles* t = &self->tiles;
  uint32_t row = 0;
  for (uint32_t tile = 0; tile < t->tile_count; ++tile) {
    self->lists.kept_first[tile] = t->row_first[tile] = row;
    t->row_count[tile] = self->lists.kept_count[tile];
    row += t->row_count[tile];
  }
  self->lists.row_end = self->lists.kept_row_end = row;
}

void weft__self_find_neighbors(weft__self* self, const weft__step_context* step) {
  weft__self_lists* lists = &self->lists;
  // valid while no two particles have moved apart by more than the skin
  if (lists->is_listed && displacement_extent_sq(self) <= lists->skin * lists->skin) {
    if (!lists->has_stale) return;
    lists->has_stale = false;
    lists->row_end = lists->kept_row_end;
    weft__step_for(step, self->tiles.tile_count, KEEP_GRAIN, restore_lists, self);
    return;
  }
  refit_boxes(&self->tiles, step);
  if (!lists->is_listed || !rebuild_stale(self, step)) rebuild_all(self, step);
}
