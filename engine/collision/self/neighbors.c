#include "collision/self/neighbors.h"

#include <math.h>
#include <string.h>

#include "collision/self/body_pairs.h"

// All lists are rebuilt when more than one tile in this many is stale.
#define STALE_DIVISOR 6u
// Substeps with a check of every tile before all lists are rebuilt: a check costs a tenth of a
// rebuild, and cloth that has come to rest after a move shall not go on paying for it.
#define MAX_STALE_CHECKS 24u

// ---- boxes ----

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

static void merge_both(const weft__self_tiles* t, uint32_t level, uint32_t node) {
  merge_16(&t->boxes, level, node);
  merge_16(&t->displacements, level, node);
}

// completion: levels above the first are small, one worker refits them
static uint32_t refit_upper_levels(void* context) {
  const weft__self_tiles* t = context;
  for (uint32_t level = 2; level < t->boxes.level_count; ++level) {
    for (uint32_t node = 0; node < t->boxes.count[level]; ++node) merge_both(t, level, node);
  }
  return 0;
}

void weft__self_refit_boxes(weft__self_tiles* t, const weft__stage* stage) {
  if (t->boxes.level_count == 1) return;
  const weft__range own = weft__stage_share(stage, t->boxes.count[1]);
  for (uint32_t node = own.begin; node < own.end; ++node) merge_both(t, 1, node);
  (void)weft__stage_decide(stage, refit_upper_levels, t);
}

// ---- lists ----

enum { MAX_PENDING = 256 };

// Lists of one worker that are not yet copied to the shared rows.
typedef struct pending_lists {
  weft__tile_row* rows;
  uint32_t row_count;
  uint32_t tiles[MAX_PENDING];
  uint32_t count;
} pending_lists;

static void flush_pending(weft__self* self, pending_lists* pending) {
  weft__self_tiles* t = &self->tiles;
  // relaxed: the rows are read after a barrier
  const uint64_t at =
      atomic_fetch_add_explicit(&self->row_count, pending->row_count, memory_order_relaxed);
  if (at + pending->row_count <= self->row_capacity) {
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
  const weft__material* of_a = weft__material_of(materials, self->particle[a]);
  const weft__material* of_b = weft__material_of(materials, self->particle[b]);
  return weft__surfaces_collide(&of_a->surface, &of_b->surface);
}

static uint64_t count_pairs(uint32_t tile, const weft__tile_row* row) {
  const uint32_t other = row->place / WEFT__TILE;
  const uint64_t pairs = (uint64_t)__builtin_popcount(row->lanes);
  return other < tile ? 2 * pairs : other == tile ? pairs : 0;
}

// Removes pairs that the collision filters exclude.
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
    list->pairs += count_pairs(tile, &row);
    list->rows[kept++] = row;
  }
  list->count = kept;
}

static weft__tile_list begin_list(weft__self* self, pending_lists* pending) {
  if (pending->count == MAX_PENDING ||
      pending->row_count + WEFT__SELF_MAX_ROWS > WEFT__SELF_SCRATCH) {
    flush_pending(self, pending);
  }
  return (weft__tile_list){.rows = pending->rows + pending->row_count,
                           .capacity = WEFT__SELF_MAX_ROWS,
                           .end = self->tile_end};
}

static void list_tile_pairs(const weft__self* self, const weft__stage* stage, uint32_t tile,
                            weft__tile_list* list) {
  if (!self->has_cloth[tile] || tile >= self->tile_end) return;
  stage->kernels->list_tile(&self->tiles, tile, self->skin, list);
  if (self->has_filters) filter_list(self, stage->materials, tile, list);
}

static void append_pending(weft__self* self, pending_lists* pending, uint32_t tile,
                           const weft__tile_list* list) {
  self->tiles.row_count[tile] = list->count;
  self->tiles.row_first[tile] = 0;
  self->tiles.slots[tile].is_good = false;
  pending->row_count += list->count;
  pending->tiles[pending->count++] = tile;
}

static pending_lists empty_pending(const weft__self* self, uint32_t worker) {
  return (pending_lists){.rows = self->scratch + (size_t)worker * WEFT__SELF_SCRATCH};
}

// ---- persistent lists ----

static void list_own_tiles(weft__self* self, const weft__stage* stage) {
  const weft__range own = weft__self_own_tiles(self, stage);
  self->workers[stage->worker].lost = self->workers[stage->worker].pair_ends = 0;
  pending_lists pending = empty_pending(self, stage->worker);
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    weft__tile_list list = begin_list(self, &pending);
    list_tile_pairs(self, stage, tile, &list);
    self->workers[stage->worker].lost += list.lost;
    self->workers[stage->worker].pair_ends += list.pairs;
    self->kept_pair_ends[tile] = list.pairs;
    append_pending(self, &pending, tile, &list);
  }
  flush_pending(self, &pending);
}

