#include "collision/self/body_pairs.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "collision/self/shape_distance.h"

// Share of the sum of radii: spheres closer than this on their way tunnelled.
#define TUNNEL_SHARE 0.3f

// Particles that one body is compared with, at most, and beyond that for each particle of cloth and
// body of the world: a single large body reaches all of the cloth.
#define MAX_TESTS 8192u
#define SHARED_TESTS 16u
// Particles compared for a unit of work.
#define TESTS_A_UNIT 2u

#define PAIRS_A_PARTICLE 2u

typedef struct vector {
  float x, y, z;
} vector;

static inline float dot(vector a, vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline vector scaled(float scale, vector a) {
  return (vector){scale * a.x, scale * a.y, scale * a.z};
}

// a + scale b
static inline vector moved(vector a, float scale, vector b) {
  return (vector){a.x + scale * b.x, a.y + scale * b.y, a.z + scale * b.z};
}

static inline vector vector_at(float* const* columns, uint32_t place) {
  return (vector){columns[0][place], columns[1][place], columns[2][place]};
}

static inline vector record_at(const float* records, uint32_t place) {
  const float* record = records + (size_t)place * 4;
  return (vector){record[0], record[1], record[2]};
}

static inline float* fourth_at(float* records, uint32_t place) {
  return records + (size_t)place * 4 + 3;
}

bool weft__self_make_body_pairs(weft__self* self) {
  weft__self_body_pairs* b = &self->body_pairs;
  if (b->block != NULL) return true;
  const uint64_t wanted = (uint64_t)PAIRS_A_PARTICLE * self->particle_count;
  b->capacity = wanted > UINT32_MAX / 4 ? UINT32_MAX / 4 : (uint32_t)wanted;
  return weft__columns_create(self, &weft__self_table, WEFT__SELF_BODY_PAIRS, &b->block,
                              &self->bytes);
}

typedef struct query {
  weft__self* self;
  const weft__step_context* step;
  uint32_t body;
  weft__range tiles; /* its environment's */
  float lower[3], upper[3];
  uint64_t tests, max_tests; /* this body's */
} query;

static void add_if_near(query* q, uint32_t place) {
  weft__self* self = q->self;
  const float radius = self->tiles.radius[place];
  if (!(radius > 0.0f)) return;
  const vector o =
      moved(vector_at(self->tiles.at, place), -1.0f, vector_at(self->tiles.at, q->body));
  const float contact_distance = radius + self->shapes.bounding_radius[q->body] + self->lists.skin;
  if (!(dot(o, o) < contact_distance * contact_distance)) return;
  const weft__material* body = weft__material_of(q->step->materials, self->particle[q->body]);
  const weft__material* own = weft__material_of(q->step->materials, self->particle[place]);
  if (!weft__surfaces_collide(&body->surface, &own->surface)) return;
  const uint32_t a = self->particle[place];
  const uint32_t b = self->particle[q->body];
  if (weft__are_excluded(&self->exclusions, a, b,
                         1.50001f * (radius + self->shapes.bounding_radius[q->body])))
    return;
  weft__self_body_pairs* near = &self->body_pairs;
  if (near->count == near->capacity ||
      self->lists.pair_count + near->count >= self->lists.pair_limit) {
    ++self->lists.lost;
    return;
  }
  near->found[near->count++] = (weft__self_pair){q->body, place};
}

static bool overlaps(const query* q, const weft__tile_boxes* boxes, uint32_t node) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!(boxes->lower[axis][node] <= q->upper[axis] &&
          q->lower[axis] <= boxes->upper[axis][node])) {
      return false;
    }
  }
  return true;
}

