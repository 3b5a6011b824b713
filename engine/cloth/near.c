#include "cloth/near.h"

#include <math.h>
#include <string.h>

#include "cloth/gap.h"

// This file is compiled once, for what every machine of its kind has.
#if defined(__SSE2__) || defined(__aarch64__)
#define WIDE_LANES 4
#else
#define WIDE_LANES 1
#endif
#include "kernels/wide.h"

// One of a cloth, and what has been found near it.
typedef struct seeker {
  const weft__cloth* cloth;
  const weft__contact_stage* stage;
  const weft__material* material;
  uint32_t particle;
  float x, y, z, radius;
  uint32_t own_first, own_count;  // of its bucket, where it looks by itself
  uint32_t* found;
  uint32_t count;
  uint32_t owned;  // of them, that are bodies or have higher numbers
  uint64_t lost;
} seeker;

// ---- pairs ----

// what does not depend on where they are; the cheaper question comes first
static bool may_touch(const weft__cloth* cloth, const weft__materials* materials, uint32_t a,
                      uint32_t b) {
  const weft__material* of_a = weft__material_of(materials, a);
  const weft__material* of_b = weft__material_of(materials, b);
  if (!weft__surfaces_meet(&of_a->surface, &of_b->surface)) return false;
  // a way that is as long as that but for rounding counts
  const float most = 2.00002f * (cloth->radius[a] + cloth->radius[b]);
  return !weft__are_kin(&cloth->kin, a, b, most);
}

static bool is_near_body(const weft__cloth* cloth, const weft__contact_stage* stage,
                         uint32_t particle, uint32_t body) {
  const weft__particles* p = stage->particles;
  const float o[3] = {p->pos_x[particle] - p->pos_x[body], p->pos_y[particle] - p->pos_y[body],
                      p->pos_z[particle] - p->pos_z[body]};
  const float radius = cloth->radius[particle];
  const float reach = radius + cloth->radius[body] + cloth->skin;
  if (!(o[0] * o[0] + o[1] * o[1] + o[2] * o[2] < reach * reach)) return false;
  if (cloth->kind[body] == WEFT__CLOTH_BODY) {
    const weft__gap gap = weft__gap_to_body(weft__material_of(stage->materials, body), o);
    if (!(gap.distance < radius + cloth->skin)) return false;
  }
  return may_touch(cloth, stage->materials, particle, body);
}

// A pair counts as that of its cloth of the lower number: those from a number on have to go where not all fit.
static inline void add(seeker* s, uint32_t other, bool is_owned) {
  const uint32_t owner = is_owned ? s->particle : other;
  if (owner >= s->cloth->owner_end) return;
  if (s->count == WEFT__CLOTH_MOST_NEAR) {
    ++s->lost;
    return;
  }
  s->found[s->count++] = other;
  s->owned += is_owned;
}

// ---- the cells around one of a cloth, where some are too full ----

typedef struct cell_number {
  int64_t x, y, z;
} cell_number;

static inline cell_number cell_of(const weft__cloth* cloth, const weft__contact_stage* stage,
                                  uint32_t particle) {
  const weft__particles* p = stage->particles;
  const float inv_size = cloth->grid.inv_size;
  return (cell_number){weft__grid_number(p->pos_x[particle], inv_size),
                       weft__grid_number(p->pos_y[particle], inv_size),
                       weft__grid_number(p->pos_z[particle], inv_size)};
}

static inline uint64_t key_of(const cell_number* cell) {
  return weft__grid_key(cell->x, weft__grid_row(cell->y, cell->z));
}

static inline void look_at(seeker* s, uint32_t place) {
  const weft__cloth_place* there = &s->cloth->cells[place];
  const float x = s->x - there->x;
  const float y = s->y - there->y;
  const float z = s->z - there->z;
  const float reach = s->radius + there->extra + s->cloth->skin;
  if (!(x * x + y * y + z * z < reach * reach)) return;
  const uint32_t other = s->cloth->grid.items[place];
  if (other != s->particle && may_touch(s->cloth, s->stage->materials, s->particle, other)) {
    add(s, other, other > s->particle);
  }
}

