#include "impulses/cells.h"

#include <float.h>
#include <math.h>
#include <string.h>

// cells are counted no further than this from 0: what is beyond is in the last one
#define LAST_CELL 1e9
// of the number of a cell along an axis
#define MOST_BITS 18u
// a box is wider than the difference of its sides, as it is rounded, by less than this share
#define ROUNDING 0x1p-22
// the number of what is nowhere
#define NOWHERE UINT64_MAX
// among the rows of an entry
#define PINNED (1u << 31)

// ---- levels ----

// twice as wide, one level more
static uint32_t level_of(float width) {
  uint32_t bits = 0;
  memcpy(&bits, &width, sizeof(bits));
  const uint32_t exponent = bits >> 23 & 255u;
  return exponent < WEFT__CELL_LEVELS ? exponent : WEFT__CELL_LEVELS - 1;
}

static bool is_nowhere(const weft__box* box) {
  return box->least[0] > box->most[0];
}

static float width_of_box(const weft__box* box) {
  float width = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    const float along = box->most[axis] - box->least[axis];
    if (along > width) width = along;
  }
  return width;
}

static void find_widths(weft__impulses* impulses, weft__range own) {
  float widest[WEFT__CELL_LEVELS];
  for (uint32_t level = 0; level < WEFT__CELL_LEVELS; ++level) widest[level] = -1.0f;
  for (uint32_t i = own.begin; i < own.end; ++i) {
    if (is_nowhere(&impulses->boxes[i])) continue;
    const float width = width_of_box(&impulses->boxes[i]);
    const uint32_t level = level_of(width);
    if (width > widest[level]) widest[level] = width;
  }
  // a level with boxes of no width is one, too
  for (uint32_t level = 0; level < WEFT__CELL_LEVELS; ++level) {
    if (widest[level] >= 0.0f) weft__raise(&impulses->widest[level], fmaxf(widest[level], FLT_MIN));
  }
}

static double cell_width(const weft__impulses* impulses, uint32_t level) {
  return (double)weft__raised(
             atomic_load_explicit(&impulses->widest[level], memory_order_relaxed)) *
         (1.0 + ROUNDING);
}

// ---- cells ----

static int32_t cell_of(double x, double width) {
  // boxes that are so wide meet anything
  if (!(width < (double)INFINITY)) return 0;
  const double at = x / width;
  if (!(at > -LAST_CELL)) return (int32_t)-LAST_CELL;
  if (at > LAST_CELL) return (int32_t)LAST_CELL;
  const int32_t whole = (int32_t)at;
  return (double)whole > at ? whole - 1 : whole;
}

static void find_cells(weft__impulses* impulses, weft__range own) {
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__box* box = &impulses->boxes[i];
    weft__near_cell* cell = &impulses->cells[i];
    cell->level = WEFT__CELL_LEVELS;
    if (is_nowhere(box)) continue;
    cell->level = level_of(width_of_box(box));
    const double width = cell_width(impulses, cell->level);
    for (int axis = 0; axis < 3; ++axis) {
      cell->at[axis] = cell_of(0.5 * ((double)box->least[axis] + (double)box->most[axis]), width);
    }
  }
}

// every level that there is, the finest first, and which cells of it there are
static void find_levels(weft__impulses* impulses) {
  uint32_t index[WEFT__CELL_LEVELS];
  impulses->level_count = 0;
  for (uint32_t level = 0; level < WEFT__CELL_LEVELS; ++level) {
    const double width = cell_width(impulses, level);
    atomic_store_explicit(&impulses->widest[level], 0, memory_order_relaxed);
    if (!(width > 0.0)) continue;
    index[level] = impulses->level_count;
    impulses->levels[impulses->level_count++] =
        (weft__cell_level){.level = level,
                           .width = width,
                           .least = {INT32_MAX, INT32_MAX, INT32_MAX},
                           .most = {INT32_MIN, INT32_MIN, INT32_MIN}};
  }
  for (uint32_t i = 0; i < impulses->body_count; ++i) {
    weft__near_cell* cell = &impulses->cells[i];
    if (cell->level == WEFT__CELL_LEVELS) continue;
    cell->level = index[cell->level];
    weft__cell_level* level = &impulses->levels[cell->level];
    for (int axis = 0; axis < 3; ++axis) {
      if (cell->at[axis] < level->least[axis]) level->least[axis] = cell->at[axis];
      if (cell->at[axis] > level->most[axis]) level->most[axis] = cell->at[axis];
    }
  }
}

