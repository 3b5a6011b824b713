#include "collision/self/neighbors.h"

#include <math.h>
#include <string.h>

#include "collision/self/particle_pairs.h"

// Lists are all made anew when more than one in this many tiles are listed for a substep alone.
#define STALE_SHARE 6u
// To ask all tiles takes a tenth of what lists take: what lies still after it has moved is to be asked no more.
#define MOST_ASKED 24u

static weft__range own_tiles(const weft__self* cloth, const weft__contact_stage* stage) {
  return weft__share(cloth->tiles.tile_count, stage->worker, stage->worker_count);
}

// ---- boxes ----

static void join_16(const weft__tile_boxes* boxes, uint32_t level, uint32_t node) {
  const uint32_t first = boxes->first[level - 1] + node * WEFT__TILE;
  for (int axis = 0; axis < 3; ++axis) {
    float least = INFINITY;
    float most = -INFINITY;
    for (uint32_t i = first; i < first + WEFT__TILE; ++i) {
      least = boxes->least[axis][i] < least ? boxes->least[axis][i] : least;
      most = boxes->most[axis][i] > most ? boxes->most[axis][i] : most;
    }
    boxes->least[axis][boxes->first[level] + node] = least;
    boxes->most[axis][boxes->first[level] + node] = most;
  }
}

static void join_both(const weft__self_tiles* t, uint32_t level, uint32_t node) {
  join_16(&t->boxes, level, node);
  join_16(&t->ways, level, node);
}

// completion: the levels above the first are small
static uint32_t refit_upper_levels(void* context) {
  const weft__self_tiles* t = context;
  for (uint32_t level = 2; level < t->boxes.level_count; ++level) {
    for (uint32_t node = 0; node < t->boxes.count[level]; ++node) join_both(t, level, node);
  }
  return 0;
}

void weft__tile_boxes_refit(weft__self_tiles* t, const weft__contact_stage* stage) {
  if (t->boxes.level_count == 1) return;
  const weft__range own = weft__share(t->boxes.count[1], stage->worker, stage->worker_count);
  for (uint32_t node = own.begin; node < own.end; ++node) join_both(t, 1, node);
  (void)weft__worker_pool_decide(stage->pool, refit_upper_levels, t);
}

// ---- lists ----

enum { MOST_WAITING = 256 };

// Lists that have been found and wait to be put where there is room for them.
typedef struct event_ring {
  weft__tile_row* found;
  uint32_t used;
  uint32_t tiles[MOST_WAITING];
  uint32_t count;
} event_ring;

static void put_down(weft__self* cloth, event_ring* w) {
  weft__self_tiles* t = &cloth->tiles;
  // relaxed: what is in the rows is read after workers have met
  const uint64_t at = atomic_fetch_add_explicit(&cloth->row_count, w->used, memory_order_relaxed);
  if (at + w->used <= cloth->row_capacity) {
    memcpy(t->rows + at, w->found, w->used * sizeof(*w->found));
    uint32_t first = (uint32_t)at;
    for (uint32_t i = 0; i < w->count; ++i) {
      t->row_first[w->tiles[i]] = first;
      first += t->row_count[w->tiles[i]];
    }
  }
  w->used = w->count = 0;
}

static bool may_meet(const weft__self* cloth, const weft__materials* materials, uint32_t a,
                     uint32_t b) {
  const weft__material* of_a = weft__material_of(materials, cloth->particle[a]);
  const weft__material* of_b = weft__material_of(materials, cloth->particle[b]);
  return weft__surfaces_meet(&of_a->surface, &of_b->surface);
}

static uint64_t count_pairs(uint32_t tile, const weft__tile_row* row) {
  const uint32_t other = row->place / WEFT__TILE;
  const uint64_t pairs = (uint64_t)__builtin_popcount(row->lanes);
  return other < tile ? 2 * pairs : other == tile ? pairs : 0;
}

