#include "impulses/near.h"

#include <math.h>
#include <string.h>

// a box is wider than the way of its body by so much of its least half size, on each side
#define SKIN 0.1f
// cells are counted no further than this from 0: what is beyond is in the last one
#define LAST_CELL 1e9

// ---- boxes ----

// the way of a body along an axis
static void find_way(const weft__contact_stage* stage, uint32_t particle, int axis,
                     weft__near_way way, float* least, float* most) {
  const weft__particles* p = stage->particles;
  const float* pos[3] = {p->pos_x, p->pos_y, p->pos_z};
  const float* prev[3] = {p->prev_x, p->prev_y, p->prev_z};
  const float here = pos[axis][particle];
  const float moved = here - prev[axis][particle];
  const float count = (float)way.substeps;
  float ahead = 0.0f;
  if (p->inv_mass[particle] > 0.0f) {
    ahead = moved * count + stage->motion->displacement[axis] * (0.5f * count * (count + 1.0f));
  }
  const float was = way.has_begun ? prev[axis][particle] : here;
  const float until = here + ahead;
  *least = fminf(fminf(was, here), until);
  *most = fmaxf(fmaxf(was, here), until);
}

static bool is_within(const weft__impulses* impulses, const weft__contact_stage* stage,
                      uint32_t body, weft__near_way way) {
  const uint32_t particle = impulses->particle[body];
  const weft__material* material = weft__material_of(stage->materials, particle);
  const weft__near_box* box = &impulses->boxes[body];
  for (int axis = 0; axis < 3; ++axis) {
    const float half = material->half_size[axis];
    float least, most;
    find_way(stage, particle, axis, way, &least, &most);
    // not so either where one of them is not a number
    if (!(least - half >= box->least[axis] && most + half <= box->most[axis])) return false;
  }
  return true;
}

void weft__near_check(weft__impulses* impulses, const weft__contact_stage* stage,
                      const weft__team* team, weft__near_way way) {
  const weft__range own = weft__team_share(team, impulses->body_count);
  bool has_left = false;
  for (uint32_t i = own.begin; i < own.end && !has_left; ++i) {
    has_left = !is_within(impulses, stage, i, way);
  }
  // relaxed: the meeting makes it seen
  if (has_left) atomic_store_explicit(&impulses->has_left, 1, memory_order_relaxed);
  weft__team_meet(team);
}

static uint32_t level_of(float width) {
  uint32_t bits = 0;
  memcpy(&bits, &width, sizeof(bits));
  const uint32_t exponent = bits >> 23 & 255u;
  return exponent < 253 ? exponent : 253;
}

// the next power of two
static double width_of(uint32_t level) {
  const uint32_t bits = (level + 1) << 23;
  float width = 0.0f;
  memcpy(&width, &bits, sizeof(width));
  return (double)width;
}

static int32_t cell_of(double x, double width) {
  const double at = x / width;
  // also where it is not a number
  if (!(at > -LAST_CELL)) return (int32_t)-LAST_CELL;
  if (at > LAST_CELL) return (int32_t)LAST_CELL;
  const int32_t whole = (int32_t)at;
  return (double)whole > at ? whole - 1 : whole;
}

static void make_box(weft__impulses* impulses, const weft__contact_stage* stage, uint32_t body,
                     weft__near_way way) {
  const uint32_t particle = impulses->particle[body];
  const float* half = weft__material_of(stage->materials, particle)->half_size;
  const float smallest = half[0] < half[1] ? half[0] : half[1];
  const float skin = SKIN * (smallest < half[2] ? smallest : half[2]);
  weft__near_box* box = &impulses->boxes[body];
  weft__near_cell* cell = &impulses->cells[body];
  float width = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    find_way(stage, particle, axis, way, &box->least[axis], &box->most[axis]);
    box->least[axis] -= half[axis] + skin;
    box->most[axis] += half[axis] + skin;
    const float along = box->most[axis] - box->least[axis];
    if (along > width) width = along;
  }
  cell->level = level_of(width);
  for (int axis = 0; axis < 3; ++axis) {
    const double middle = 0.5 * ((double)box->least[axis] + (double)box->most[axis]);
    cell->at[axis] = cell_of(middle, width_of(cell->level));
  }
}

