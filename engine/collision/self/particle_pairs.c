#include "collision/self/particle_pairs.h"

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "collision/self/shape_distance.h"

// of the radii: those that have passed each other nearer than this have gone through each other
#define THROUGH 0.3f

// pairs for each particle
#define PAIRS_A_PARTICLE 2u

typedef struct vector {
  float x, y, z;
} vector;

static inline float dot(vector a, vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vector scaled(float s, vector a) {
  return (vector){s * a.x, s * a.y, s * a.z};
}

// a + s b
static inline vector moved(vector a, float s, vector b) {
  return (vector){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline vector vector_at(float* const* columns, uint32_t place) {
  return (vector){columns[0][place], columns[1][place], columns[2][place]};
}

static inline vector record_at(const float* records, uint32_t place) {
  const float* record = records + (size_t)place * 4;
  return (vector){record[0], record[1], record[2]};
}

static inline float* fourth_of(float* records, uint32_t place) {
  return records + (size_t)place * 4 + 3;
}

// ---- room ----

static void place_columns(weft__self* cloth, weft__arena* arena) {
  weft__self_particles* b = &cloth->near_bodies;
  b->first_of_tile =
      weft__arena_take(arena, (size_t)cloth->tiles.tile_count + 2, sizeof(*b->first_of_tile));
  b->found = weft__arena_take(arena, b->capacity / 2, sizeof(*b->found));
  b->touches = weft__arena_take(arena, b->capacity, sizeof(*b->touches));
}

bool weft__self_make_particles(weft__self* cloth) {
  weft__self_particles* b = &cloth->near_bodies;
  if (b->block != NULL) return true;
  const uint64_t wanted = 2ull * PAIRS_A_PARTICLE * cloth->particle_count;
  b->capacity = wanted > UINT32_MAX / 2 ? UINT32_MAX / 2 - 1 : (uint32_t)wanted;
  weft__arena arena = {0};
  place_columns(cloth, &arena);
  if (!weft__arena_open(&arena)) {
    *b = (weft__self_particles){0};
    return false;
  }
  place_columns(cloth, &arena);
  b->block = arena.block;
  cloth->bytes += arena.used;
  return true;
}

// ---- lists ----

typedef struct seeker {
  weft__self* cloth;
  const weft__contact_stage* stage;
  uint32_t body;
  float least[3], most[3];
} seeker;

static void look_at(seeker* s, uint32_t place) {
  weft__self* cloth = s->cloth;
  const float radius = cloth->tiles.radius[place];
  if (!(radius > 0.0f)) return;
  const vector o =
      moved(vector_at(cloth->tiles.at, place), -1.0f, vector_at(cloth->tiles.at, s->body));
  const float reach = radius + cloth->reach[s->body] + cloth->skin;
  if (!(dot(o, o) < reach * reach)) return;
  const weft__material* body = weft__material_of(s->stage->materials, cloth->particle[s->body]);
  const weft__material* own = weft__material_of(s->stage->materials, cloth->particle[place]);
  if (!weft__surfaces_meet(&body->surface, &own->surface)) return;
  const uint32_t a = cloth->particle[place];
  const uint32_t b = cloth->particle[s->body];
  if (weft__are_excluded(&cloth->exclusions, a, b, 1.50001f * (radius + cloth->reach[s->body])))
    return;
  weft__self_particles* near = &cloth->near_bodies;
  if (2 * (near->count + 1) > near->capacity ||
      cloth->pair_count + near->count >= cloth->pair_limit) {
    ++cloth->lost;
    return;
  }
  near->found[near->count++] = (weft__self_touch){s->body, place};
}

static bool meets(const seeker* s, const weft__tile_boxes* boxes, uint32_t node) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!(boxes->least[axis][node] <= s->most[axis] && s->least[axis] <= boxes->most[axis][node])) {
      return false;
    }
  }
  return true;
}

static void seek_below(seeker* s, uint32_t level, uint32_t group) {
  const weft__tile_boxes* boxes = &s->cloth->tiles.boxes;
  for (uint32_t node = group * WEFT__TILE; node < (group + 1) * WEFT__TILE; ++node) {
    if (node >= boxes->count[level] || !meets(s, boxes, boxes->first[level] + node)) continue;
    if (level > 0) {
      seek_below(s, level - 1, node);
      continue;
    }
    for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) look_at(s, node * WEFT__TILE + lane);
  }
}

static void seek(weft__self* cloth, const weft__contact_stage* stage, uint32_t body) {
  seeker s = {.cloth = cloth, .stage = stage, .body = body};
  for (int axis = 0; axis < 3; ++axis) {
    const float here = cloth->tiles.at[axis][body];
    // boxes have the radii of cloth around them
    const float aside = 1.001f * (cloth->reach[body] + cloth->skin) + 1e-6f * fabsf(here);
    s.least[axis] = here - aside;
    s.most[axis] = here + aside;
  }
  seek_below(&s, cloth->tiles.boxes.level_count - 1, 0);
}