static void visit_nodes(query* q, uint32_t level, uint32_t group) {
  const weft__tile_boxes* boxes = &q->self->tiles.boxes;
  for (uint32_t node = group * WEFT__TILE; node < (group + 1) * WEFT__TILE; ++node) {
    if ((node + 1) << 4 * level <= q->tiles.begin || node << 4 * level >= q->tiles.end) continue;
    if (node >= boxes->count[level] || !overlaps(q, boxes, boxes->first[level] + node)) continue;
    if (level > 0) {
      visit_nodes(q, level - 1, node);
      continue;
    }
    if (q->tests >= q->max_tests) return;
    q->tests += WEFT__TILE;
    for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) add_if_near(q, node * WEFT__TILE + lane);
  }
}

// Returns the number of particles compared.
static uint64_t find_near_cloth(weft__self* self, const weft__step_context* step, uint32_t body) {
  query q = {.self = self,
             .step = step,
             .body = body,
             .tiles = weft__self_others(self, step, body / WEFT__TILE)};
  q.max_tests = MAX_TESTS + (uint64_t)SHARED_TESTS * WEFT__TILE * self->tiles.tile_count /
                                self->shapes.body_count;
  for (int axis = 0; axis < 3; ++axis) {
    const float here = self->tiles.at[axis][body];
    // tile boxes include radii
    const float extent =
        1.001f * (self->shapes.bounding_radius[body] + self->lists.skin) + 1e-6f * fabsf(here);
    q.lower[axis] = here - extent;
    q.upper[axis] = here + extent;
  }
  visit_nodes(&q, self->tiles.boxes.level_count - 1, 0);
  if (q.tests >= q.max_tests) ++self->lists.lost;
  return q.tests;
}

// Counting sort by tile, stable; each pair at both ends.
static void sort_by_tile(weft__self_body_pairs* near, uint32_t tile_count) {
  uint32_t* first = near->first_of_tile;
  memset(first, 0, ((size_t)tile_count + 2) * sizeof(*first));
  for (uint32_t i = 0; i < near->count; ++i) {
    ++first[near->found[i].own / WEFT__TILE + 2];
    ++first[near->found[i].other / WEFT__TILE + 2];
  }
  (void)weft__sum_buckets(first, tile_count);
  for (uint32_t i = 0; i < near->count; ++i) {
    const weft__self_pair pair = near->found[i];
    near->by_tile[first[pair.own / WEFT__TILE + 1]++] = pair;
    near->by_tile[first[pair.other / WEFT__TILE + 1]++] = (weft__self_pair){pair.other, pair.own};
  }
}

void weft__self_find_body_pairs(weft__self* self, const weft__step_context* step) {
  weft__self_body_pairs* near = &self->body_pairs;
  near->count = 0;
  if (near->block == NULL) return;
  uint64_t tests = 0;
  for (uint32_t b = 0; b < self->shapes.body_count; ++b)
    tests += find_near_cloth(self, step, self->shapes.bodies[b]);
  weft__step_spend(step, tests / TESTS_A_UNIT);
  if (near->count > 0) sort_by_tile(near, self->tiles.tile_count);
  self->lists.pair_count += near->count;
}

// Contact as one end sees it.
typedef struct contact {
  vector normal;    // unit, from the other end
  float depth;      // metres, not positive if apart
  float new_depth;  // part due to this substep
} contact;

// True if the spheres tunnelled through each other.
static bool passed_through(vector now, vector before, float contact_distance) {
  if (!(dot(now, before) < 0.0f)) return false;
  const vector displacement = moved(now, -1.0f, before);
  const vector nearest =
      moved(before, -dot(before, displacement) / dot(displacement, displacement), displacement);
  return dot(nearest, nearest) < TUNNEL_SHARE * TUNNEL_SHARE * contact_distance * contact_distance;
}