// ---- cells ----

// the cells of a level that there are
typedef struct level_range {
  uint32_t level;
  int32_t least[3], most[3];
} level_range;

static uint32_t bucket_of(const weft__impulses* impulses, uint32_t level, const int32_t at[3]) {
  uint32_t hash = level * 0x9e3779b1u;
  for (int axis = 0; axis < 3; ++axis) {
    hash = (hash ^ (uint32_t)at[axis]) * 0x85ebca6bu;
    hash ^= hash >> 15;
  }
  hash *= 0xc2b2ae35u;
  return (hash ^ hash >> 16) & (impulses->bucket_count - 1);
}

// a counting sort: bodies of one bucket stay in their order
static void fill_buckets(weft__impulses* impulses) {
  uint32_t* first = impulses->bucket_first;
  memset(first, 0, ((size_t)impulses->bucket_count + 1) * sizeof(*first));
  for (uint32_t i = 0; i < impulses->body_count; ++i) {
    const weft__near_cell* cell = &impulses->cells[i];
    ++first[bucket_of(impulses, cell->level, cell->at) + 1];
  }
  for (uint32_t k = 0; k < impulses->bucket_count; ++k) first[k + 1] += first[k];
  for (uint32_t i = impulses->body_count; i-- > 0;) {
    const weft__near_cell* cell = &impulses->cells[i];
    const uint32_t bucket = bucket_of(impulses, cell->level, cell->at);
    // from behind: what is the end of a bucket now is its begin at last
    impulses->bucket_bodies[--first[bucket + 1]] = i;
  }
  // each has become the begin of its own bucket, one place too far
  memmove(first, first + 1, impulses->bucket_count * sizeof(*first));
  first[impulses->bucket_count] = impulses->body_count;
}

// every level that there is, the finest first; returns how many
static uint32_t find_levels(const weft__impulses* impulses, level_range levels[256]) {
  uint8_t has[256] = {0};
  uint32_t index[256];
  uint32_t count = 0;
  for (uint32_t i = 0; i < impulses->body_count; ++i) has[impulses->cells[i].level] = 1;
  for (uint32_t level = 0; level < 256; ++level) {
    if (!has[level]) continue;
    levels[count] = (level_range){.level = level,
                                  .least = {INT32_MAX, INT32_MAX, INT32_MAX},
                                  .most = {INT32_MIN, INT32_MIN, INT32_MIN}};
    index[level] = count++;
  }
  for (uint32_t i = 0; i < impulses->body_count; ++i) {
    const weft__near_cell* cell = &impulses->cells[i];
    level_range* range = &levels[index[cell->level]];
    for (int axis = 0; axis < 3; ++axis) {
      if (cell->at[axis] < range->least[axis]) range->least[axis] = cell->at[axis];
      if (cell->at[axis] > range->most[axis]) range->most[axis] = cell->at[axis];
    }
  }
  return count;
}

// ---- pairs ----

// what a body has found so far
typedef struct finding {
  const weft__impulses* impulses;
  const weft__contact_stage* stage;
  uint32_t body;
  const weft__material* material;
  bool is_pinned;
  weft__body_pair* pairs;  // NULL = they are only counted
  uint32_t count, room;
} finding;

static bool do_boxes_meet(const weft__near_box* a, const weft__near_box* b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!(a->least[axis] <= b->most[axis] && b->least[axis] <= a->most[axis])) return false;
  }
  return true;
}

static void consider(finding* f, uint32_t other) {
  const weft__impulses* impulses = f->impulses;
  if (!do_boxes_meet(&impulses->boxes[f->body], &impulses->boxes[other])) return;
  const uint32_t particle = impulses->particle[other];
  if (f->is_pinned && !(f->stage->particles->inv_mass[particle] > 0.0f)) return;
  const weft__material* material = weft__material_of(f->stage->materials, particle);
  if (!weft__surfaces_meet(&f->material->surface, &material->surface)) return;
  if (f->pairs != NULL && f->count < f->room) {
    f->pairs[f->count] = (weft__body_pair){f->body, other};
  }
  ++f->count;
}

