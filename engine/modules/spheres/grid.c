#include "modules/spheres/grid.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/grain_size.h"
#include "base/min_max.h"
#include "parallel/atomic_max.h"

// boxes further out share the last cell
#define LAST_CELL 1e9
// bits along one axis
#define MAX_CELL_BITS 18u
// bound on the rounding of upper - lower, over the width
#define ROUNDING 0x1p-22
// number of bodies that are not finite
#define NOT_IN_GRID UINT64_MAX
// flag in the material of an entry
#define PINNED (1u << 31)

#define BODY_GRAIN WEFT__GRAIN(512u, 4u)
// larger where a piece begins with a pass over all levels
#define MEASURE_GRAIN WEFT__GRAIN(4096u, 4u)

typedef struct grid_args {
  weft__particle_contacts* state;
  const weft__step_context* step;
  double widths[WEFT__GRID_LEVELS][3]; /* cell widths, metres */
} grid_args;

// Exponent of the float: each level holds boxes up to twice as wide as the level before.
static uint32_t level_of(float width) {
  uint32_t bits = 0;
  memcpy(&bits, &width, sizeof(bits));
  const uint32_t exponent = bits >> 23 & 255u;
  return exponent < WEFT__GRID_LEVELS ? exponent : WEFT__GRID_LEVELS - 1;
}

static bool is_empty(const weft__aabb* box) {
  return box->lower[0] > box->upper[0];
}

static float width_along(const weft__aabb* box, int axis) {
  return box->upper[axis] - box->lower[axis];
}

// Median of three: neither long nor flat boxes change level by it.
static float width_of_box(const weft__aabb* box) {
  const float x = width_along(box, 0);
  const float y = width_along(box, 1);
  const float z = width_along(box, 2);
  return weft__maxf(weft__minf(x, y), weft__minf(weft__maxf(x, y), z));
}

static void measure_widths(void* context, weft__range own, uint32_t worker) {
  (void)worker;
  weft__particle_contacts* state = ((const grid_args*)context)->state;
  float widest[WEFT__GRID_LEVELS][3];
  for (uint32_t level = 0; level < WEFT__GRID_LEVELS; ++level) widest[level][0] = -1.0f;
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__aabb* box = &state->boxes[i];
    if (is_empty(box)) continue;
    float* level = widest[level_of(width_of_box(box))];
    const bool is_first = level[0] < 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
      const float width = width_along(box, axis);
      if (is_first || width > level[axis]) level[axis] = width;
    }
  }
  // boxes of no width still need a level
  for (uint32_t level = 0; level < WEFT__GRID_LEVELS; ++level) {
    for (int axis = 0; axis < 3 && widest[level][0] >= 0.0f; ++axis) {
      weft__atomic_max(&state->widest[level][axis], weft__maxf(widest[level][axis], FLT_MIN));
    }
  }
}

// Widths of all levels, 0 for empty ones. They never decrease with the level, so that a query
// covers few cells of its own level and of coarser ones.
static void cell_widths(const weft__particle_contacts* state, double widths[WEFT__GRID_LEVELS][3]) {
  double widest_so_far[3] = {0.0, 0.0, 0.0};
  for (uint32_t level = 0; level < WEFT__GRID_LEVELS; ++level) {
    for (int axis = 0; axis < 3; ++axis) {
      const uint32_t bits = atomic_load_explicit(&state->widest[level][axis], memory_order_relaxed);
      const double width = (double)weft__float_from_bits(bits);
      if (width > widest_so_far[axis]) widest_so_far[axis] = width;
      widths[level][axis] = width > 0.0 ? widest_so_far[axis] * (1.0 + ROUNDING) : 0.0;
    }
  }
}

static int32_t cell_of(double x, double width) {
  // a level with infinite boxes has one cell
  if (!(width < (double)INFINITY)) return 0;
  const double at = x / width;
  if (!(at > -LAST_CELL)) return (int32_t)-LAST_CELL;
  if (at > LAST_CELL) return (int32_t)LAST_CELL;
  const int32_t whole = (int32_t)at;
  return (double)whole > at ? whole - 1 : whole;
}

static void find_cells(void* context, weft__range own, uint32_t worker) {
  (void)worker;
  const grid_args* args = context;
  weft__particle_contacts* state = args->state;
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__aabb* box = &state->boxes[i];
    weft__grid_cell* cell = &state->cells[i];
    cell->level = WEFT__GRID_LEVELS;
    if (is_empty(box)) continue;
    cell->level = level_of(width_of_box(box));
    const double* width = args->widths[cell->level];
    for (int axis = 0; axis < 3; ++axis) {
      const double middle = 0.5 * ((double)box->lower[axis] + (double)box->upper[axis]);
      cell->at[axis] = cell_of(middle, width[axis]);
    }
  }
}