static contact sphere_contact(float contact_distance, uint32_t a, uint32_t b, vector now,
                              vector before) {
  const float min_sq = 1e-12f * contact_distance * contact_distance;
  const float now_sq = dot(now, now);
  const float before_sq = dot(before, before);
  if (!(now_sq < contact_distance * contact_distance)) return (contact){.depth = 0.0f};
  contact c = {.normal = {a < b ? 1.0f : -1.0f, 0.0f, 0.0f}};
  if (before_sq > min_sq && (now_sq <= min_sq || passed_through(now, before, contact_distance))) {
    c.normal = scaled(1.0f / sqrtf(before_sq), before);
  } else if (now_sq > min_sq) {
    c.normal = scaled(1.0f / sqrtf(now_sq), now);
  }
  const float distance = dot(now, c.normal);
  c.depth = contact_distance - distance;
  c.new_depth = dot(before, c.normal) - distance;
  return c;
}

static contact contact_of(const weft__self* self, const weft__step_context* step,
                          const weft__self_pair* t, vector now, vector before) {
  const bool own_is_shape = self->shapes.kind[t->own] == WEFT__SELF_BODY;
  if (!own_is_shape && self->shapes.kind[t->other] != WEFT__SELF_BODY) {
    return sphere_contact(
        self->shapes.bounding_radius[t->own] + self->shapes.bounding_radius[t->other], t->own,
        t->other, now, before);
  }
  // from the centre of the shape, at either end
  const float sign = own_is_shape ? -1.0f : 1.0f;
  const vector o = scaled(sign, now);
  const uint32_t body = self->particle[own_is_shape ? t->own : t->other];
  const weft__shape_distance nearest = weft__shape_distance_body(
      weft__material_of(step->materials, body), (const float[]){o.x, o.y, o.z});
  contact c = {
      .normal = {sign * nearest.normal[0], sign * nearest.normal[1], sign * nearest.normal[2]}};
  c.depth = self->shapes.bounding_radius[own_is_shape ? t->other : t->own] - nearest.distance;
  c.new_depth = dot(moved(before, -1.0f, now), c.normal);
  return c;
}

static contact contact_between(const weft__self* self, const weft__step_context* step,
                               const weft__tile_state* turn, const weft__self_pair* t,
                               vector* displacement) {
  const vector now =
      moved(vector_at(self->tiles.at, t->own), -1.0f, record_at(turn->seen, t->other));
  const vector before =
      moved(record_at(turn->start, t->own), -1.0f, record_at(turn->start, t->other));
  *displacement = moved(now, -1.0f, before);
  return contact_of(self, step, t, now, before);
}

void weft__self_count_body_contacts(weft__self* self, const weft__step_context* step,
                                    uint32_t tile) {
  weft__self_tiles* t = &self->tiles;
  float sums[WEFT__TILE][6] = {{0.0f}};
  const weft__self_body_pairs* near = &self->body_pairs;
  for (uint32_t lane = 0; lane < WEFT__TILE && t->slot_count[tile] == 0; ++lane) {
    *fourth_at(t->turns[0].start, tile * WEFT__TILE + lane) = 0.0f;
    t->friction[(size_t)(tile * WEFT__TILE + lane) * 4 + 2] = 1.0f;
  }
  for (uint32_t i = near->first_of_tile[tile]; i < near->first_of_tile[tile + 1]; ++i) {
    vector ignored;
    const contact c = contact_between(self, step, &t->turns[0], &near->by_tile[i], &ignored);
    if (!(c.depth > 0.0f)) continue;
    const vector u = c.normal;
    float* sum = sums[near->by_tile[i].own % WEFT__TILE];
    const float products[6] = {u.x * u.x, u.y * u.y, u.z * u.z, u.x * u.y, u.y * u.z, u.z * u.x};
    for (int k = 0; k < 6; ++k) sum[k] += products[k];
  }
  for (uint32_t lane = 0; lane < WEFT__TILE; ++lane) {
    const float* sum = sums[lane];
    const float sum_sq = sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] +
                         2.0f * (sum[3] * sum[3] + sum[4] * sum[4] + sum[5] * sum[5]);
    const uint32_t place = tile * WEFT__TILE + lane;
    *fourth_at(t->turns[0].start, place) += sqrtf(sum_sq) * t->inv_mass[place];
  }
}