// leaves out those that may not meet
static void choose(const weft__self* cloth, const weft__materials* materials, uint32_t tile,
                   weft__tile_list* list) {
  uint32_t kept = 0;
  list->pairs = 0;
  for (uint32_t r = 0; r < list->count; ++r) {
    weft__tile_row row = list->rows[r];
    for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) {
      const uint32_t bit = 1u << lane;
      if ((row.lanes & bit) == 0) continue;
      if (!may_meet(cloth, materials, tile * WEFT__TILE + lane, row.place)) row.lanes ^= bit;
    }
    if (row.lanes == 0) continue;
    list->pairs += count_pairs(tile, &row);
    list->rows[kept++] = row;
  }
  list->count = kept;
}

static weft__tile_list new_list(weft__self* cloth, event_ring* w) {
  if (w->count == MOST_WAITING || w->used + WEFT__SELF_MOST_ROWS > WEFT__SELF_SCRATCH) {
    put_down(cloth, w);
  }
  return (weft__tile_list){
      .rows = w->found + w->used, .capacity = WEFT__SELF_MOST_ROWS, .end = cloth->tile_end};
}

static void find_near(const weft__self* cloth, const weft__contact_stage* stage, uint32_t tile,
                      weft__tile_list* list) {
  if (!cloth->has_cloth[tile] || tile >= cloth->tile_end) return;
  stage->kernels->list_tile(&cloth->tiles, tile, cloth->skin, list);
  if (cloth->is_choosy) choose(cloth, stage->materials, tile, list);
}

static void let_wait(weft__self* cloth, event_ring* w, uint32_t tile, const weft__tile_list* list) {
  cloth->tiles.row_count[tile] = list->count;
  cloth->tiles.row_first[tile] = 0;
  cloth->tiles.slots[tile].is_good = false;
  w->used += list->count;
  w->tiles[w->count++] = tile;
}

static event_ring new_event_ring(const weft__self* cloth, uint32_t worker) {
  return (event_ring){.found = cloth->scratch + (size_t)worker * WEFT__SELF_SCRATCH};
}

// ---- lists that stay ----

static void list_own(weft__self* cloth, const weft__contact_stage* stage) {
  const weft__range own = own_tiles(cloth, stage);
  cloth->shares[stage->worker].lost = cloth->shares[stage->worker].pairs = 0;
  event_ring w = new_event_ring(cloth, stage->worker);
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    weft__tile_list list = new_list(cloth, &w);
    find_near(cloth, stage, tile, &list);
    cloth->shares[stage->worker].lost += list.lost;
    cloth->shares[stage->worker].pairs += list.pairs;
    cloth->listed_pairs[tile] = list.pairs;
    let_wait(cloth, &w, tile, &list);
  }
  put_down(cloth, &w);
}

static uint64_t sum_pairs(const weft__self* cloth, uint64_t* lost) {
  uint64_t pairs = 0;
  *lost = 0;
  for (uint32_t w = 0; w < cloth->worker_count; ++w) {
    pairs += cloth->shares[w].pairs;
    *lost += cloth->shares[w].lost;
  }
  return pairs;
}

// the first tile whose own rows or pairs find no room
static uint32_t find_tile_end(const weft__self* cloth) {
  uint64_t rows = 0;
  uint64_t pairs = 0;
  for (uint32_t tile = 0; tile < cloth->tiles.tile_count; ++tile) {
    rows += cloth->tiles.row_count[tile];
    pairs += cloth->listed_pairs[tile];
    if (rows > cloth->row_capacity || pairs > 2 * cloth->pair_limit) return tile;
  }
  return cloth->tiles.tile_count;
}

static void keep_built(weft__self* cloth, const weft__contact_stage* stage) {
  const weft__range own = own_tiles(cloth, stage);
  const size_t first = (size_t)own.begin * WEFT__TILE;
  const size_t bytes = (size_t)(own.end - own.begin) * WEFT__TILE * sizeof(float);
  for (int axis = 0; axis < 3; ++axis) {
    memcpy(cloth->tiles.built[axis] + first, cloth->tiles.at[axis] + first, bytes);
  }
}

static void begin_rows(weft__self* cloth, uint32_t tile_end) {
  cloth->tile_end = tile_end;
  atomic_store_explicit(&cloth->row_count, 0, memory_order_relaxed);
}

