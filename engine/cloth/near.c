#include "cloth/near.h"

#include <string.h>

#include "cloth/gap.h"

// One of a cloth, and what has been found near it.
typedef struct seeker {
  const weft__cloth* cloth;
  const weft__contact_stage* stage;
  const weft__material* material;
  uint32_t particle;
  float x, y, z, radius;
  uint32_t own_first, own_count; // of its bucket
  uint32_t* found;
  uint32_t count;
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

static inline void add(seeker* s, uint32_t other) {
  if (s->count < WEFT__CLOTH_MOST_NEAR) {
    s->found[s->count++] = other;
  } else {
    ++s->lost;
  }
}

// ---- the cells around one of a cloth ----

static inline void look_at(seeker* s, uint32_t place) {
  const weft__cloth_place* there = &s->cloth->cells[place];
  const float x = s->x - there->x;
  const float y = s->y - there->y;
  const float z = s->z - there->z;
  const float reach = s->radius + there->extra + s->cloth->skin;
  if (!(x * x + y * y + z * z < reach * reach)) return;
  const uint32_t other = s->cloth->grid.items[place];
  if (other != s->particle && may_touch(s->cloth, s->stage->materials, s->particle, other)) {
    add(s, other);
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

static inline void look_through(seeker* s, const weft__grid_piece* piece) {
  if (piece->last - piece->first > WEFT__CLOTH_WINDOW || s->own_count > WEFT__CLOTH_WINDOW) {
    look_through_full(s, piece);
    return;
  }
  for (uint32_t i = piece->first; i < piece->last; ++i) {
    if (weft__grid_is_in(&s->cloth->grid, piece, i)) look_at(s, i);
  }
}

typedef struct cells {
  int64_t least, most;
} cells;

static inline cells cells_around(const seeker* s, float coordinate) {
  const float reach = s->radius + s->cloth->most_radius + s->cloth->skin;
  const float inv_size = s->cloth->grid.inv_size;
  return (cells){weft__grid_number(coordinate - reach, inv_size),
                 weft__grid_number(coordinate + reach, inv_size)};
}

static void seek_cloth(seeker* s) {
  const weft__grid* grid = &s->cloth->grid;
  const cells x = cells_around(s, s->x);
  const cells y = cells_around(s, s->y);
  const cells z = cells_around(s, s->z);
  for (int64_t k = z.least; k <= z.most; ++k) {
    for (int64_t j = y.least; j <= y.most; ++j) {
      const uint64_t row = weft__grid_row(j, k);
      for (int64_t i = x.least; i <= x.most;) {
        const weft__grid_piece piece = weft__grid_piece_of(grid, row, i, x.most);
        look_through(s, &piece);
        i = piece.end;
      }
    }
  }
}

static void meet_body(void* context, uint32_t body) {
  seeker* s = context;
  if (is_near_body(s->cloth, s->stage, s->particle, body)) add(s, body);
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
  const weft__grid* grid = &cloth->grid;
  seeker s = {.cloth = cloth,
              .stage = stage,
              .particle = particle,
              .x = p->pos_x[particle],
              .y = p->pos_y[particle],
              .z = p->pos_z[particle],
              .radius = cloth->radius[particle],
              .found = found};
  const uint64_t row =
      weft__grid_row(weft__grid_number(s.y, grid->inv_size), weft__grid_number(s.z, grid->inv_size));
  const uint32_t bucket =
      weft__grid_bucket(grid, weft__grid_key(weft__grid_number(s.x, grid->inv_size), row));
  s.own_first = grid->first[bucket];
  s.own_count = grid->first[bucket + 1] - s.own_first;
  return s;
}

// Finds what is near one of a cloth, and returns how many.
static uint32_t seek(const weft__cloth* cloth, const weft__contact_stage* stage, uint32_t particle,
                     uint32_t* found) {
  seeker s = new_seeker(cloth, stage, particle, found);
  seek_cloth(&s);
  const bool near_body =
      cloth->body_count > 0 &&
      atomic_load_explicit(&cloth->near_body[particle], memory_order_relaxed) != 0;
  if (near_body) seek_bodies(&s);
  cloth->shares[stage->worker].lost += s.lost;
  return s.count;
}

// ---- lists of cloth ----

// Puts lists of members [begin, end), which are in scratch, where there is room for them.
static void put_down(weft__cloth* cloth, const uint32_t* scratch, uint32_t begin, uint32_t end) {
  uint32_t sum = 0;
  for (uint32_t m = begin; m < end; ++m) sum += cloth->count[cloth->members[m]];
  // relaxed: what is in the entries is read after workers have met
  const uint64_t at =
      atomic_fetch_add_explicit(&cloth->entry_count, sum, memory_order_relaxed);
  if (at + sum > cloth->entry_limit) return;
  memcpy(cloth->entries + at, scratch, sum * sizeof(*scratch));
  uint32_t first = (uint32_t)at;
  for (uint32_t m = begin; m < end; ++m) {
    cloth->first[cloth->members[m]] = first;
    first += cloth->count[cloth->members[m]];
  }
}

static void list_cloth(weft__cloth* cloth, const weft__contact_stage* stage) {
  const weft__range own = weft__share(cloth->cloth_count, stage->worker, stage->worker_count);
  uint32_t* scratch = cloth->scratch + (size_t)stage->worker * WEFT__CLOTH_SCRATCH;
  uint32_t begin = own.begin;
  uint32_t used = 0;
  for (uint32_t m = own.begin; m < own.end; ++m) {
    const uint32_t particle = cloth->members[m];
    if (used + WEFT__CLOTH_MOST_NEAR > WEFT__CLOTH_SCRATCH) {
      put_down(cloth, scratch, begin, m);
      begin = m;
      used = 0;
    }
    cloth->count[particle] = seek(cloth, stage, particle, scratch + used);
    used += cloth->count[particle];
  }
  put_down(cloth, scratch, begin, own.end);
}

// ---- lists of bodies ----

// a body, and what of its list is written
typedef struct gatherer {
  const weft__cloth* cloth;
  const weft__contact_stage* stage;
  uint32_t body;
  uint32_t count;
  uint32_t* entries; // NULL: only counts
  uint32_t before;   // particles below this alone
} gatherer;

static void meet_cloth(void* context, uint32_t particle) {
  gatherer* g = context;
  if (particle >= g->before || !is_near_body(g->cloth, g->stage, particle, g->body)) return;
  if (g->entries == NULL) {
    // relaxed: all write the same, and it is read after workers have met
    atomic_store_explicit(&g->cloth->near_body[particle], 1, memory_order_relaxed);
  } else {
    g->entries[g->count] = particle;
  }
  ++g->count;
}

static uint32_t gather(const weft__cloth* cloth, const weft__contact_stage* stage, uint32_t body,
                       uint32_t* entries, uint32_t before) {
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
  gatherer g = {.cloth = cloth, .stage = stage, .body = body, .entries = entries, .before = before};
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
    cloth->count[body] = gather(cloth, stage, body, NULL, UINT32_MAX);
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
    (void)gather(cloth, stage, body, cloth->entries + cloth->first[body], UINT32_MAX);
  }
}

// ---- where there is too little room ----

// how many members, from the first on, there is room for
static uint32_t members_that_fit(weft__cloth* cloth) {
  uint64_t sum = 0;
  const uint32_t count = weft__cloth_member_count(cloth);
  for (uint32_t m = 0; m < count; ++m) {
    const uint32_t particle = cloth->members[m];
    if (sum + cloth->count[particle] > cloth->entry_limit) return m;
    cloth->first[particle] = (uint32_t)sum;
    sum += cloth->count[particle];
  }
  return count;
}

// who of a kind still counts: those before the first member that does not fit
typedef struct fitting {
  uint32_t cloth, bodies; // particles below these
} fitting;

static fitting fitting_of(const weft__cloth* cloth, uint32_t fit) {
  const uint32_t count = weft__cloth_member_count(cloth);
  const bool all_cloth = fit >= cloth->cloth_count;
  return (fitting){.cloth = all_cloth ? UINT32_MAX : cloth->members[fit],
                   .bodies = !all_cloth   ? 0
                             : fit == count ? UINT32_MAX
                                            : cloth->members[fit]};
}

static bool is_body(const weft__contact_stage* stage, uint32_t particle) {
  return weft__material_of(stage->materials, particle)->shape != WEFT_CONTACT_CLOTH;
}

static void list_again(weft__cloth* cloth, const weft__contact_stage* stage, uint32_t particle,
                       const fitting* fits) {
  uint32_t* entries = cloth->entries + cloth->first[particle];
  if (is_body(stage, particle)) {
    cloth->count[particle] = gather(cloth, stage, particle, entries, fits->cloth);
    return;
  }
  uint32_t* found = cloth->scratch + (size_t)stage->worker * WEFT__CLOTH_SCRATCH;
  const uint32_t count = seek(cloth, stage, particle, found);
  uint32_t kept = 0;
  for (uint32_t e = 0; e < count; ++e) {
    const uint32_t most = is_body(stage, found[e]) ? fits->bodies : fits->cloth;
    if (found[e] < most) entries[kept++] = found[e];
  }
  cloth->count[particle] = kept;
}

static void list_what_fits(weft__cloth* cloth, const weft__contact_stage* stage) {
  const weft__range own =
      weft__share(weft__cloth_member_count(cloth), stage->worker, stage->worker_count);
  weft__cloth_share* share = &cloth->shares[stage->worker];
  if (stage->worker == 0) cloth->fit_count = members_that_fit(cloth);
  weft__worker_pool_meet(stage->pool);
  const uint64_t lost = share->lost;
  const fitting fits = fitting_of(cloth, cloth->fit_count);
  uint64_t kept = 0;
  for (uint32_t m = own.begin; m < own.end; ++m) {
    const uint32_t particle = cloth->members[m];
    if (m < cloth->fit_count) {
      list_again(cloth, stage, particle, &fits);
    } else {
      cloth->count[particle] = 0;
    }
    kept += cloth->count[particle];
  }
  // what was overlooked has been counted the first time
  share->lost = lost;
  share->kept = kept;
  weft__worker_pool_meet(stage->pool);
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
  if (stage->worker == 0) atomic_store_explicit(&cloth->entry_count, 0, memory_order_relaxed);
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
  // no more than three cells across, in spite of rounding
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

static void end(weft__cloth* cloth, uint32_t worker_count, uint64_t found, bool is_full) {
  uint64_t lost = 0;
  uint64_t kept = 0;
  for (uint32_t w = 0; w < worker_count; ++w) {
    lost += cloth->shares[w].lost;
    kept += cloth->shares[w].kept;
  }
  if (!is_full) kept = found;
  // both ends have listed it, or lost it
  cloth->lost += (lost + found - kept) / 2;
  cloth->pair_count = (uint32_t)(kept / 2);
  cloth->is_listed = true;
}

void weft__cloth_list(weft__cloth* cloth, const weft__contact_stage* stage) {
  begin(cloth, stage);
  sort_into_cells(cloth, stage);
  if (cloth->body_count > 0) count_bodies(cloth, stage);
  list_cloth(cloth, stage);
  if (cloth->body_count > 0) list_bodies(cloth, stage);
  weft__worker_pool_meet(stage->pool);
  const uint64_t found = atomic_load_explicit(&cloth->entry_count, memory_order_relaxed);
  const bool is_full = found > cloth->entry_limit;
  if (is_full) list_what_fits(cloth, stage);
  if (stage->worker == 0) end(cloth, stage->worker_count, found, is_full);
  weft__worker_pool_meet(stage->pool);
}