// where it stands in its bucket, in which particles ascend
static uint32_t find_rank(const seeker* s) {
  const uint32_t* items = s->cloth->grid.items + s->own_first;
  uint32_t low = 0;
  for (uint32_t high = s->own_count; low < high;) {
    const uint32_t middle = low + (high - low) / 2;
    if (items[middle] < s->particle) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

// the part of a bucket whose ranks are near the seeker's own
static void look_through_window(seeker* s, const weft__grid_piece* piece, uint32_t first,
                                uint32_t last) {
  const weft__grid* grid = &s->cloth->grid;
  const uint32_t rank = find_rank(s);
  const uint32_t count = last - first;
  const uint32_t low = rank < WEFT__CLOTH_WINDOW ? 0 : rank - WEFT__CLOTH_WINDOW + 1;
  const uint32_t high = rank + WEFT__CLOTH_WINDOW < count ? rank + WEFT__CLOTH_WINDOW : count;
  s->lost += low < high ? count - (high - low) : count;
  for (uint32_t i = low; i < high; ++i) {
    if (weft__grid_is_in(grid, piece, first + i)) look_at(s, first + i);
  }
}

static void look_through_full(seeker* s, const weft__grid_piece* piece) {
  const weft__grid* grid = &s->cloth->grid;
  for (uint32_t first = piece->first; first < piece->last;) {
    // buckets of a piece stand side by side, each of one x
    const uint32_t bucket = weft__grid_bucket(grid, grid->keys[first]);
    const uint32_t last = grid->first[bucket + 1];
    look_through_window(s, piece, first, last);
    first = last;
  }
}

static void seek_cloth(seeker* s) {
  const weft__grid* grid = &s->cloth->grid;
  const cell_number cell = cell_of(s->cloth, s->stage, s->particle);
  const uint32_t bucket = weft__grid_bucket(grid, key_of(&cell));
  s->own_first = grid->first[bucket];
  s->own_count = grid->first[bucket + 1] - s->own_first;
  for (int64_t z = cell.z - 1; z <= cell.z + 1; ++z) {
    for (int64_t y = cell.y - 1; y <= cell.y + 1; ++y) {
      const uint64_t row = weft__grid_row(y, z);
      for (int64_t x = cell.x - 1; x <= cell.x + 1;) {
        const weft__grid_piece piece = weft__grid_piece_of(grid, row, x, cell.x + 1);
        look_through_full(s, &piece);
        x = piece.end;
      }
    }
  }
}

static void meet_body(void* context, uint32_t body) {
  seeker* s = context;
  if (is_near_body(s->cloth, s->stage, s->particle, body)) add(s, body, true);
}

static void seek_bodies(seeker* s) {
  const float reach = 1.0001f * (s->radius + s->cloth->most_body + s->cloth->skin);
  const float least[3] = {s->x - reach, s->y - reach, s->z - reach};
  const float most[3] = {s->x + reach, s->y + reach, s->z + reach};
  weft__grid_find(&s->cloth->body_grid, least, most, meet_body, s);
}

static seeker new_seeker(const weft__cloth* cloth, const weft__contact_stage* stage,
                         uint32_t particle, uint32_t* found) {
  const weft__particles* p = stage->particles;
  seeker s = {.cloth = cloth,
              .stage = stage,
              .particle = particle,
              .x = p->pos_x[particle],
              .y = p->pos_y[particle],
              .z = p->pos_z[particle],
              .radius = cloth->radius[particle],
              .found = found};
  return s;
}

static bool is_near_any_body(const weft__cloth* cloth, uint32_t particle) {
  return cloth->body_count > 0 &&
         atomic_load_explicit(&cloth->near_body[particle], memory_order_relaxed) != 0;
}

// ---- a cell at a time ----

// All that is in and around a cell, side by side. No bucket of it has more than a window.
enum { MOST_AROUND = 18 * WEFT__CLOTH_WINDOW };

typedef struct surroundings {
  float x[MOST_AROUND + WIDE_LANES];
  float y[MOST_AROUND + WIDE_LANES];
  float z[MOST_AROUND + WIDE_LANES];
  float radius[MOST_AROUND + WIDE_LANES];
  uint32_t particle[MOST_AROUND];
  uint32_t count;
} surroundings;

static inline void add_piece(const weft__cloth* cloth, const weft__grid_piece* piece,
                             surroundings* around) {
  uint32_t count = around->count;
  for (uint32_t i = piece->first; i < piece->last; ++i) {
    if (!weft__grid_is_in(&cloth->grid, piece, i)) continue;
    const weft__cloth_place* place = &cloth->cells[i];
    around->x[count] = place->x;
    around->y[count] = place->y;
    around->z[count] = place->z;
    around->radius[count] = place->extra;
    around->particle[count++] = cloth->grid.items[i];
  }
  around->count = count;
}

// False where a bucket is, or may be, too full.
static bool look_around(const weft__cloth* cloth, const cell_number* cell, surroundings* around) {
  const weft__grid* grid = &cloth->grid;
  around->count = 0;
  for (int64_t z = cell->z - 1; z <= cell->z + 1; ++z) {
    for (int64_t y = cell->y - 1; y <= cell->y + 1; ++y) {
      const uint64_t row = weft__grid_row(y, z);
      for (int64_t x = cell->x - 1; x <= cell->x + 1;) {
        const weft__grid_piece piece = weft__grid_piece_of(grid, row, x, cell->x + 1);
        if (piece.last - piece.first > WEFT__CLOTH_WINDOW) return false;
        add_piece(cloth, &piece, around);
        x = piece.end;
      }
    }
  }
  // what is no number is near nothing
  for (uint32_t i = 0; i < WIDE_LANES; ++i) around->x[around->count + i] = NAN;
  return true;
}

static void seek_around(seeker* s, const surroundings* around) {
  for (uint32_t i = 0; i < around->count; i += WIDE_LANES) {
    const wide x = s->x - wide_load(around->x + i);
    const wide y = s->y - wide_load(around->y + i);
    const wide z = s->z - wide_load(around->z + i);
    const wide reach = s->radius + wide_load(around->radius + i) + s->cloth->skin;
    uint32_t near = wide_to_mask(wide_positive(reach * reach - (x * x + y * y + z * z)));
    for (; near != 0; near &= near - 1) {
      const uint32_t other = around->particle[i + (uint32_t)__builtin_ctz(near)];
      if (other == s->particle) continue;
      if (may_touch(s->cloth, s->stage->materials, s->particle, other)) {
        add(s, other, other > s->particle);
      }
    }
  }
}

// ---- lists of cloth ----

enum { MOST_WAITING = 256 };

// Lists that have been found and wait to be put where there is room for them.
typedef struct waiting {
  uint32_t* found;
  uint32_t used;
  uint32_t particles[MOST_WAITING];
  uint32_t count;
} waiting;

static void put_down(weft__cloth* cloth, waiting* w) {
  // relaxed: what is in the entries is read after workers have met
  const uint64_t at = atomic_fetch_add_explicit(&cloth->entry_count, w->used, memory_order_relaxed);
  if (at + w->used <= cloth->entry_limit) {
    memcpy(cloth->entries + at, w->found, w->used * sizeof(*w->found));
    uint32_t first = (uint32_t)at;
    for (uint32_t i = 0; i < w->count; ++i) {
      cloth->first[w->particles[i]] = first;
      first += cloth->count[w->particles[i]];
    }
  }
  w->used = w->count = 0;
}

// `around` is NULL where each has to look for itself.
static void list_one(weft__cloth* cloth, const weft__contact_stage* stage, uint32_t particle,
                     const surroundings* around, waiting* w) {
  if (w->count == MOST_WAITING || w->used + WEFT__CLOTH_MOST_NEAR > WEFT__CLOTH_SCRATCH) {
    put_down(cloth, w);
  }
  seeker s = new_seeker(cloth, stage, particle, w->found + w->used);
  if (around == NULL) {
    seek_cloth(&s);
  } else {
    seek_around(&s, around);
  }
  if (is_near_any_body(cloth, particle)) seek_bodies(&s);
  cloth->shares[stage->worker].lost += s.lost;
  cloth->count[particle] = s.count;
  cloth->owned[particle] = s.owned;
  w->used += s.count;
  w->particles[w->count++] = particle;
}

// All of a cell, when it is the turn of the first of them.
static void list_cell(weft__cloth* cloth, const weft__contact_stage* stage, uint32_t particle,
                      surroundings* around, waiting* w) {
  const weft__grid* grid = &cloth->grid;
  const cell_number cell = cell_of(cloth, stage, particle);
  const uint64_t key = key_of(&cell);
  const uint32_t bucket = weft__grid_bucket(grid, key);
  const uint32_t end = grid->first[bucket + 1];
  uint32_t i = grid->first[bucket];
  while (grid->keys[i] != key) ++i;
  if (grid->items[i] != particle) return;
  const bool good = look_around(cloth, &cell, around);
  for (; i < end; ++i) {
    if (grid->keys[i] != key) continue;
    list_one(cloth, stage, grid->items[i], good ? around : NULL, w);
  }
}

static void list_cloth(weft__cloth* cloth, const weft__contact_stage* stage) {
  const weft__range own = weft__share(cloth->cloth_count, stage->worker, stage->worker_count);
  waiting w = {.found = cloth->scratch + (size_t)stage->worker * WEFT__CLOTH_SCRATCH};
  surroundings around;
  for (uint32_t m = own.begin; m < own.end; ++m) {
    list_cell(cloth, stage, cloth->members[m], &around, &w);
  }
  put_down(cloth, &w);
}

// ---- lists of bodies ----

// a body, and what of its list is written
typedef struct gatherer {
  const weft__cloth* cloth;
  const weft__contact_stage* stage;
  uint32_t body;
  uint32_t count;
  uint32_t* entries;  // NULL: only counts
} gatherer;

static void meet_cloth(void* context, uint32_t particle) {
  gatherer* g = context;
  if (particle >= g->cloth->owner_end || !is_near_body(g->cloth, g->stage, particle, g->body))
    return;
  if (g->entries == NULL) {
    // relaxed: all write the same, and it is read after workers have met
    atomic_store_explicit(&g->cloth->near_body[particle], 1, memory_order_relaxed);
  } else {
    g->entries[g->count] = particle;
  }
  ++g->count;
}

static uint32_t gather(const weft__cloth* cloth, const weft__contact_stage* stage, uint32_t body,
                       uint32_t* entries) {
  const weft__particles* p = stage->particles;
  const weft__material* material = weft__material_of(stage->materials, body);
  const float center[3] = {p->pos_x[body], p->pos_y[body], p->pos_z[body]};
  float least[3];
  float most[3];
  for (int axis = 0; axis < 3; ++axis) {
    // first-order distances may be too short: what is near an ellipsoid is as near the sphere around it
    const bool is_box = material->shape == WEFT_CONTACT_BOX;
    const float half = is_box ? material->half_size[axis] : cloth->radius[body];
    const float reach = 1.0001f * (half + cloth->most_radius + cloth->skin);
    least[axis] = center[axis] - reach;
    most[axis] = center[axis] + reach;
  }
  gatherer g = {.cloth = cloth, .stage = stage, .body = body, .entries = entries};
  weft__grid_find(&cloth->grid, least, most, meet_cloth, &g);
  return g.count;
}

static weft__range own_bodies(const weft__cloth* cloth, const weft__contact_stage* stage) {
  const weft__range own = weft__share(cloth->body_count, stage->worker, stage->worker_count);
  return (weft__range){cloth->cloth_count + own.begin, cloth->cloth_count + own.end};
}

// Bodies are few and their lists may be long: they are counted first, and stand before those of cloth.
static void count_bodies(weft__cloth* cloth, const weft__contact_stage* stage) {
  const weft__range own = own_bodies(cloth, stage);
  for (uint32_t m = own.begin; m < own.end; ++m) {
    const uint32_t body = cloth->members[m];
    cloth->count[body] = gather(cloth, stage, body, NULL);
  }
  weft__worker_pool_meet(stage->pool);
  if (stage->worker == 0) {
    uint64_t sum = 0;
    for (uint32_t m = cloth->cloth_count; m < weft__cloth_member_count(cloth); ++m) {
      const uint32_t body = cloth->members[m];
      cloth->first[body] = (uint32_t)sum;
      sum += cloth->count[body];
    }
    atomic_store_explicit(&cloth->entry_count, sum, memory_order_relaxed);
  }
  weft__worker_pool_meet(stage->pool);
}

static void list_bodies(weft__cloth* cloth, const weft__contact_stage* stage) {
  const weft__range own = own_bodies(cloth, stage);
  for (uint32_t m = own.begin; m < own.end; ++m) {
    const uint32_t body = cloth->members[m];
    if ((uint64_t)cloth->first[body] + cloth->count[body] > cloth->entry_limit) continue;
    (void)gather(cloth, stage, body, cloth->entries + cloth->first[body]);
  }
}

// ---- all of it ----

static void begin(weft__cloth* cloth, const weft__contact_stage* stage) {
  const weft__particles* p = stage->particles;
  const weft__range own =
      weft__share(weft__cloth_member_count(cloth), stage->worker, stage->worker_count);
  for (uint32_t m = own.begin; m < own.end; ++m) {
    const uint32_t i = cloth->members[m];
    cloth->built_x[i] = p->pos_x[i];
    cloth->built_y[i] = p->pos_y[i];
    cloth->built_z[i] = p->pos_z[i];
    atomic_store_explicit(&cloth->near_body[i], 0, memory_order_relaxed);
  }
  cloth->shares[stage->worker].lost = 0;
  if (stage->worker != 0) return;
  cloth->owner_end = UINT32_MAX;
  atomic_store_explicit(&cloth->entry_count, 0, memory_order_relaxed);
}

// from items to particles, with their positions beside them
static void arrange(weft__cloth* cloth, const weft__contact_stage* stage) {
  const weft__particles* p = stage->particles;
  const weft__range own = weft__share(cloth->cloth_count, stage->worker, stage->worker_count);
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const uint32_t particle = cloth->members[cloth->grid.items[i]];
    cloth->grid.items[i] = particle;
    cloth->cells[i] = (weft__cloth_place){p->pos_x[particle], p->pos_y[particle],
                                          p->pos_z[particle], cloth->radius[particle]};
  }
  const weft__range bodies = weft__share(cloth->body_count, stage->worker, stage->worker_count);
  for (uint32_t i = bodies.begin; i < bodies.end; ++i) {
    uint32_t* item = &cloth->body_grid.items[i];
    *item = cloth->members[cloth->cloth_count + *item];
  }
}

static void sort_into_cells(weft__cloth* cloth, const weft__contact_stage* stage) {
  const weft__particles* p = stage->particles;
  const weft__grid_points points = {p->pos_x, p->pos_y, p->pos_z, cloth->members,
                                    cloth->cloth_count};
  // what is near is in the cells next to one's own, in spite of rounding
  const float size = 1.02f * (2.0f * cloth->most_radius + cloth->skin);
  weft__grid_sort(&cloth->grid, &points, size, stage->pool, stage->worker);
  if (cloth->body_count > 0) {
    const weft__grid_points bodies = {p->pos_x, p->pos_y, p->pos_z,
                                      cloth->members + cloth->cloth_count, cloth->body_count};
    const float body_size = 1.02f * (cloth->most_body + cloth->most_radius + cloth->skin);
    weft__grid_sort(&cloth->body_grid, &bodies, body_size, stage->pool, stage->worker);
  }
  arrange(cloth, stage);
  weft__worker_pool_meet(stage->pool);
}

static void list_all(weft__cloth* cloth, const weft__contact_stage* stage) {
  if (cloth->body_count > 0) count_bodies(cloth, stage);
  list_cloth(cloth, stage);
  if (cloth->body_count > 0) list_bodies(cloth, stage);
  weft__worker_pool_meet(stage->pool);
}

// the first whose own pairs find no room
static uint32_t find_owner_end(const weft__cloth* cloth) {
  uint64_t sum = 0;
  for (uint32_t m = 0; m < cloth->cloth_count; ++m) {
    sum += 2 * (uint64_t)cloth->owned[cloth->members[m]];
    if (sum > cloth->entry_limit) return cloth->members[m];
  }
  return UINT32_MAX;
}

static void list_what_fits(weft__cloth* cloth, const weft__contact_stage* stage) {
  weft__worker_pool_meet(stage->pool);
  if (stage->worker == 0) {
    cloth->owner_end = find_owner_end(cloth);
    atomic_store_explicit(&cloth->entry_count, 0, memory_order_relaxed);
  }
  cloth->shares[stage->worker].lost = 0;
  weft__worker_pool_meet(stage->pool);
  list_all(cloth, stage);
}

static void end(weft__cloth* cloth, uint32_t worker_count, uint64_t found) {
  const uint64_t kept = atomic_load_explicit(&cloth->entry_count, memory_order_relaxed);
  uint64_t lost = found - kept;
  for (uint32_t w = 0; w < worker_count; ++w) lost += cloth->shares[w].lost;
  // both ends have listed it, or lost it
  cloth->lost += lost / 2;
  cloth->pair_count = (uint32_t)(kept / 2);
  cloth->is_listed = true;
}

void weft__cloth_list(weft__cloth* cloth, const weft__contact_stage* stage) {
  begin(cloth, stage);
  sort_into_cells(cloth, stage);
  list_all(cloth, stage);
  const uint64_t found = atomic_load_explicit(&cloth->entry_count, memory_order_relaxed);
  if (found > cloth->entry_limit) list_what_fits(cloth, stage);
  if (stage->worker == 0) end(cloth, stage->worker_count, found);
  weft__worker_pool_meet(stage->pool);
}