// Support that pushes the particle in this direction.
static inline bool is_supported(const weft__self_tiles* t, uint32_t place, vector direction) {
  return !(t->inv_mass[place] > 0.0f) ||
         dot(record_at(t->support, place), direction) > WEFT__MIN_SUPPORT_COSINE;
}

// Share of the slip that Coulomb friction removes, 0 to 1.
static float friction_share(const weft__self_tiles* t, const weft__self_pair* pair,
                            float normal_displacement, float slip_sq) {
  const float* own = t->friction + (size_t)pair->own * 4;
  const float* other = t->friction + (size_t)pair->other * 4;
  const float max_static = sqrtf(own[0] + other[0]) * normal_displacement;
  if (slip_sq <= max_static * max_static) return 1.0f;
  const float max_dynamic = sqrtf(own[1] + other[1]) * normal_displacement;
  const float share = max_dynamic / sqrtf(slip_sq);
  return share < 1.0f ? share : 1.0f;
}

static void accumulate(float* extra, uint32_t column, vector v) {
  extra[column * WEFT__TILE] += v.x;
  extra[(column + 1) * WEFT__TILE] += v.y;
  extra[(column + 2) * WEFT__TILE] += v.z;
}

// Contact count over mass; at least one contact.
static float split_inv_mass(const weft__self_tiles* t, const weft__tile_state* turn,
                            uint32_t place) {
  const float split = *fourth_at(turn->start, place);
  return split > 0.0f ? split : t->inv_mass[place];
}

static void add_pair(const weft__self* self, const weft__step_context* step,
                     const weft__tile_round* round, const weft__self_pair* pair, float* extra) {
  const weft__self_tiles* t = &self->tiles;
  vector displacement;
  const contact c = contact_between(self, step, round->now, pair, &displacement);
  const float w = t->inv_mass[pair->own];
  if (!(c.depth > 0.0f) || !(w > 0.0f)) return;
  const bool own_supported = is_supported(t, pair->own, scaled(-1.0f, c.normal));
  const bool other_supported = is_supported(t, pair->other, c.normal);
  const float own_split = split_inv_mass(t, round->now, pair->own);
  float share = w / (own_split + split_inv_mass(t, round->now, pair->other));
  if (own_supported != other_supported) share = other_supported ? w / own_split : 0.0f;
  const float new_depth = c.new_depth < 0.0f ? 0.0f : c.new_depth < c.depth ? c.new_depth : c.depth;
  const float own_radius = self->shapes.bounding_radius[pair->own];
  const float other_radius = self->shapes.bounding_radius[pair->other];
  const float max_push =
      2.0f * round->push * (own_radius < other_radius ? own_radius : other_radius);
  const float old_depth = !round->is_first                 ? 0.0f
                          : c.depth - new_depth < max_push ? c.depth - new_depth
                                                           : max_push;
  accumulate(extra, 0, scaled(share * (old_depth + new_depth), c.normal));
  accumulate(extra, 3, scaled(share * old_depth, c.normal));
  if (other_supported) accumulate(extra, 6, scaled(share * (old_depth + new_depth), c.normal));
  if (!(new_depth > 0.0f)) return;
  const vector slip = moved(displacement, -dot(displacement, c.normal), c.normal);
  accumulate(extra, 0, scaled(-share * friction_share(t, pair, new_depth, dot(slip, slip)), slip));
}

void weft__self_solve_body_pairs(const weft__self* self, const weft__step_context* step,
                                 uint32_t tile, const weft__tile_round* round, float* extra) {
  memset(extra, 0, sizeof(float[9 * WEFT__TILE]));
  const weft__self_body_pairs* near = &self->body_pairs;
  for (uint32_t i = near->first_of_tile[tile]; i < near->first_of_tile[tile + 1]; ++i) {
    const weft__self_pair* pair = &near->by_tile[i];
    add_pair(self, step, round, pair, extra + pair->own % WEFT__TILE);
  }
}
