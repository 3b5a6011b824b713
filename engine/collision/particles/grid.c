#include "collision/particles/grid.h"

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

static float width_along(const weft__box* box, int axis) {
  return box->most[axis] - box->least[axis];
}

// The middle one of the three: what is long along one axis is no larger for that, and what is flat no smaller.
static float width_of_box(const weft__box* box) {
  const float x = width_along(box, 0);
  const float y = width_along(box, 1);
  const float z = width_along(box, 2);
  return fmaxf(fminf(x, y), fminf(fmaxf(x, y), z));
}

static void find_widths(weft__particle_contacts* particle_contacts, weft__range own) {
  float widest[WEFT__CELL_LEVELS][3];
  for (uint32_t level = 0; level < WEFT__CELL_LEVELS; ++level) widest[level][0] = -1.0f;
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__box* box = &particle_contacts->boxes[i];
    if (is_nowhere(box)) continue;
    float* level = widest[level_of(width_of_box(box))];
    const bool is_first = level[0] < 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
      const float width = width_along(box, axis);
      if (is_first || width > level[axis]) level[axis] = width;
    }
  }
  // a level with boxes of no width is one, too
  for (uint32_t level = 0; level < WEFT__CELL_LEVELS; ++level) {
    for (int axis = 0; axis < 3 && widest[level][0] >= 0.0f; ++axis) {
      weft__raise(&particle_contacts->widest[level][axis], fmaxf(widest[level][axis], FLT_MIN));
    }
  }
}

// The widths of all levels' cells, 0 where there is no such level. They only grow, along each axis: so a box looks
// into no more than a few cells of its own level or of a coarser one.
static void list_widths(const weft__particle_contacts* particle_contacts,
                        double widths[WEFT__CELL_LEVELS][3]) {
  double most[3] = {0.0, 0.0, 0.0};
  for (uint32_t level = 0; level < WEFT__CELL_LEVELS; ++level) {
    for (int axis = 0; axis < 3; ++axis) {
      const uint32_t bits =
          atomic_load_explicit(&particle_contacts->widest[level][axis], memory_order_relaxed);
      const double width = (double)weft__raised(bits);
      if (width > most[axis]) most[axis] = width;
      widths[level][axis] = width > 0.0 ? most[axis] * (1.0 + ROUNDING) : 0.0;
    }
  }
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

static void find_cells(weft__particle_contacts* particle_contacts, weft__range own) {
  double widths[WEFT__CELL_LEVELS][3];
  list_widths(particle_contacts, widths);
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__box* box = &particle_contacts->boxes[i];
    weft__near_cell* cell = &particle_contacts->cells[i];
    cell->level = WEFT__CELL_LEVELS;
    if (is_nowhere(box)) continue;
    cell->level = level_of(width_of_box(box));
    const double* width = widths[cell->level];
    for (int axis = 0; axis < 3; ++axis) {
      const double middle = 0.5 * ((double)box->least[axis] + (double)box->most[axis]);
      cell->at[axis] = cell_of(middle, width[axis]);
    }
  }
}

// every level that there is, the finest first, and which cells of it there are
static void find_levels(weft__particle_contacts* particle_contacts) {
  uint32_t index[WEFT__CELL_LEVELS];
  double widths[WEFT__CELL_LEVELS][3];
  list_widths(particle_contacts, widths);
  particle_contacts->level_count = 0;
  for (uint32_t level = 0; level < WEFT__CELL_LEVELS; ++level) {
    const double* width = widths[level];
    for (int axis = 0; axis < 3; ++axis) {
      atomic_store_explicit(&particle_contacts->widest[level][axis], 0, memory_order_relaxed);
    }
    if (!(width[0] > 0.0)) continue;
    index[level] = particle_contacts->level_count;
    particle_contacts->levels[particle_contacts->level_count++] =
        (weft__cell_level){.level = level,
                           .width = {width[0], width[1], width[2]},
                           .least = {INT32_MAX, INT32_MAX, INT32_MAX},
                           .most = {INT32_MIN, INT32_MIN, INT32_MIN}};
  }
  for (uint32_t i = 0; i < particle_contacts->body_count; ++i) {
    weft__near_cell* cell = &particle_contacts->cells[i];
    if (cell->level == WEFT__CELL_LEVELS) continue;
    cell->level = index[cell->level];
    weft__cell_level* level = &particle_contacts->levels[cell->level];
    for (int axis = 0; axis < 3; ++axis) {
      if (cell->at[axis] < level->least[axis]) level->least[axis] = cell->at[axis];
      if (cell->at[axis] > level->most[axis]) level->most[axis] = cell->at[axis];
    }
  }
}

// of the numbers along each axis, for the level with the most cells
static void find_bits(weft__particle_contacts* particle_contacts) {
  for (int axis = 0; axis < 3; ++axis) {
    uint32_t bits = 0;
    for (uint32_t k = 0; k < particle_contacts->level_count; ++k) {
      const weft__cell_level* level = &particle_contacts->levels[k];
      const uint32_t last = (uint32_t)level->most[axis] - (uint32_t)level->least[axis];
      while (bits < MOST_BITS && last >> bits != 0) ++bits;
    }
    particle_contacts->cell_bits[axis] = bits;
  }
}

static uint64_t number_along(const weft__particle_contacts* particle_contacts,
                             const weft__cell_level* level, int axis, int32_t at) {
  const uint32_t from_least = (uint32_t)at - (uint32_t)level->least[axis];
  return from_least & ((1u << particle_contacts->cell_bits[axis]) - 1);
}