static void look_into(finding* f, uint32_t level, const int32_t at[3]) {
  const weft__impulses* impulses = f->impulses;
  const uint32_t bucket = bucket_of(impulses, level, at);
  const bool is_own = level == impulses->cells[f->body].level;
  for (uint32_t k = impulses->bucket_first[bucket]; k < impulses->bucket_first[bucket + 1]; ++k) {
    const uint32_t other = impulses->bucket_bodies[k];
    const weft__near_cell* cell = &impulses->cells[other];
    const bool is_there = cell->level == level && cell->at[0] == at[0] && cell->at[1] == at[1] &&
                          cell->at[2] == at[2];
    // of two of one level the first finds the other
    if (is_there && (!is_own || other > f->body)) consider(f, other);
  }
}

static void look_at_level(finding* f, const level_range* range) {
  const weft__near_box* box = &f->impulses->boxes[f->body];
  const double width = width_of(range->level);
  int32_t least[3], most[3], at[3];
  for (int axis = 0; axis < 3; ++axis) {
    // those that reach as far have their middle so far away
    least[axis] = cell_of((double)box->least[axis] - 0.5 * width, width);
    most[axis] = cell_of((double)box->most[axis] + 0.5 * width, width);
    if (least[axis] < range->least[axis]) least[axis] = range->least[axis];
    if (most[axis] > range->most[axis]) most[axis] = range->most[axis];
  }
  for (at[2] = least[2]; at[2] <= most[2]; ++at[2]) {
    for (at[1] = least[1]; at[1] <= most[1]; ++at[1]) {
      for (at[0] = least[0]; at[0] <= most[0]; ++at[0]) look_into(f, range->level, at);
    }
  }
}

// the pairs of a body, written where there is room; returns how many there are
static uint32_t find_pairs(const weft__impulses* impulses, const weft__contact_stage* stage,
                           const level_range* levels, uint32_t level_count, uint32_t body,
                           weft__body_pair* pairs, uint32_t room) {
  const uint32_t particle = impulses->particle[body];
  finding f = {.impulses = impulses,
               .stage = stage,
               .body = body,
               .material = weft__material_of(stage->materials, particle),
               .is_pinned = !(stage->particles->inv_mass[particle] > 0.0f),
               .pairs = pairs,
               .room = room};
  for (uint32_t l = 0; l < level_count; ++l) {
    if (levels[l].level >= impulses->cells[body].level) look_at_level(&f, &levels[l]);
  }
  return f.count;
}

// counts become places; what finds none is left out
static void share_out(weft__impulses* impulses) {
  uint32_t* first = impulses->list.first;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < impulses->body_count; ++i) {
    const uint32_t count = first[i + 1];
    first[i] = sum < impulses->max_pairs ? (uint32_t)sum : impulses->max_pairs;
    sum += count;
  }
  impulses->pair_count = sum < impulses->max_pairs ? (uint32_t)sum : impulses->max_pairs;
  first[impulses->body_count] = impulses->pair_count;
  impulses->lost += sum - impulses->pair_count;
}

void weft__near_list(weft__impulses* impulses, const weft__contact_stage* stage,
                     const weft__team* team, weft__near_way way) {
  const weft__range own = weft__team_share(team, impulses->body_count);
  level_range levels[256];
  for (uint32_t i = own.begin; i < own.end; ++i) make_box(impulses, stage, i, way);
  weft__team_meet(team);

  if (team->worker == 0) fill_buckets(impulses);
  const uint32_t level_count = find_levels(impulses, levels);
  weft__team_meet(team);

  uint32_t* first = impulses->list.first;
  for (uint32_t i = own.begin; i < own.end; ++i) {
    first[i + 1] = find_pairs(impulses, stage, levels, level_count, i, NULL, 0);
  }
  weft__team_meet(team);

  if (team->worker == 0) share_out(impulses);
  weft__team_meet(team);

  for (uint32_t i = own.begin; i < own.end; ++i) {
    (void)find_pairs(impulses, stage, levels, level_count, i, impulses->list.pairs + first[i],
                     first[i + 1] - first[i]);
  }
  weft__team_meet(team);
}