// completion
static uint32_t begin_all(void* context) {
  weft__self* cloth = context;
  begin_rows(cloth, cloth->tiles.tile_count);
  return 0;
}

// completion: false where rows or pairs exceed the room; then only the first tiles are listed again
static uint32_t all_fit(void* context) {
  weft__self* cloth = context;
  const uint64_t rows = atomic_load_explicit(&cloth->row_count, memory_order_relaxed);
  cloth->found_pairs = sum_pairs(cloth, &cloth->cut_pairs);
  if (rows <= cloth->row_capacity && cloth->found_pairs <= 2 * cloth->pair_limit) return true;
  begin_rows(cloth, find_tile_end(cloth));
  return false;
}

typedef struct listing {
  weft__self* cloth;
  const weft__contact_stage* stage;
} listing;

// completion
static uint32_t end_all(void* context) {
  const listing* l = context;
  weft__self* cloth = l->cloth;
  uint64_t ignored;
  const uint64_t kept = sum_pairs(cloth, &ignored);
  cloth->lost += (cloth->found_pairs - kept + cloth->cut_pairs) / 2;
  cloth->pair_count = (uint32_t)(kept / 2);
  cloth->listed_end = (uint32_t)atomic_load_explicit(&cloth->row_count, memory_order_relaxed);
  cloth->is_listed = true;
  cloth->has_stale = false;
  cloth->asked = 0;
  weft__self_find_particle_pairs(cloth, l->stage);
  return 0;
}

static void keep_own(weft__self* cloth, const weft__contact_stage* stage) {
  const weft__range own = own_tiles(cloth, stage);
  const size_t bytes = (own.end - own.begin) * sizeof(uint32_t);
  memcpy(cloth->listed_first + own.begin, cloth->tiles.row_first + own.begin, bytes);
  memcpy(cloth->listed_count + own.begin, cloth->tiles.row_count + own.begin, bytes);
}

// boxes of all levels are good
static void list_all(weft__self* cloth, const weft__contact_stage* stage) {
  keep_built(cloth, stage);
  (void)weft__worker_pool_decide(stage->pool, begin_all, cloth);
  list_own(cloth, stage);
  if (!weft__worker_pool_decide(stage->pool, all_fit, cloth)) {
    list_own(cloth, stage);
    weft__worker_pool_meet(stage->pool);
  }
  keep_own(cloth, stage);
  listing l = {cloth, stage};
  (void)weft__worker_pool_decide(stage->pool, end_all, &l);
}

// ---- lists for one substep ----

static float squared_across(const weft__self* cloth) {
  float sum = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    float least = INFINITY;
    float most = -INFINITY;
    for (uint32_t w = 0; w < cloth->worker_count; ++w) {
      const weft__self_share* share = &cloth->shares[w];
      if (share->least[axis] < least) least = share->least[axis];
      if (share->most[axis] > most) most = share->most[axis];
    }
    sum += (most - least) * (most - least);
  }
  return sum;
}

static void find_stale(weft__self* cloth, const weft__contact_stage* stage) {
  const weft__range own = own_tiles(cloth, stage);
  uint32_t count = 0;
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    const bool is_stale =
        cloth->has_cloth[tile] != 0 && stage->kernels->is_stale(&cloth->tiles, tile, cloth->skin);
    cloth->is_stale[tile] = is_stale;
    count += is_stale;
  }
  cloth->shares[stage->worker].stale = count;
}

static uint32_t count_stale(const weft__self* cloth) {
  uint32_t count = 0;
  for (uint32_t w = 0; w < cloth->worker_count; ++w) count += cloth->shares[w].stale;
  return count;
}

// those of the last substep go
static void take_back(weft__self* cloth, const weft__contact_stage* stage) {
  const weft__range own = own_tiles(cloth, stage);
  weft__self_tiles* t = &cloth->tiles;
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    const uint32_t first = cloth->listed_first[tile];
    const uint32_t count = cloth->listed_count[tile];
    if (t->row_first[tile] == first && t->row_count[tile] == count) continue;
    t->row_first[tile] = first;
    t->row_count[tile] = count;
    t->slots[tile].is_good = false;
  }
}

