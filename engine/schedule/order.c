#include "schedule/order.h"

#include "base/grain_size.h"
#include "base/memory.h"
#include "base/sort.h"

// bodies up to this size are one patch: solving one takes as long as a wait, a microsecond
#define SMALL_BODY WEFT__GRAIN(2048u, 24u)
#define MIN_TARGET WEFT__GRAIN(512u, 24u)
#define PATCHES_PER_BODY 16u
#define MAX_TILE_COLUMNS 2048u

uint32_t weft__patch_target(uint32_t count) {
  if (count <= SMALL_BODY) return SMALL_BODY;
  const uint32_t target = count / PATCHES_PER_BODY;
  if (target < MIN_TARGET) return MIN_TARGET;
  return target < WEFT__PATCH_PARTICLES ? target : WEFT__PATCH_PARTICLES;
}

bool weft__order_push_patch(weft__order* order, uint32_t count, bool whole, uint32_t key) {
  if (!weft__grow((void**)&order->pushes, &order->push_capacity, order->push_count + 1,
                  sizeof(*order->pushes))) {
    return false;
  }
  order->pushes[order->push_count++] = count << 1 | (whole ? 1u : 0u);
  const uint32_t begin = order->patch_first[order->patch_count];
  if (whole && order->last_is_whole && order->last_key == key) {
    const uint32_t merged = begin - order->patch_first[order->patch_count - 1] + count;
    if (merged <= order->shared_patch) {
      order->patch_first[order->patch_count] += count;
      return true;
    }
  }
  order->last_is_whole = whole;
  order->last_key = key;
  if (!weft__grow((void**)&order->patch_first, &order->patch_capacity,
                  (size_t)order->patch_count + 2, sizeof(*order->patch_first))) {
    return false;
  }
  order->patch_first[++order->patch_count] = begin + count;
  return true;
}

// The longer side is the row: longer runs.
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

typedef struct tile {
  uint32_t left, right, top, bottom;
} tile;

static uint32_t* order_class(uint32_t* user_of, const lattice* grid, tile t) {
  for (uint32_t row = t.top; row < t.bottom; row += 2) {
    for (uint32_t column = t.left; column < t.right; column += 2) {
      *user_of++ = grid->first + row * grid->row_step + column * grid->column_step;
    }
  }
  return user_of;
}

// Class by class. Even and odd columns have rows of equal length, so that a link to the next row
// has one distance throughout the tile; an extra column comes last.
static void order_tile(uint32_t* user_of, const lattice* grid, tile t) {
  const uint32_t even_right = t.left + (t.right - t.left) / 2 * 2;
  for (uint32_t row = 0; row < 2; ++row) {
    for (uint32_t column = 0; column < 2; ++column) {
      const tile from = {t.left + column, even_right, t.top + row, t.bottom};
      user_of = order_class(user_of, grid, from);
    }
  }
  for (uint32_t row = 0; row < 2; ++row) {
    user_of = order_class(user_of, grid, (tile){even_right, t.right, t.top + row, t.bottom});
  }
}

weft__tile_size weft__tile_size_of(uint32_t columns, uint32_t rows) {
  const uint32_t target = weft__patch_target(columns * rows);
  const uint32_t blocks = (columns + MAX_TILE_COLUMNS - 1) / MAX_TILE_COLUMNS;
  const uint32_t width = (columns + blocks - 1) / blocks;
  const uint32_t rounded = (target + width / 2) / width;
  return (weft__tile_size){width, rounded < 1 ? 1 : rounded};
}

