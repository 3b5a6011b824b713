#include "contact/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

// buckets for each item: at most half of them are full, and rows of four stay mostly apart
#define BUCKETS_AN_ITEM 2u
#define PART_BITS 8u

static void place(weft__grid* grid, weft__arena* arena, uint32_t worker_count) {
  grid->first = weft__arena_take(arena, (size_t)grid->bucket_count + 1, sizeof(*grid->first));
  grid->items = weft__arena_take(arena, grid->capacity, sizeof(*grid->items));
  grid->keys = weft__arena_take(arena, grid->capacity, sizeof(*grid->keys));
  grid->entries = weft__arena_take(arena, grid->capacity, sizeof(*grid->entries));
  grid->part_counts =
      weft__arena_take(arena, (size_t)worker_count * WEFT__GRID_PARTS, sizeof(*grid->part_counts));
}

bool weft__grid_create(weft__grid* grid, uint32_t capacity, uint32_t worker_count) {
  uint32_t bits = PART_BITS;
  while (bits < 31 && (1ull << bits) < (uint64_t)capacity * BUCKETS_AN_ITEM) ++bits;
  *grid = (weft__grid){.capacity = capacity,
                       .bucket_count = 1u << bits,
                       .hash_shift = 64 - (bits - WEFT__GRID_BLOCK_BITS),
                       .part_shift = bits - PART_BITS,
                       .inv_size = 1.0f};
  weft__arena arena = {0};
  place(grid, &arena, worker_count);
  if (!weft__arena_open(&arena)) {
    *grid = (weft__grid){0};
    return false;
  }
  place(grid, &arena, worker_count);
  grid->block = arena.block;
  grid->bytes = arena.used;
  return true;
}

void weft__grid_destroy(weft__grid* grid) {
  free(grid->block);
  *grid = (weft__grid){0};
}

// ---- sorting ----

static uint64_t key_of(const weft__grid_points* points, uint32_t item, float inv_size) {
  const uint32_t p = points->list == NULL ? item : points->list[item];
  const int64_t y = weft__grid_number(points->y[p], inv_size);
  const int64_t z = weft__grid_number(points->z[p], inv_size);
  return weft__grid_key(weft__grid_number(points->x[p], inv_size), weft__grid_row(y, z));
}

static uint32_t part_of(const weft__grid* grid, uint64_t key) {
  return weft__grid_bucket(grid, key) >> grid->part_shift;
}

// keys stand where sorted ones will, until the parts are sorted
static void count_parts(const weft__grid* grid, const weft__grid_points* points, float inv_size,
                        weft__range share, uint32_t* counts) {
  memset(counts, 0, WEFT__GRID_PARTS * sizeof(*counts));
  for (uint32_t i = share.begin; i < share.end; ++i) {
    grid->keys[i] = key_of(points, i, inv_size);
    ++counts[part_of(grid, grid->keys[i])];
  }
}

// where each part starts, and where in it this worker's items do
static void find_starts(const weft__grid* grid, uint32_t worker, uint32_t worker_count,
                        uint32_t part_first[WEFT__GRID_PARTS + 1],
                        uint32_t own_first[WEFT__GRID_PARTS]) {
  uint32_t sum = 0;
  for (uint32_t p = 0; p < WEFT__GRID_PARTS; ++p) {
    part_first[p] = sum;
    for (uint32_t w = 0; w < worker_count; ++w) {
      if (w == worker) own_first[p] = sum;
      sum += grid->part_counts[w * WEFT__GRID_PARTS + p];
    }
  }
  part_first[WEFT__GRID_PARTS] = sum;
}

static void scatter(const weft__grid* grid, weft__range share, uint32_t* next) {
  for (uint32_t i = share.begin; i < share.end; ++i) {
    const uint64_t key = grid->keys[i];
    grid->entries[next[part_of(grid, key)]++] = (weft__grid_entry){key, i};
  }
}