static uint64_t sum_pairs(const weft__self* self, uint64_t* lost) {
  uint64_t pairs = 0;
  *lost = 0;
  for (uint32_t k = 0; k < self->worker_count; ++k) {
    pairs += self->workers[k].pair_ends;
    *lost += self->workers[k].lost;
  }
  return pairs;
}

// First tile whose rows or pairs exceed the capacity.
static uint32_t find_tile_end(const weft__self* self) {
  uint64_t rows = 0;
  uint64_t pairs = 0;
  for (uint32_t tile = 0; tile < self->tiles.tile_count; ++tile) {
    rows += self->tiles.row_count[tile];
    pairs += self->kept_pair_ends[tile];
    if (rows > self->row_capacity || pairs > 2 * self->pair_limit) return tile;
  }
  return self->tiles.tile_count;
}

static void save_positions(weft__self* self, const weft__stage* stage) {
  const weft__range own = weft__self_own_tiles(self, stage);
  const size_t first = (size_t)own.begin * WEFT__TILE;
  const size_t bytes = (size_t)(own.end - own.begin) * WEFT__TILE * sizeof(float);
  for (int axis = 0; axis < 3; ++axis) {
    memcpy(self->tiles.listed_pos[axis] + first, self->tiles.at[axis] + first, bytes);
  }
}

static void begin_rows(weft__self* self, uint32_t tile_end) {
  self->tile_end = tile_end;
  atomic_store_explicit(&self->row_count, 0, memory_order_relaxed);
}

// completion
static uint32_t begin_listing(void* context) {
  weft__self* self = context;
  begin_rows(self, self->tiles.tile_count);
  return 0;
}

// completion: false if rows or pairs exceed the capacity; then the leading tiles alone are listed
// again
static uint32_t all_fit(void* context) {
  weft__self* self = context;
  const uint64_t rows = atomic_load_explicit(&self->row_count, memory_order_relaxed);
  self->found_pair_ends = sum_pairs(self, &self->truncated_pair_ends);
  if (rows <= self->row_capacity && self->found_pair_ends <= 2 * self->pair_limit) return true;
  begin_rows(self, find_tile_end(self));
  return false;
}

typedef struct listing {
  weft__self* self;
  const weft__stage* stage;
} listing;

// completion
static uint32_t end_listing(void* context) {
  const listing* l = context;
  weft__self* self = l->self;
  uint64_t ignored;
  const uint64_t kept = sum_pairs(self, &ignored);
  self->lost += (self->found_pair_ends - kept + self->truncated_pair_ends) / 2;
  self->pair_count = (uint32_t)(kept / 2);
  self->kept_row_end = (uint32_t)atomic_load_explicit(&self->row_count, memory_order_relaxed);
  self->is_listed = true;
  self->has_stale = false;
  self->stale_checks = 0;
  weft__self_find_body_pairs(self, l->stage);
  return 0;
}

static void save_lists(weft__self* self, const weft__stage* stage) {
  const weft__range own = weft__self_own_tiles(self, stage);
  const size_t bytes = (own.end - own.begin) * sizeof(uint32_t);
  memcpy(self->kept_first + own.begin, self->tiles.row_first + own.begin, bytes);
  memcpy(self->kept_count + own.begin, self->tiles.row_count + own.begin, bytes);
}

// Boxes of all levels must be up to date.
static void rebuild_all(weft__self* self, const weft__stage* stage) {
  save_positions(self, stage);
  (void)weft__stage_decide(stage, begin_listing, self);
  list_own_tiles(self, stage);
  if (!weft__stage_decide(stage, all_fit, self)) {
    list_own_tiles(self, stage);
    weft__stage_barrier(stage);
  }
  save_lists(self, stage);
  listing l = {self, stage};
  (void)weft__stage_decide(stage, end_listing, &l);
}

// ---- lists for one substep ----

static float displacement_extent_sq(const weft__self* self) {
  float sum = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    float lower = INFINITY;
    float upper = -INFINITY;
    for (uint32_t k = 0; k < self->worker_count; ++k) {
      const weft__self_worker* share = &self->workers[k];
      if (share->lower[axis] < lower) lower = share->lower[axis];
      if (share->upper[axis] > upper) upper = share->upper[axis];
    }
    sum += (upper - lower) * (upper - lower);
  }
  return sum;
}

