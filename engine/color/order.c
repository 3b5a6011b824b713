#include "color/order.h"

#include <stdlib.h>

#include "base/memory.h"

// bodies up to this size are one patch: solving them takes a microsecond, as a wait does
#define SMALL_BODY 1024u
#define LEAST_TARGET 256u
#define PATCHES_A_BODY 32u
#define MAX_TILE_COLUMNS 1024u

uint32_t weft__patch_target(uint32_t count) {
  if (count <= SMALL_BODY) return SMALL_BODY;
  const uint32_t target = count / PATCHES_A_BODY;
  if (target < LEAST_TARGET) return LEAST_TARGET;
  return target < WEFT__PATCH_PARTICLES ? target : WEFT__PATCH_PARTICLES;
}

bool weft__order_push_patch(weft__order* order, uint32_t count, bool whole) {
  const uint32_t begin = order->patch_first[order->patch_count];
  if (whole && order->last_is_whole) {
    const uint32_t merged = begin - order->patch_first[order->patch_count - 1] + count;
    if (merged <= SMALL_BODY) {
      order->patch_first[order->patch_count] += count;
      return true;
    }
  }
  order->last_is_whole = whole;
  if (!weft__grow((void**)&order->patch_first, &order->patch_capacity,
                  (size_t)order->patch_count + 2, sizeof(*order->patch_first))) {
    return false;
  }
  order->patch_first[++order->patch_count] = begin + count;
  return true;
}

// a lattice seen along its longer side, which becomes the row: longer rows make longer runs
typedef struct lattice {
  uint32_t first;
  uint32_t columns, rows;
  uint32_t column_step, row_step; /* between the caller's numbers */
} lattice;

static lattice lattice_of(const weft__part* part) {
  const uint32_t columns = part->columns;
  const uint32_t rows = part->particle_count / columns;
  if (columns >= rows) return (lattice){part->first_particle, columns, rows, 1, columns};
  return (lattice){part->first_particle, rows, columns, columns, 1};
}

// appends the columns [begin, end) of a row, even ones first
static uint32_t* order_row(uint32_t* user_of, const lattice* grid, uint32_t row, uint32_t begin,
                           uint32_t end) {
  const uint32_t first = grid->first + row * grid->row_step;
  for (uint32_t parity = 0; parity < 2; ++parity) {
    for (uint32_t column = begin + parity; column < end; column += 2) {
      *user_of++ = first + column * grid->column_step;
    }
  }
  return user_of;
}

// cuts the lattice into tiles of whole row pieces, each a patch
static bool order_lattice(weft__order* order, const weft__part* part) {
  const lattice grid = lattice_of(part);
  const uint32_t target = weft__patch_target(part->particle_count);
  const uint32_t blocks = (grid.columns + MAX_TILE_COLUMNS - 1) / MAX_TILE_COLUMNS;
  const uint32_t width = (grid.columns + blocks - 1) / blocks;
  const uint32_t height = target / width < 2 ? 2 : target / width;
  for (uint32_t top = 0; top < grid.rows; top += height) {
    const uint32_t bottom = grid.rows - top < height ? grid.rows : top + height;
    for (uint32_t left = 0; left < grid.columns; left += width) {
      const uint32_t right = grid.columns - left < width ? grid.columns : left + width;
      uint32_t* next = order->user_of + order->patch_first[order->patch_count];
      for (uint32_t row = top; row < bottom; ++row) next = order_row(next, &grid, row, left, right);
      const uint32_t count = (bottom - top) * (right - left);
      if (!weft__order_push_patch(order, count, count == part->particle_count)) return false;
    }
  }
  return true;
}

static bool order_parts(weft__order* order, const weft_scene* scene) {
  for (size_t p = 0; p < scene->part_count; ++p) {
    const weft__part* part = &scene->parts[p];
    if (part->columns > 0 && !order_lattice(order, part)) return false;
  }
  return weft__order_graph(order, scene);
}

bool weft__order_create(weft__order* order, const weft_scene* scene) {
  const uint32_t count = scene->particle_count;
  *order = (weft__order){
      .particle_count = count,
      .user_of = weft__alloc(count, sizeof(*order->user_of)),
      .solver_of = weft__alloc(count, sizeof(*order->solver_of)),
  };
  const bool made = order->user_of != NULL && order->solver_of != NULL &&
                    weft__grow((void**)&order->patch_first, &order->patch_capacity, 1,
                               sizeof(*order->patch_first));
  if (made) order->patch_first[0] = 0;
  if (!made || !order_parts(order, scene)) {
    weft__order_destroy(order);
    return false;
  }
  for (uint32_t i = 0; i < count; ++i) order->solver_of[order->user_of[i]] = i;
  return true;
}

void weft__order_destroy(weft__order* order) {
  free(order->user_of);
  free(order->solver_of);
  free(order->patch_first);
  *order = (weft__order){0};
}