// Of the list that stays, what is with tiles that are not stale.
static void keep_good(const weft__self* cloth, uint32_t tile, weft__tile_list* list) {
  const weft__tile_row* rows = cloth->tiles.rows + cloth->listed_first[tile];
  for (uint32_t r = 0; r < cloth->listed_count[tile]; ++r) {
    if (!cloth->is_stale[rows[r].place / WEFT__TILE]) list->rows[list->count++] = rows[r];
  }
}

// What two stale tiles have of each other is found anew, by both of them. The lists of others stay, so what is with
// these stays too: whatever is listed, both ends list it.
static void list_stale(weft__self* cloth, const weft__contact_stage* stage) {
  const weft__range own = own_tiles(cloth, stage);
  event_ring w = new_event_ring(cloth, stage->worker);
  for (uint32_t tile = own.begin; tile < own.end; ++tile) {
    if (!cloth->is_stale[tile]) continue;
    weft__tile_list list = new_list(cloth, &w);
    list.only = cloth->is_stale;
    keep_good(cloth, tile, &list);
    find_near(cloth, stage, tile, &list);
    let_wait(cloth, &w, tile, &list);
  }
  put_down(cloth, &w);
}

enum { RENEW_NONE, RENEW_STALE, RENEW_ALL };

// completion: chooses between listing no tile, the stale tiles, and all tiles anew
static uint32_t choose_renewal(void* context) {
  weft__self* cloth = context;
  const uint32_t count = count_stale(cloth);
  atomic_store_explicit(&cloth->row_count, cloth->listed_end, memory_order_relaxed);
  if (++cloth->asked > MOST_ASKED) return RENEW_ALL;
  if (count == 0) return RENEW_NONE;
  const bool are_many = count > cloth->tiles.tile_count / STALE_SHARE;
  return are_many || cloth->body_count > 0 ? RENEW_ALL : RENEW_STALE;
}

// completion: false where the rows of the stale tiles exceed the room
static uint32_t stale_fit(void* context) {
  weft__self* cloth = context;
  cloth->has_stale = true;
  return atomic_load_explicit(&cloth->row_count, memory_order_relaxed) <= cloth->row_capacity &&
         cloth->tile_end == cloth->tiles.tile_count;
}

// False where all tiles are to be listed.
static bool renew_stale(weft__self* cloth, const weft__contact_stage* stage) {
  find_stale(cloth, stage);
  take_back(cloth, stage);
  const uint32_t what = weft__worker_pool_decide(stage->pool, choose_renewal, cloth);
  if (what != RENEW_STALE) return what == RENEW_NONE;
  list_stale(cloth, stage);
  return weft__worker_pool_decide(stage->pool, stale_fit, cloth);
}

enum { LISTS_HOLD, LISTS_RESTORE, LISTS_RENEW, LISTS_ALL };

// completion: lists hold while no two particles have moved by more than the skin against each other
static uint32_t choose_lists(void* context) {
  weft__self* cloth = context;
  if (!cloth->is_listed) return LISTS_ALL;
  if (!(squared_across(cloth) <= cloth->skin * cloth->skin)) return LISTS_RENEW;
  const bool had_stale = cloth->has_stale;
  cloth->has_stale = false;
  return had_stale ? LISTS_RESTORE : LISTS_HOLD;
}

void weft__self_find_neighbors(weft__self* cloth, const weft__contact_stage* stage) {
  const uint32_t what = weft__worker_pool_decide(stage->pool, choose_lists, cloth);
  if (what == LISTS_HOLD) return;
  if (what == LISTS_RESTORE) {
    take_back(cloth, stage);
    weft__worker_pool_meet(stage->pool);
    return;
  }
  weft__tile_boxes_refit(&cloth->tiles, stage);
  if (what == LISTS_ALL || !renew_stale(cloth, stage)) list_all(cloth, stage);
}