static bool order_lattice(weft__order* order, const weft__part* part) {
  const lattice grid = lattice_of(part);
  // rows of a larger lattice have its tiles
  const uint32_t rows = part->lattice_rows > 0 ? part->lattice_rows : grid.rows;
  const weft__tile_size size = weft__tile_size_of(grid.columns, rows);
  const uint32_t width = size.width, height = size.height;
  for (uint32_t top = 0; top < grid.rows; top += height) {
    const uint32_t bottom = grid.rows - top < height ? grid.rows : top + height;
    for (uint32_t left = 0; left < grid.columns; left += width) {
      const uint32_t right = grid.columns - left < width ? grid.columns : left + width;
      const uint32_t count = (bottom - top) * (right - left);
      order_tile(order->user_of + order->patch_first[order->patch_count], &grid,
                 (tile){left, right, top, bottom});
      const bool is_whole = count == part->particle_count;
      if (!weft__order_push_patch(order, count, is_whole, part->patch_key)) return false;
    }
  }
  return true;
}

// By environment, each in the scene's order.
typedef struct part_list {
  weft__sort_item* items; /* key: environment, value: part [part_count] */
  weft__sort_item* scratch;
  weft__graph_order* graph; /* NULL if all parts are lattices */
} part_list;

static void destroy_list(part_list* list) {
  weft__free(list->items);
  weft__free(list->scratch);
  weft__graph_order_destroy(list->graph);
}

static bool create_list(part_list* list, const weft_scene* scene) {
  const size_t count = scene->part_count;
  *list = (part_list){.items = weft__alloc(count, sizeof(*list->items)),
                      .scratch = weft__alloc(count, sizeof(*list->scratch))};
  if (list->items == NULL || list->scratch == NULL) return false;
  bool has_graph = false;
  for (size_t p = 0; p < count; ++p) {
    list->items[p] = (weft__sort_item){scene->parts[p].environment, (uint32_t)p};
    has_graph |= scene->parts[p].columns == 0;
  }
  weft__sort(list->items, list->scratch, count);
  if (has_graph) list->graph = weft__graph_order_create(scene);
  return !has_graph || list->graph != NULL;
}

static bool order_environment(weft__order* order, const weft_scene* scene, const part_list* list,
                              size_t begin, size_t end) {
  order->last_is_whole = false;
  for (size_t n = begin; n < end; ++n) {
    const weft__part* part = &scene->parts[list->items[n].value];
    if (part->columns > 0 && !order_lattice(order, part)) return false;
  }
  for (size_t n = begin; n < end; ++n) {
    const weft__part* part = &scene->parts[list->items[n].value];
    if (part->columns == 0 && !weft__graph_order_part(list->graph, order, part)) return false;
  }
  return true;
}

static bool order_environments(weft__order* order, const weft_scene* scene, const part_list* list) {
  size_t begin = 0;
  for (uint32_t e = 0; e < order->environment_count; ++e) {
    size_t end = begin;
    while (end < scene->part_count && list->items[end].key == e) ++end;
    order->environment_first[e] = order->patch_count;
    if (!order_environment(order, scene, list, begin, end)) return false;
    begin = end;
  }
  order->environment_first[order->environment_count] = order->patch_count;
  return true;
}

static bool order_parts(weft__order* order, const weft_scene* scene) {
  part_list list;
  const bool done = create_list(&list, scene) && order_environments(order, scene, &list);
  destroy_list(&list);
  return done;
}

bool weft__order_create(weft__order* order, const weft_scene* scene) {
  const uint32_t count = scene->particle_count;
  *order = (weft__order){
      .particle_count = count,
      .shared_patch = scene->shared_patch > 0 ? scene->shared_patch : SMALL_BODY,
      .user_of = weft__alloc(count, sizeof(*order->user_of)),
      .solver_of = weft__alloc(count, sizeof(*order->solver_of)),
      .environment_count = weft__scene_environment_count(scene),
  };
  order->environment_first =
      weft__alloc((size_t)order->environment_count + 1, sizeof(*order->environment_first));
  const bool made = order->user_of != NULL && order->solver_of != NULL &&
                    order->environment_first != NULL &&
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
  weft__free(order->user_of);
  weft__free(order->solver_of);
  weft__free(order->patch_first);
  weft__free(order->pushes);
  weft__free(order->environment_first);
  *order = (weft__order){0};
}
