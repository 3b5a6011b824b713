/* Points sorted into cubic cells, to find those that are near each other.
 *
 * Space is endless and cells are many, so cells share buckets of a table by a hash of their numbers. What is hashed
 * is a block of four cells in a row along x, whose buckets stand side by side: most of what a point has around it
 * lies in nine rows of three cells, and each of these is one range of the sorted items, or two.
 *
 *     key      z (21 bits)  y (21 bits)  x (21 bits)      of a cell, each number modulo 2^21
 *     bucket   hash(all but the last two bits of x), last two bits of x
 *
 * Items are sorted by bucket in two passes, both stable: first into 256 parts by the leading bits, with a count for
 * each worker and part, and then each part by itself, which one worker does. So items of a bucket stand in
 * ascending order whatever the workers, nobody needs atomics, and nothing costs more than its share where all
 * points are in one place. (A dense grid over all points would be simpler; a cloth that lies askew, or one
 * particle that has flown away, makes it mostly empty, or too coarse.)
 *
 * Points that are no numbers count as 0. Cells 2^21 apart have the same key: whoever looks for neighbours
 * measures distances anyway. */
#ifndef WEFT_CONTACT_GRID_H
#define WEFT_CONTACT_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "workers/worker_pool.h"

#define WEFT__GRID_PARTS 256u
#define WEFT__GRID_AXIS_BITS 21
#define WEFT__GRID_AXIS_MASK ((1ull << WEFT__GRID_AXIS_BITS) - 1)
#define WEFT__GRID_BLOCK_BITS 2
#define WEFT__GRID_BLOCK_MASK ((1ull << WEFT__GRID_BLOCK_BITS) - 1)

/* What is sorted: the points list[0], list[1] .. of these columns, or 0, 1 .. where list is NULL. An item is the
 * place of a point in the list. */
typedef struct weft__grid_points {
  const float* x; /* metres */
  const float* y;
  const float* z;
  const uint32_t* list; /* [count] */
  uint32_t count;
} weft__grid_points;

typedef struct weft__grid_entry {
  uint64_t key;
  uint32_t item;
} weft__grid_entry;

typedef struct weft__grid {
  uint32_t capacity; /* items that there is room for */
  uint32_t item_count;
  uint32_t bucket_count; /* a power of two */
  uint32_t hash_shift;   /* leaves the number of a bucket's block */
  uint32_t part_shift;   /* leaves the part of a bucket */
  float inv_size;        /* 1/metres: one over the size of a cell */
  uint32_t* first;       /* the items of bucket b are [first[b], first[b + 1]) [bucket_count + 1] */
  uint32_t* items;       /* sorted [item_count] */
  uint64_t* keys;        /* of the cells that they are in [item_count] */
  weft__grid_entry* entries; /* by part [item_count] */
  uint32_t* part_counts;     /* [worker_count x WEFT__GRID_PARTS] */
  void* block;               /* the one allocation behind all of it */
  size_t bytes;
} weft__grid;

/* Makes room for so many items and workers. False when memory cannot be had. */
bool weft__grid_create(weft__grid* grid, uint32_t capacity, uint32_t worker_count);

void weft__grid_destroy(weft__grid* grid);

/* Sorts points, at most `capacity`, into cells of this size, in metres and above 0. All workers call it with the
 * same arguments but for `worker`, and have met again when it returns. Allocates nothing. */
void weft__grid_sort(weft__grid* grid, const weft__grid_points* points, float cell_size,
                     weft__worker_pool* pool, uint32_t worker);

typedef void weft__grid_visit(void* context, uint32_t item);

/* Visits every item that lies in a box of `least[3]` to `most[3]`, in metres, and others that are near it, or all
 * where the box has more cells than there are items. None is visited twice. The order is the same for any number of
 * workers. Visits are given what stands in `items`: whoever sorted may put numbers of its own there. */
void weft__grid_find(const weft__grid* grid, const float* least, const float* most,
                     weft__grid_visit* visit, void* context);

// ---- for those who go through rows of cells themselves ----

/* The number of the cell along an axis: never falls where the coordinate rises. The product of two floats is exact, so
 * two coordinates that are less than a cell apart are in the same cell or in neighbours, however large they are. */
static inline int64_t weft__grid_number(float coordinate, float inv_size) {
  const double beyond = 1099511627776.0;  // 2^40: floats are far coarser than cells there
  const double cells = (double)coordinate * (double)inv_size;
  if (!(cells > -beyond)) return cells <= -beyond ? -((int64_t)1 << 40) : 0;
  if (cells >= beyond) return (int64_t)1 << 40;
  const int64_t towards_0 = (int64_t)cells;
  return towards_0 - ((double)towards_0 > cells);
}

/* All of a key but x. */
static inline uint64_t weft__grid_row(int64_t y, int64_t z) {
  return ((uint64_t)z & WEFT__GRID_AXIS_MASK) << 2 * WEFT__GRID_AXIS_BITS |
         ((uint64_t)y & WEFT__GRID_AXIS_MASK) << WEFT__GRID_AXIS_BITS;
}

static inline uint64_t weft__grid_key(int64_t x, uint64_t row) {
  return row | ((uint64_t)x & WEFT__GRID_AXIS_MASK);
}

static inline uint32_t weft__grid_bucket(const weft__grid* grid, uint64_t key) {
  // Fibonacci hashing (Knuth, TAOCP vol. 3, section 6.4), of bits that are mixed first
  uint64_t block = key >> WEFT__GRID_BLOCK_BITS;
  block ^= block >> 29;
  const uint64_t hash = block * 0x9e3779b97f4a7c15ull >> grid->hash_shift;
  return (uint32_t)(hash << WEFT__GRID_BLOCK_BITS | (key & WEFT__GRID_BLOCK_MASK));
}

/* Cells x to end - 1 of a row, which lie in one block. Of the items in [first, last) those that have this in
 * `keys`, but for its last two bits, are in these cells. */
typedef struct weft__grid_piece {
  uint32_t first, last;
  uint64_t block;
  int64_t end;
} weft__grid_piece;

/* Whether the item at this place of the sorted ones is in the cells of a piece. */
static inline bool weft__grid_is_in(const weft__grid* grid, const weft__grid_piece* piece,
                                    uint32_t place) {
  return grid->keys[place] >> WEFT__GRID_BLOCK_BITS == piece->block;
}

/* The first piece of the cells x to `most` of a row; the next one begins at its end. */
static inline weft__grid_piece weft__grid_piece_of(const weft__grid* grid, uint64_t row, int64_t x,
                                                   int64_t most) {
  const int64_t block_end = (x | (int64_t)WEFT__GRID_BLOCK_MASK) + 1;
  const int64_t end = most < block_end ? most + 1 : block_end;
  const uint64_t key = weft__grid_key(x, row);
  const uint32_t bucket = weft__grid_bucket(grid, key);
  return (weft__grid_piece){.first = grid->first[bucket],
                            .last = grid->first[bucket + (uint32_t)(end - x)],
                            .block = key >> WEFT__GRID_BLOCK_BITS,
                            .end = end};
}

#endif