// of the numbers along each axis, for the level with the most cells
static void find_bits(weft__impulses* impulses) {
  for (int axis = 0; axis < 3; ++axis) {
    uint32_t bits = 0;
    for (uint32_t k = 0; k < impulses->level_count; ++k) {
      const weft__cell_level* level = &impulses->levels[k];
      const uint32_t last = (uint32_t)level->most[axis] - (uint32_t)level->least[axis];
      while (bits < MOST_BITS && last >> bits != 0) ++bits;
    }
    impulses->cell_bits[axis] = bits;
  }
}

static uint64_t number_along(const weft__impulses* impulses, const weft__cell_level* level,
                             int axis, int32_t at) {
  const uint32_t from_least = (uint32_t)at - (uint32_t)level->least[axis];
  return from_least & ((1u << impulses->cell_bits[axis]) - 1);
}

// of the first cell of a row, were the row to begin at number 0
static uint64_t number_of_row(const weft__impulses* impulses, uint32_t index, int32_t y,
                              int32_t z) {
  const weft__cell_level* level = &impulses->levels[index];
  const uint32_t* bits = impulses->cell_bits;
  uint64_t number = index;
  number = number << bits[2] | number_along(impulses, level, 2, z);
  number = number << bits[1] | number_along(impulses, level, 1, y);
  return number << bits[0];
}

// completion; the room of the entries is for the sort until these are made
static uint32_t sort(void* context) {
  weft__impulses* impulses = context;
  find_levels(impulses);
  find_bits(impulses);
  uint32_t count = 0;
  for (uint32_t i = 0; i < impulses->body_count; ++i) {
    const weft__near_cell* cell = &impulses->cells[i];
    uint64_t number = NOWHERE;
    if (cell->level < WEFT__CELL_LEVELS) {
      const weft__cell_level* level = &impulses->levels[cell->level];
      number = number_of_row(impulses, cell->level, cell->at[1], cell->at[2]) |
               number_along(impulses, level, 0, cell->at[0]);
      ++count;
    }
    impulses->order[i] = (weft__keyed){number, i};
  }
  impulses->somewhere = count;
  // entries are made next, and are aligned as all arrays are
  weft__sort(impulses->order, (void*)impulses->entries, impulses->body_count);
  return 0;
}

static void make_entries(weft__impulses* impulses, const weft__contact_stage* stage,
                         weft__range own) {
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const uint32_t body = impulses->order[i].value;
    const uint32_t particle = impulses->particle[body];
    const bool is_pinned = !(stage->particles->inv_mass[particle] > 0.0f);
    impulses->entries[i] = (weft__near_entry){
        .box = impulses->boxes[body],
        .body = body,
        .material = stage->materials->of[particle] | (is_pinned ? PINNED : 0),
    };
  }
}

void weft__cells_sort(weft__impulses* impulses, const weft__contact_stage* stage,
                      const weft__team* team) {
  const weft__range own = weft__team_share(team, impulses->body_count);
  find_widths(impulses, own);
  weft__team_meet(team);
  find_cells(impulses, own);
  (void)weft__team_decide(team, sort, impulses);
  make_entries(impulses, stage, own);
  weft__team_meet(team);
}

// ---- looking around ----

// what a body has found so far
typedef struct finding {
  const weft__impulses* impulses;
  const weft__material* rows;
  weft__near_entry entry;
  uint32_t place;
  uint32_t* others;
  uint32_t count, room;
} finding;