static void find_levels(weft__particle_contacts* state) {
  uint32_t index[WEFT__GRID_LEVELS];
  double widths[WEFT__GRID_LEVELS][3];
  cell_widths(state, widths);
  state->level_count = 0;
  for (uint32_t level = 0; level < WEFT__GRID_LEVELS; ++level) {
    const double* width = widths[level];
    for (int axis = 0; axis < 3; ++axis) {
      atomic_store_explicit(&state->widest[level][axis], 0, memory_order_relaxed);
    }
    if (!(width[0] > 0.0)) continue;
    index[level] = state->level_count;
    state->levels[state->level_count++] =
        (weft__grid_level){.level = level,
                           .width = {width[0], width[1], width[2]},
                           .lower = {INT32_MAX, INT32_MAX, INT32_MAX},
                           .upper = {INT32_MIN, INT32_MIN, INT32_MIN}};
  }
  for (uint32_t i = 0; i < state->body_count; ++i) {
    weft__grid_cell* cell = &state->cells[i];
    if (cell->level == WEFT__GRID_LEVELS) continue;
    cell->level = index[cell->level];
    weft__grid_level* level = &state->levels[cell->level];
    for (int axis = 0; axis < 3; ++axis) {
      if (cell->at[axis] < level->lower[axis]) level->lower[axis] = cell->at[axis];
      if (cell->at[axis] > level->upper[axis]) level->upper[axis] = cell->at[axis];
    }
  }
}

static uint32_t depth_of(const weft__grid_level* level) {
  return (uint32_t)level->upper[2] - (uint32_t)level->lower[2] + 1;
}

// Bits along each axis, for the level with the most cells; environments are stacked along z.
static void choose_bits(weft__particle_contacts* state, uint32_t environment_count) {
  for (int axis = 0; axis < 3; ++axis) {
    uint32_t bits = 0;
    for (uint32_t k = 0; k < state->level_count; ++k) {
      const weft__grid_level* level = &state->levels[k];
      uint64_t last = (uint32_t)level->upper[axis] - (uint32_t)level->lower[axis];
      if (axis == 2) last += (uint64_t)(environment_count - 1) * depth_of(level);
      while (bits < MAX_CELL_BITS && last >> bits != 0) ++bits;
    }
    state->cell_bits[axis] = bits;
  }
}

static uint64_t cell_number_along(const weft__particle_contacts* state,
                                  const weft__grid_level* level, int axis, int32_t at) {
  const uint32_t from_lower = (uint32_t)at - (uint32_t)level->lower[axis];
  return from_lower & ((1u << state->cell_bits[axis]) - 1);
}

// Number of the first cell of a row of an environment.
static uint64_t row_number(const weft__particle_contacts* state, uint32_t index,
                           uint32_t environment, int32_t y, int32_t z) {
  const weft__grid_level* level = &state->levels[index];
  const uint32_t* bits = state->cell_bits;
  uint64_t number = index;
  const uint32_t above = environment * depth_of(level);
  number = number << bits[2] | cell_number_along(state, level, 2, (int32_t)((uint32_t)z + above));
  number = number << bits[1] | cell_number_along(state, level, 1, y);
  return number << bits[0];
}

// Scratch of the sort is the memory of the entries.
static void sort_by_cell(weft__particle_contacts* state, const weft__schedule* schedule) {
  find_levels(state);
  choose_bits(state, schedule->environment_count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < state->body_count; ++i) {
    const weft__grid_cell* cell = &state->cells[i];
    uint64_t number = NOT_IN_GRID;
    if (cell->level < WEFT__GRID_LEVELS) {
      const weft__grid_level* level = &state->levels[cell->level];
      const uint32_t environment = weft__environment_of(schedule, state->particle[i]);
      number = row_number(state, cell->level, environment, cell->at[1], cell->at[2]) |
               cell_number_along(state, level, 0, cell->at[0]);
      ++count;
    }
    state->cell_order[i] = (weft__sort_item){number, i};
  }
  state->finite_count = count;
  // entries are written afterwards, and have the alignment of all columns
  weft__sort(state->cell_order, (void*)state->entries, state->body_count);
}

static void make_entries(void* context, weft__range own, uint32_t worker) {
  (void)worker;
  const grid_args* args = context;
  weft__particle_contacts* state = args->state;
  const weft__step_context* step = args->step;
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const uint32_t body = state->cell_order[i].value;
    const uint32_t particle = state->particle[body];
    const bool is_pinned = !(step->particles->inv_mass[particle] > 0.0f);
    state->entries[i] = (weft__grid_entry){
        .box = state->boxes[body],
        .body = body,
        .material = step->materials->of[particle] | (is_pinned ? PINNED : 0),
    };
  }
}

void weft__grid_sort(weft__particle_contacts* state, const weft__step_context* step) {
  const uint32_t count = state->body_count;
  grid_args args = {.state = state, .step = step};
  weft__step_for(step, count, MEASURE_GRAIN, measure_widths, &args);
  cell_widths(state, args.widths);
  weft__step_for(step, count, BODY_GRAIN, find_cells, &args);
  sort_by_cell(state, step->schedule);
  weft__step_for(step, count, BODY_GRAIN, make_entries, &args);
}