// stable, by the tile of either end
static void sort_by_tile(weft__self_particles* near, uint32_t tile_count) {
  uint32_t* first = near->first_of_tile;
  memset(first, 0, ((size_t)tile_count + 2) * sizeof(*first));
  for (uint32_t i = 0; i < near->count; ++i) {
    ++first[near->found[i].own / WEFT__TILE + 2];
    ++first[near->found[i].other / WEFT__TILE + 2];
  }
  for (uint32_t tile = 0; tile < tile_count; ++tile) first[tile + 2] += first[tile + 1];
  for (uint32_t i = 0; i < near->count; ++i) {
    const weft__self_touch pair = near->found[i];
    near->touches[first[pair.own / WEFT__TILE + 1]++] = pair;
    near->touches[first[pair.other / WEFT__TILE + 1]++] = (weft__self_touch){pair.other, pair.own};
  }
}

void weft__self_find_particle_pairs(weft__self* cloth, const weft__contact_stage* stage) {
  weft__self_particles* near = &cloth->near_bodies;
  near->count = 0;
  if (near->block == NULL) return;
  for (uint32_t b = 0; b < cloth->body_count; ++b) seek(cloth, stage, cloth->bodies[b]);
  if (near->count > 0) sort_by_tile(near, cloth->tiles.tile_count);
  cloth->pair_count += near->count;
}

// ---- contacts ----

// how two lie to each other
typedef struct contact {
  vector normal;  // from the other one to this one
  float depth;    // metres by which they overlap, 0 or less where they do not
  float fresh;    // of that, what came about in this substep
} contact;

// whether they went through each other on the way from `before` to `now`
static bool went_through(vector now, vector before, float reach) {
  if (!(dot(now, before) < 0.0f)) return false;
  const vector way = moved(now, -1.0f, before);
  const vector nearest = moved(before, -dot(before, way) / dot(way, way), way);
  return dot(nearest, nearest) < THROUGH * THROUGH * reach * reach;
}

static contact between_spheres(float reach, uint32_t a, uint32_t b, vector now, vector before) {
  const float least = 1e-12f * reach * reach;
  const float now_squared = dot(now, now);
  const float before_squared = dot(before, before);
  if (!(now_squared < reach * reach)) return (contact){.depth = 0.0f};
  contact c = {.normal = {a < b ? 1.0f : -1.0f, 0.0f, 0.0f}};
  if (before_squared > least && (now_squared <= least || went_through(now, before, reach))) {
    c.normal = scaled(1.0f / sqrtf(before_squared), before);
  } else if (now_squared > least) {
    c.normal = scaled(1.0f / sqrtf(now_squared), now);
  }
  const float distance = dot(now, c.normal);
  c.depth = reach - distance;
  c.fresh = dot(before, c.normal) - distance;
  return c;
}

static contact contact_of(const weft__self* cloth, const weft__contact_stage* stage,
                          const weft__self_touch* t, vector now, vector before) {
  const bool is_first = cloth->kind[t->own] == WEFT__SELF_BODY;
  if (!is_first && cloth->kind[t->other] != WEFT__SELF_BODY) {
    return between_spheres(cloth->reach[t->own] + cloth->reach[t->other], t->own, t->other, now,
                           before);
  }
  // from the body's middle, whoever asks
  const float sign = is_first ? -1.0f : 1.0f;
  const vector o = scaled(sign, now);
  const uint32_t body = cloth->particle[is_first ? t->own : t->other];
  const weft__gap gap =
      weft__gap_to_body(weft__material_of(stage->materials, body), (const float[]){o.x, o.y, o.z});
  contact c = {.normal = {sign * gap.normal[0], sign * gap.normal[1], sign * gap.normal[2]}};
  c.depth = cloth->reach[is_first ? t->other : t->own] - gap.distance;
  c.fresh = dot(moved(before, -1.0f, now), c.normal);
  return c;
}

static contact contact_in(const weft__self* cloth, const weft__contact_stage* stage,
                          const weft__tile_turn* turn, const weft__self_touch* t, vector* way) {
  const vector now =
      moved(vector_at(cloth->tiles.at, t->own), -1.0f, record_at(turn->seen, t->other));
  const vector before =
      moved(record_at(turn->start, t->own), -1.0f, record_at(turn->start, t->other));
  *way = moved(now, -1.0f, before);
  return contact_of(cloth, stage, t, now, before);
}

// ---- how much they count ----