// The first place from where numbers are as large, near to another one: steps that double, and then halves.
static uint32_t seek(const weft__keyed* order, uint32_t count, uint32_t from, uint64_t number) {
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
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (order[middle].key < number) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static void consider(finding* f, const weft__near_entry* other) {
  if (!weft__boxes_overlap(&f->entry.box, &other->box)) return;
  if ((f->entry.material & other->material & PINNED) != 0) return;
  const weft__surface* one = &f->rows[f->entry.material & ~PINNED].surface;
  if (!weft__surfaces_meet(one, &f->rows[other->material & ~PINNED].surface)) return;
  if (f->count < f->room) f->others[f->count] = other->body;
  ++f->count;
}

// all that have a number within a run
static void look_along(finding* f, uint64_t first, uint64_t last, uint32_t* begin) {
  const weft__impulses* impulses = f->impulses;
  const weft__keyed* order = impulses->order;
  // those of its own level that come before it have looked already
  uint32_t from = f->place + 1;
  if (first > order[f->place].key) {
    from = *begin = seek(order, impulses->somewhere, *begin, first);
  }
  for (uint32_t i = from; i < impulses->somewhere && order[i].key <= last; ++i) {
    consider(f, &impulses->entries[i]);
  }
}

static void look_into_row(finding* f, uint32_t index, const int32_t range[2], int32_t y, int32_t z,
                          uint32_t* begin) {
  const weft__impulses* impulses = f->impulses;
  const weft__cell_level* level = &impulses->levels[index];
  const uint64_t row = number_of_row(impulses, index, y, z);
  const uint64_t first = row | number_along(impulses, level, 0, range[0]);
  const uint64_t last = row | number_along(impulses, level, 0, range[1]);
  if (first <= last) {
    look_along(f, first, last, begin);
    return;
  }
  // numbers begin anew within it
  look_along(f, row, last, begin);
  look_along(f, first, row | ((1u << impulses->cell_bits[0]) - 1), begin);
}

static void look_at_level(finding* f, uint32_t index, uint32_t begin[16]) {
  const weft__box* box = &f->entry.box;
  const weft__cell_level* level = &f->impulses->levels[index];
  int32_t range[3][2];
  for (int axis = 0; axis < 3; ++axis) {
    // those that reach as far have their middle so far away
    range[axis][0] = cell_of((double)box->least[axis] - 0.5 * level->width, level->width);
    range[axis][1] = cell_of((double)box->most[axis] + 0.5 * level->width, level->width);
    if (range[axis][0] < level->least[axis]) range[axis][0] = level->least[axis];
    if (range[axis][1] > level->most[axis]) range[axis][1] = level->most[axis];
    if (range[axis][0] > range[axis][1]) return;
  }
  for (int32_t z = range[2][0]; z <= range[2][1]; ++z) {
    for (int32_t y = range[1][0]; y <= range[1][1]; ++y) {
      const uint32_t row = (uint32_t)(z - range[2][0]) % 4 * 4 + (uint32_t)(y - range[1][0]) % 4;
      look_into_row(f, index, range[0], y, z, &begin[row]);
    }
  }
}

uint32_t weft__cells_find(const weft__impulses* impulses, const weft__contact_stage* stage,
                          weft__cell_runs* runs, uint32_t place, uint32_t* others, uint32_t room) {
  if (place >= impulses->somewhere) return 0;
  finding f = {
      .impulses = impulses,
      .rows = stage->materials->rows,
      .entry = impulses->entries[place],
      .place = place,
      .others = others,
      .room = room,
  };
  const uint32_t* bits = impulses->cell_bits;
  const uint32_t own = (uint32_t)(impulses->order[place].key >> (bits[0] + bits[1] + bits[2]));
  for (uint32_t index = own; index < impulses->level_count; ++index) {
    look_at_level(&f, index, runs->begin[index]);
  }
  return f.count;
}