// a counting sort of entries [begin, end) into the buckets of their part
static void sort_part(const weft__grid* grid, uint32_t part, uint32_t begin, uint32_t end) {
  uint32_t* first = grid->first + ((size_t)part << grid->part_shift);
  const uint32_t bucket_count = 1u << grid->part_shift;
  memset(first, 0, bucket_count * sizeof(*first));
  const uint32_t bucket_of_first = part << grid->part_shift;
  for (uint32_t e = begin; e < end; ++e) {
    ++first[weft__grid_bucket(grid, grid->entries[e].key) - bucket_of_first];
  }
  // to where each bucket ends, and then back to where it starts: backwards, so that order stays
  uint32_t sum = begin;
  for (uint32_t b = 0; b < bucket_count; ++b) first[b] = sum += first[b];
  for (uint32_t e = end; e-- > begin;) {
    const weft__grid_entry* entry = &grid->entries[e];
    const uint32_t at = --first[weft__grid_bucket(grid, entry->key) - bucket_of_first];
    grid->items[at] = entry->item;
    grid->keys[at] = entry->key;
  }
}

// parts with as many items to each worker; a part is work even where it is empty
static bool is_ones_own(const uint32_t* part_first, uint32_t part, weft__range share) {
  const uint32_t work = part_first[part] + part;
  return work >= share.begin && work < share.end;
}

static void sort_parts(const weft__grid* grid, const uint32_t* part_first, uint32_t worker,
                       uint32_t worker_count) {
  const uint32_t count = part_first[WEFT__GRID_PARTS];
  const weft__range share = weft__share(count + WEFT__GRID_PARTS, worker, worker_count);
  for (uint32_t part = 0; part < WEFT__GRID_PARTS; ++part) {
    if (!is_ones_own(part_first, part, share)) continue;
    sort_part(grid, part, part_first[part], part_first[part + 1]);
  }
  if (worker == 0) grid->first[grid->bucket_count] = count;
}

void weft__grid_sort(weft__grid* grid, const weft__grid_points* points, float cell_size,
                     weft__worker_pool* pool, uint32_t worker) {
  const uint32_t worker_count = weft__worker_pool_count(pool);
  const weft__range share = weft__share(points->count, worker, worker_count);
  const float inv_size = 1.0f / cell_size;
  if (worker == 0) {
    grid->item_count = points->count;
    grid->inv_size = inv_size;
  }
  count_parts(grid, points, inv_size, share, grid->part_counts + worker * WEFT__GRID_PARTS);
  weft__worker_pool_meet(pool);

  uint32_t part_first[WEFT__GRID_PARTS + 1];
  uint32_t own_first[WEFT__GRID_PARTS] = {0};
  find_starts(grid, worker, worker_count, part_first, own_first);
  scatter(grid, share, own_first);
  weft__worker_pool_meet(pool);

  sort_parts(grid, part_first, worker, worker_count);
  weft__worker_pool_meet(pool);
}

// ---- finding ----

typedef struct cell_box {
  int64_t least[3], most[3];
} cell_box;

// whether it is better to go through all items than through the cells of the box
static bool is_too_large(const weft__grid* grid, const cell_box* box) {
  double cells = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double across = (double)(box->most[axis] - box->least[axis]) + 1.0;
    if (across > (double)WEFT__GRID_AXIS_MASK) return true;
    cells *= across;
  }
  return cells > (double)grid->item_count;
}

static void find_in_row(const weft__grid* grid, uint64_t row, const cell_box* box,
                        weft__grid_visit* visit, void* context) {
  for (int64_t x = box->least[0]; x <= box->most[0];) {
    const weft__grid_piece piece = weft__grid_piece_of(grid, row, x, box->most[0]);
    for (uint32_t i = piece.first; i < piece.last; ++i) {
      if (weft__grid_is_in(grid, &piece, i)) visit(context, grid->items[i]);
    }
    x = piece.end;
  }
}

void weft__grid_find(const weft__grid* grid, const float* least, const float* most,
                     weft__grid_visit* visit, void* context) {
  cell_box box;
  for (int axis = 0; axis < 3; ++axis) {
    box.least[axis] = weft__grid_number(least[axis], grid->inv_size);
    box.most[axis] = weft__grid_number(most[axis], grid->inv_size);
  }
  if (is_too_large(grid, &box)) {
    for (uint32_t i = 0; i < grid->item_count; ++i) visit(context, grid->items[i]);
    return;
  }
  for (int64_t z = box.least[2]; z <= box.most[2]; ++z) {
    for (int64_t y = box.least[1]; y <= box.most[1]; ++y) {
      find_in_row(grid, weft__grid_row(y, z), &box, visit, context);
    }
  }
}