// of the first cell of a row, were the row to begin at number 0
static uint64_t number_of_row(const weft__particle_contacts* particle_contacts, uint32_t index,
                              int32_t y, int32_t z) {
  const weft__cell_level* level = &particle_contacts->levels[index];
  const uint32_t* bits = particle_contacts->cell_bits;
  uint64_t number = index;
  number = number << bits[2] | number_along(particle_contacts, level, 2, z);
  number = number << bits[1] | number_along(particle_contacts, level, 1, y);
  return number << bits[0];
}

// completion; the room of the entries is for the sort until these are made
static uint32_t sort(void* context) {
  weft__particle_contacts* particle_contacts = context;
  find_levels(particle_contacts);
  find_bits(particle_contacts);
  uint32_t count = 0;
  for (uint32_t i = 0; i < particle_contacts->body_count; ++i) {
    const weft__near_cell* cell = &particle_contacts->cells[i];
    uint64_t number = NOWHERE;
    if (cell->level < WEFT__CELL_LEVELS) {
      const weft__cell_level* level = &particle_contacts->levels[cell->level];
      number = number_of_row(particle_contacts, cell->level, cell->at[1], cell->at[2]) |
               number_along(particle_contacts, level, 0, cell->at[0]);
      ++count;
    }
    particle_contacts->order[i] = (weft__keyed){number, i};
  }
  particle_contacts->somewhere = count;
  // entries are made next, and are aligned as all arrays are
  weft__sort(particle_contacts->order, (void*)particle_contacts->entries,
             particle_contacts->body_count);
  return 0;
}

static void make_entries(weft__particle_contacts* particle_contacts,
                         const weft__contact_stage* stage, weft__range own) {
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const uint32_t body = particle_contacts->order[i].value;
    const uint32_t particle = particle_contacts->particle[body];
    const bool is_pinned = !(stage->particles->inv_mass[particle] > 0.0f);
    particle_contacts->entries[i] = (weft__near_entry){
        .box = particle_contacts->boxes[body],
        .body = body,
        .material = stage->materials->of[particle] | (is_pinned ? PINNED : 0),
    };
  }
}

void weft__cells_sort(weft__particle_contacts* particle_contacts, const weft__contact_stage* stage,
                      const weft__team* team) {
  const weft__range own = weft__team_share(team, particle_contacts->body_count);
  find_widths(particle_contacts, own);
  weft__team_meet(team);
  find_cells(particle_contacts, own);
  (void)weft__team_decide(team, sort, particle_contacts);
  make_entries(particle_contacts, stage, own);
  weft__team_meet(team);
}

// ---- looking around ----

// what a body has found so far
typedef struct finding {
  const weft__particle_contacts* particle_contacts;
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
  if (!weft__aabbs_overlap(&f->entry.box, &other->box)) return;
  if ((f->entry.material & other->material & PINNED) != 0) return;
  const weft__surface* one = &f->rows[f->entry.material & ~PINNED].surface;
  if (!weft__surfaces_meet(one, &f->rows[other->material & ~PINNED].surface)) return;
  if (f->count < f->room) f->others[f->count] = other->body;
  ++f->count;
}

// all that have a number within a run
static void look_along(finding* f, uint64_t first, uint64_t last, uint32_t* begin) {
  const weft__particle_contacts* particle_contacts = f->particle_contacts;
  const weft__keyed* order = particle_contacts->order;
  // those of its own level that come before it have looked already
  uint32_t from = f->place + 1;
  if (first > order[f->place].key) {
    from = *begin = seek(order, particle_contacts->somewhere, *begin, first);
  }
  for (uint32_t i = from; i < particle_contacts->somewhere && order[i].key <= last; ++i) {
    if (f->count > WEFT__BODY_PAIRS) return;
    consider(f, &particle_contacts->entries[i]);
  }
}

static void look_into_row(finding* f, uint32_t index, const int32_t range[2], int32_t y, int32_t z,
                          uint32_t* begin) {
  const weft__particle_contacts* particle_contacts = f->particle_contacts;
  const weft__cell_level* level = &particle_contacts->levels[index];
  const uint64_t row = number_of_row(particle_contacts, index, y, z);
  const uint64_t first = row | number_along(particle_contacts, level, 0, range[0]);
  const uint64_t last = row | number_along(particle_contacts, level, 0, range[1]);
  if (first <= last) {
    look_along(f, first, last, begin);
    return;
  }
  // numbers begin anew within it
  look_along(f, row, last, begin);
  look_along(f, first, row | ((1u << particle_contacts->cell_bits[0]) - 1), begin);
}

static void look_at_level(finding* f, uint32_t index, uint32_t begin[16]) {
  const weft__box* box = &f->entry.box;
  const weft__cell_level* level = &f->particle_contacts->levels[index];
  int32_t range[3][2];
  for (int axis = 0; axis < 3; ++axis) {
    // those that reach as far have their middle so far away
    const double width = level->width[axis];
    range[axis][0] = cell_of((double)box->least[axis] - 0.5 * width, width);
    range[axis][1] = cell_of((double)box->most[axis] + 0.5 * width, width);
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

uint32_t weft__cells_find(const weft__particle_contacts* particle_contacts,
                          const weft__contact_stage* stage, weft__cell_runs* runs, uint32_t place,
                          uint32_t* others, uint32_t room) {
  if (place >= particle_contacts->somewhere) return 0;
  finding f = {
      .particle_contacts = particle_contacts,
      .rows = stage->materials->rows,
      .entry = particle_contacts->entries[place],
      .place = place,
      .others = others,
      .room = room,
  };
  const uint32_t* bits = particle_contacts->cell_bits;
  const uint32_t own =
      (uint32_t)(particle_contacts->order[place].key >> (bits[0] + bits[1] + bits[2]));
  for (uint32_t index = own; index < particle_contacts->level_count; ++index) {
    look_at_level(&f, index, runs->begin[index]);
  }
  return f.count;
}