typedef struct query {
  const weft__particle_contacts* state;
  const weft__material* rows;
  weft__grid_entry entry;
  uint32_t entry_index;
  uint32_t environment;
  uint32_t* others;
  uint32_t count, capacity;
  uint32_t tests;
} query;

// Lower bound of `number`, by a galloping search from `from`.
static uint32_t gallop(const weft__sort_item* order, uint32_t count, uint32_t from,
                       uint64_t number) {
  uint32_t low = from;
  uint32_t high = from;
  uint32_t step = 1;
  if (from < count && order[from].key < number) {
    low = high = from + 1;
    while (high < count && order[high].key < number) {
      low = high + 1;
      high = count - low > step ? low + step : count;
      step *= 2;
    }
  } else {
    while (low > 0 && order[low - 1].key >= number) {
      high = low - 1;
      low = high > step ? high - step : 0;
      step *= 2;
    }
  }
  return weft__lower_bound(order, low, high, number);
}

static void test_entry(query* q, const weft__grid_entry* other) {
  if (!weft__aabb_overlaps(&q->entry.box, &other->box)) return;
  if ((q->entry.material & other->material & PINNED) != 0) return;
  const weft__surface* own_surface = &q->rows[q->entry.material & ~PINNED].surface;
  if (!weft__surfaces_collide(own_surface, &q->rows[other->material & ~PINNED].surface)) return;
  if (q->count < q->capacity) q->others[q->count] = other->body;
  ++q->count;
}

static void scan_range(query* q, uint64_t first, uint64_t last, uint32_t* begin) {
  const weft__particle_contacts* state = q->state;
  const weft__sort_item* order = state->cell_order;
  // earlier bodies of the same level have tested this pair already
  uint32_t from = q->entry_index + 1;
  if (first > order[q->entry_index].key) {
    from = *begin = gallop(order, state->finite_count, *begin, first);
  }
  for (uint32_t i = from; i < state->finite_count && order[i].key <= last; ++i) {
    if (q->count > WEFT__MAX_BODY_PAIRS || q->tests > WEFT__MAX_BODY_TESTS) return;
    if (++q->tests <= WEFT__MAX_BODY_TESTS) test_entry(q, &state->entries[i]);
  }
}

static void scan_row(query* q, uint32_t index, const int32_t range[2], int32_t y, int32_t z,
                     uint32_t* begin) {
  const weft__particle_contacts* state = q->state;
  const weft__grid_level* level = &state->levels[index];
  const uint64_t row = row_number(state, index, q->environment, y, z);
  const uint64_t first = row | cell_number_along(state, level, 0, range[0]);
  const uint64_t last = row | cell_number_along(state, level, 0, range[1]);
  if (first <= last) {
    scan_range(q, first, last, begin);
    return;
  }
  // numbers wrap around within the row
  scan_range(q, row, last, begin);
  scan_range(q, first, row | ((1u << state->cell_bits[0]) - 1), begin);
}

static void scan_level(query* q, uint32_t index, uint32_t begin[16]) {
  const weft__aabb* box = &q->entry.box;
  const weft__grid_level* level = &q->state->levels[index];
  int32_t range[3][2];
  for (int axis = 0; axis < 3; ++axis) {
    // boxes that reach in have their centre within half a cell width
    const double width = level->width[axis];
    range[axis][0] = cell_of((double)box->lower[axis] - 0.5 * width, width);
    range[axis][1] = cell_of((double)box->upper[axis] + 0.5 * width, width);
    if (range[axis][0] < level->lower[axis]) range[axis][0] = level->lower[axis];
    if (range[axis][1] > level->upper[axis]) range[axis][1] = level->upper[axis];
    if (range[axis][0] > range[axis][1]) return;
  }
  for (int32_t z = range[2][0]; z <= range[2][1]; ++z) {
    for (int32_t y = range[1][0]; y <= range[1][1]; ++y) {
      const uint32_t row = (uint32_t)(z - range[2][0]) % 4 * 4 + (uint32_t)(y - range[1][0]) % 4;
      scan_row(q, index, range[0], y, z, &begin[row]);
    }
  }
}

uint32_t weft__grid_find(const weft__particle_contacts* state, const weft__step_context* step,
                         weft__grid_cursors* cursors, uint32_t entry_index, uint32_t* others,
                         uint32_t capacity, uint32_t* tests) {
  *tests = 0;
  if (entry_index >= state->finite_count) return 0;
  query q = {
      .state = state,
      .rows = step->materials->rows,
      .entry = state->entries[entry_index],
      .entry_index = entry_index,
      .environment =
          weft__environment_of(step->schedule, state->particle[state->entries[entry_index].body]),
      .others = others,
      .capacity = capacity,
  };
  const uint32_t* bits = state->cell_bits;
  const uint32_t own =
      (uint32_t)(state->cell_order[entry_index].key >> (bits[0] + bits[1] + bits[2]));
  for (uint32_t index = own; index < state->level_count; ++index) {
    scan_level(&q, index, cursors->begin[index]);
  }
  *tests = q.tests;
  return q.count;
}