void weft__self_solve_particle_pairs(weft__self* cloth, const weft__contact_stage* stage,
                                     uint32_t tile) {
  weft__self_tiles* t = &cloth->tiles;
  float sums[WEFT__TILE][6] = {{0.0f}};
  const weft__self_particles* near = &cloth->near_bodies;
  for (uint32_t lane = 0; lane < WEFT__TILE && t->slot_count[tile] == 0; ++lane) {
    *fourth_of(t->turns[0].start, tile * WEFT__TILE + lane) = 0.0f;
    t->rub[(size_t)(tile * WEFT__TILE + lane) * 4 + 2] = 1.0f;
  }
  for (uint32_t i = near->first_of_tile[tile]; i < near->first_of_tile[tile + 1]; ++i) {
    vector ignored;
    const contact c = contact_in(cloth, stage, &t->turns[0], &near->touches[i], &ignored);
    if (!(c.depth > 0.0f)) continue;
    const vector u = c.normal;
    float* sum = sums[near->touches[i].own % WEFT__TILE];
    const float parts[6] = {u.x * u.x, u.y * u.y, u.z * u.z, u.x * u.y, u.y * u.z, u.z * u.x};
    for (int k = 0; k < 6; ++k) sum[k] += parts[k];
  }
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) {
    const float* s = sums[lane];
    const float squared =
        s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + 2.0f * (s[3] * s[3] + s[4] * s[4] + s[5] * s[5]);
    const uint32_t place = tile * WEFT__TILE + lane;
    *fourth_of(t->turns[0].start, place) += sqrtf(squared) * t->inv_mass[place];
  }
}

// ---- one round ----

// Whether what holds a particle pushes it this way.
static inline bool is_held(const weft__self_tiles* t, uint32_t place, vector way) {
  return dot(record_at(t->hold, place), way) > *fourth_of(t->hold, place);
}

// How much of what one moves along the other friction takes back: all of it, or what it can.
static float rub(const weft__self_tiles* t, const weft__self_touch* pair, float pressed,
                 float slid_squared) {
  const float* own = t->rub + (size_t)pair->own * 4;
  const float* other = t->rub + (size_t)pair->other * 4;
  const float holds = sqrtf(own[0] + other[0]) * pressed;
  if (slid_squared <= holds * holds) return 1.0f;
  const float slows = sqrtf(own[1] + other[1]) * pressed;
  const float back = slows / sqrtf(slid_squared);
  return back < 1.0f ? back : 1.0f;
}

static void add(float* more, uint32_t column, vector v) {
  more[column * WEFT__TILE] += v.x;
  more[(column + 1) * WEFT__TILE] += v.y;
  more[(column + 2) * WEFT__TILE] += v.z;
}

// What a pair's end counts for: as one contact where it touched nothing before the first round.
static float count_of(const weft__self_tiles* t, const weft__tile_turn* turn, uint32_t place) {
  const float split = *fourth_of(turn->start, place);
  return split > 0.0f ? split : t->inv_mass[place];
}

static void add_pair(const weft__self* cloth, const weft__contact_stage* stage,
                     const weft__tile_round* round, const weft__self_touch* pair, float* more) {
  const weft__self_tiles* t = &cloth->tiles;
  vector way;
  const contact c = contact_in(cloth, stage, round->now, pair, &way);
  const float w = t->inv_mass[pair->own];
  if (!(c.depth > 0.0f) || !(w > 0.0f)) return;
  const bool own_held = is_held(t, pair->own, scaled(-1.0f, c.normal));
  const bool other_held = is_held(t, pair->other, c.normal);
  const float own_count = count_of(t, round->now, pair->own);
  float part = w / (own_count + count_of(t, round->now, pair->other));
  if (own_held != other_held) part = other_held ? w / own_count : 0.0f;
  const float fresh = c.fresh < 0.0f ? 0.0f : c.fresh < c.depth ? c.fresh : c.depth;
  const float own_reach = cloth->reach[pair->own];
  const float other_reach = cloth->reach[pair->other];
  const float most = 2.0f * round->push * (own_reach < other_reach ? own_reach : other_reach);
  const float old = !round->is_first ? 0.0f : c.depth - fresh < most ? c.depth - fresh : most;
  add(more, 0, scaled(part * (old + fresh), c.normal));
  add(more, 3, scaled(part * old, c.normal));
  if (other_held) add(more, 6, scaled(part * (old + fresh), c.normal));
  if (!(fresh > 0.0f)) return;
  const vector slid = moved(way, -dot(way, c.normal), c.normal);
  add(more, 0, scaled(-part * rub(t, pair, fresh, dot(slid, slid)), slid));
}

void weft__self_separate_particles(const weft__self* cloth, const weft__contact_stage* stage,
                                   uint32_t tile, const weft__tile_round* round, float* more) {
  memset(more, 0, sizeof(float[9 * WEFT__TILE]));
  const weft__self_particles* near = &cloth->near_bodies;
  for (uint32_t i = near->first_of_tile[tile]; i < near->first_of_tile[tile + 1]; ++i) {
    const weft__self_touch* pair = &near->touches[i];
    add_pair(cloth, stage, round, pair, more + pair->own % WEFT__TILE);
  }
}