static void mark_stale(weft__self* self, const weft__stage* stage) {
  const weft__range own = weft__self_own_tiles(self, stage);
  uint32_t count = 0;
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    const bool is_stale =
        self->has_cloth[tile] != 0 && stage->kernels->is_stale(&self->tiles, tile, self->skin);
    self->is_stale[tile] = is_stale;
    count += is_stale;
  }
  self->workers[stage->worker].stale_count = count;
}

static uint32_t count_stale(const weft__self* self) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < self->worker_count; ++k) count += self->workers[k].stale_count;
  return count;
}

// Drops the temporary lists of the last substep.
static void restore_lists(weft__self* self, const weft__stage* stage) {
  const weft__range own = weft__self_own_tiles(self, stage);
  weft__self_tiles* t = &self->tiles;
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    const uint32_t first = self->kept_first[tile];
    const uint32_t count = self->kept_count[tile];
    if (t->row_first[tile] == first && t->row_count[tile] == count) continue;
    t->row_first[tile] = first;
    t->row_count[tile] = count;
    t->slots[tile].is_good = false;
  }
}

// Copies the rows of a persistent list whose particle is not in a stale tile.
static void keep_valid_rows(const weft__self* self, uint32_t tile, weft__tile_list* list) {
  const weft__tile_row* rows = self->tiles.rows + self->kept_first[tile];
  for (uint32_t r = 0; r < self->kept_count[tile]; ++r) {
    if (!self->is_stale[rows[r].place / WEFT__TILE]) list->rows[list->count++] = rows[r];
  }
}

// Lists pairs of two stale tiles anew, at both ends. Rows between a stale and a valid tile stay at
// both ends, so the lists remain symmetric.
static void list_stale_tiles(weft__self* self, const weft__stage* stage) {
  const weft__range own = weft__self_own_tiles(self, stage);
  pending_lists pending = empty_pending(self, stage->worker);
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    if (!self->is_stale[tile]) continue;
    weft__tile_list list = begin_list(self, &pending);
    list.only = self->is_stale;
    keep_valid_rows(self, tile, &list);
    list_tile_pairs(self, stage, tile, &list);
    append_pending(self, &pending, tile, &list);
  }
  flush_pending(self, &pending);
}

enum { REBUILD_NONE, REBUILD_STALE, REBUILD_ALL };

// completion: selects no rebuild, the stale tiles, or all tiles
static uint32_t choose_rebuild(void* context) {
  weft__self* self = context;
  const uint32_t count = count_stale(self);
  atomic_store_explicit(&self->row_count, self->kept_row_end, memory_order_relaxed);
  if (++self->stale_checks > MAX_STALE_CHECKS) return REBUILD_ALL;
  if (count == 0) return REBUILD_NONE;
  const bool exceeds_share = count > self->tiles.tile_count / STALE_DIVISOR;
  return exceeds_share || self->body_count > 0 ? REBUILD_ALL : REBUILD_STALE;
}

// completion: false if the rows of the stale tiles exceed the capacity
static uint32_t stale_fit(void* context) {
  weft__self* self = context;
  self->has_stale = true;
  return atomic_load_explicit(&self->row_count, memory_order_relaxed) <= self->row_capacity &&
         self->tile_end == self->tiles.tile_count;
}

// Returns false if all lists must be rebuilt.
static bool rebuild_stale(weft__self* self, const weft__stage* stage) {
  mark_stale(self, stage);
  restore_lists(self, stage);
  const uint32_t decision = weft__stage_decide(stage, choose_rebuild, self);
  if (decision != REBUILD_STALE) return decision == REBUILD_NONE;
  list_stale_tiles(self, stage);
  return weft__stage_decide(stage, stale_fit, self);
}

enum { LISTS_VALID, LISTS_RESTORE, LISTS_CHECK, LISTS_REBUILD };

// completion: lists are valid while no two particles have moved by more than the skin relative to
// each other
static uint32_t choose_lists(void* context) {
  weft__self* self = context;
  if (!self->is_listed) return LISTS_REBUILD;
  if (!(displacement_extent_sq(self) <= self->skin * self->skin)) return LISTS_CHECK;
  const bool had_stale = self->has_stale;
  self->has_stale = false;
  return had_stale ? LISTS_RESTORE : LISTS_VALID;
}

void weft__self_find_neighbors(weft__self* self, const weft__stage* stage) {
  const uint32_t decision = weft__stage_decide(stage, choose_lists, self);
  if (decision == LISTS_VALID) return;
  if (decision == LISTS_RESTORE) {
    restore_lists(self, stage);
    weft__stage_barrier(stage);
    return;
  }
  weft__self_refit_boxes(&self->tiles, stage);
  if (decision == LISTS_REBUILD || !rebuild_stale(self, stage)) rebuild_all(self, stage);
}
