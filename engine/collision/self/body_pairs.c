#include "collision/self/body_pairs.h"

#include <math.h>
#include <string.h>

#include "base/coulomb.h"
#include "base/min_max.h"
#include "collision/self/seams.h"
#include "collision/self/shape_distance.h"
#include "collision/self/solve.h"

// Share of the sum of radii: spheres closer than this on their way tunnelled.
#define TUNNEL_SHARE 0.3f

// Particles that one body is compared with, at most, and beyond that for each particle of cloth and
// body of the world: a single large body reaches all of the cloth.
#define MAX_TESTS 8192u
#define SHARED_TESTS 16u
// Particles compared for a unit of work.
#define TESTS_A_UNIT 2u

#define PAIRS_A_PARTICLE 2u
// of the radius: a particle closer to its plane is held by it
#define TOUCH_SHARE 0.02f

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
  const float max_path = 1.50001f * (radius + self->shapes.bounding_radius[q->body]);
  if (weft__are_excluded(&self->exclusions, a, b, max_path) ||
      weft__seams_exclude(&self->exclusions, q->step->joints, b, a, max_path))
    return;
  weft__self_body_pairs* near = &self->body_pairs;
  if (near->count == near->capacity ||
      self->lists.pair_count + near->count >= self->lists.pair_limit) {
    ++self->lists.lost;
    return;
  }
  near->of[near->count++] = (weft__body_pair){q->body, place};
  near->has_pairs[q->body / WEFT__TILE] = near->has_pairs[place / WEFT__TILE] = 1;
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

void weft__self_find_body_pairs(weft__self* self, const weft__step_context* step) {
  weft__self_body_pairs* near = &self->body_pairs;
  near->count = 0;
  if (near->block == NULL) return;
  memset(near->has_pairs, 0, self->tiles.tile_count * sizeof(*near->has_pairs));
  uint64_t tests = 0;
  for (uint32_t b = 0; b < self->shapes.body_count; ++b)
    tests += find_near_cloth(self, step, self->shapes.bodies[b]);
  weft__step_spend(step, tests / TESTS_A_UNIT);
  self->lists.pair_count += near->count;
}

typedef struct contact {
  vector normal;      // unit, towards the cloth
  float depth;        // metres, not positive if apart
  float new_overlap;  // part due to this substep
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
  contact c = {.normal = {a < b ? 1.0f : -1.0f, 0.0f, 0.0f}};
  if (before_sq > min_sq && (now_sq <= min_sq || passed_through(now, before, contact_distance))) {
    c.normal = scaled(1.0f / sqrtf(before_sq), before);
  } else if (now_sq > min_sq) {
    c.normal = scaled(1.0f / sqrtf(now_sq), now);
  }
  const float distance = dot(now, c.normal);
  c.depth = contact_distance - distance;
  c.new_overlap = dot(before, c.normal) - distance;
  return c;
}

// between, before: from the body to the cloth, now and at the start of the substep.
static contact contact_of(const weft__self* self, const weft__step_context* step,
                          const weft__body_pair* t, vector between, vector before) {
  const float radius = self->tiles.now[(size_t)t->cloth * 4 + 3];
  if (self->shapes.kind[t->body] != WEFT__SELF_BODY) {
    return sphere_contact(radius + self->shapes.bounding_radius[t->body], t->cloth, t->body,
                          between, before);
  }
  const weft__shape_distance nearest =
      weft__shape_distance_body(weft__material_of(step->materials, self->particle[t->body]),
                                (const float[]){between.x, between.y, between.z});
  contact c = {.normal = {nearest.normal[0], nearest.normal[1], nearest.normal[2]},
               .depth = radius - nearest.distance};
  c.new_overlap = dot(moved(before, -1.0f, between), c.normal);
  return c;
}

static float friction_share(const weft__self_tiles* t, const weft__body_pair* pair, float push,
                            float friction_sq) {
  const float* body = t->friction + (size_t)pair->body * 4;
  const float* cloth = t->friction + (size_t)pair->cloth * 4;
  return (float)weft__friction_share((double)(sqrtf(body[0] + cloth[0]) * push),
                                     (double)(sqrtf(body[1] + cloth[1]) * push),
                                     (double)sqrtf(friction_sq));
}

static void move_place(float* records, uint32_t place, float by, vector impulse) {
  float* record = records + (size_t)place * 4;
  record[0] += by * impulse.x;
  record[1] += by * impulse.y;
  record[2] += by * impulse.z;
}

// Share of the cloth's mobility along a normal: its plane takes back what moves it in there.
static float mobility(const weft__self* self, uint32_t place, vector normal) {
  const uint32_t tile = place / WEFT__TILE, lane = place % WEFT__TILE;
  if (!self->has_planes || (self->plane_lanes[tile] >> lane & 1u) == 0) return 1.0f;
  const weft__tile_planes* p = &self->planes[tile];
  const vector of_plane = {p->normal[0][lane], p->normal[1][lane], p->normal[2][lane]};
  const vector at = {p->at[0][lane], p->at[1][lane], p->at[2][lane]};
  const float gap = dot(moved(record_at(self->tiles.now, place), -1.0f, at), of_plane);
  const float cosine = dot(normal, of_plane);
  if (cosine > 0.0f || gap > TOUCH_SHARE * self->tiles.radius[place]) return 1.0f;
  return weft__maxf(1.0f - cosine * cosine, 0.0f);
}

// The rule of contact rows: solve.h.
static vector find_slip(const weft__self_tiles* t, const weft__body_pair* pair, vector between,
                        vector before, const contact* c) {
  const vector anchor =
      moved(record_at(t->anchor, pair->cloth), -1.0f, record_at(t->anchor, pair->body));
  const vector of_step = moved(between, -1.0f, anchor);
  const float limit = WEFT__ANCHOR_SHARE * t->radius[pair->cloth];
  if (dot(of_step, of_step) < limit * limit)
    return moved(of_step, -dot(of_step, c->normal), c->normal);
  return moved(moved(between, -1.0f, before), c->new_overlap, c->normal);
}

static void solve_pair(const weft__self* self, const weft__step_context* step,
                       const weft__body_pair* pair, weft__body_impulse* sum) {
  const weft__self_tiles* t = &self->tiles;
  const vector between =
      moved(record_at(t->now, pair->cloth), -1.0f, record_at(t->now, pair->body));
  const vector before =
      moved(record_at(t->start, pair->cloth), -1.0f, record_at(t->start, pair->body));
  const float of_cloth = t->start[(size_t)pair->cloth * 4 + 3];
  const float of_body = t->start[(size_t)pair->body * 4 + 3];
  const contact c = contact_of(self, step, pair, between, before);
  if (!(c.depth > 0.0f || sum->push > 0.0f) || !(of_cloth + of_body > 0.0f)) return;
  const float had = sum->push;
  const float limit = t->friction[(size_t)pair->cloth * 4 + 3];
  const float old = weft__maxf(c.depth - c.new_overlap, 0.0f);
  const float allowed = weft__maxf(limit, 0.0f);
  const float by = weft__minf(c.new_overlap + weft__minf(old, allowed), c.depth);
  const float along = of_body + mobility(self, pair->cloth, c.normal) * of_cloth;
  const float mass = along > 0.0f ? 1.0f / along : 0.0f;
  sum->push = had + by * mass > 0.0f ? had + by * mass : 0.0f;
  const vector slip = find_slip(t, pair, between, before, &c);
  const vector held = {sum->friction[0], sum->friction[1], sum->friction[2]};
  vector friction = moved(held, -1.0f / (of_cloth + of_body), slip);
  friction = scaled(friction_share(t, pair, sum->push, dot(friction, friction)), friction);
  sum->friction[0] = friction.x;
  sum->friction[1] = friction.y;
  sum->friction[2] = friction.z;
  vector impulse = moved(moved(friction, -1.0f, held), sum->push - had, c.normal);
  if (self->contacts.rows.gives) {
    const float by_given = weft__minf(old, weft__maxf(-limit, 0.0f));
    const vector given = scaled(by_given / (of_cloth + of_body), c.normal);
    move_place(t->start, pair->cloth, of_cloth, given);
    move_place(t->start, pair->body, -of_body, given);
    impulse = moved(impulse, 1.0f, given);
  }
  move_place(t->now, pair->cloth, of_cloth, impulse);
  move_place(t->now, pair->body, -of_body, impulse);
}

void weft__self_find_given_by_bodies(weft__self* self, const weft__step_context* step) {
  const weft__self_tiles* t = &self->tiles;
  for (uint32_t i = 0; i < self->body_pairs.count; ++i) {
    const weft__body_pair* pair = &self->body_pairs.of[i];
    const vector before =
        moved(record_at(t->start, pair->cloth), -1.0f, record_at(t->start, pair->body));
    if (contact_of(self, step, pair, before, before).depth > 0.0f)
      weft__self_mark_given(self, pair->cloth);
  }
}

void weft__self_begin_body_pairs(weft__self* self) {
  weft__self_body_pairs* near = &self->body_pairs;
  for (uint32_t k = 0; k < near->count; ++k) {
    near->impulses[k] = (weft__body_impulse){0};
    self->contacts.lanes[near->of[k].cloth / WEFT__TILE] |=
        (uint16_t)(1u << near->of[k].cloth % WEFT__TILE);
  }
}

void weft__self_solve_body_pairs(weft__self* self, const weft__step_context* step,
                                 bool is_backward) {
  weft__self_body_pairs* near = &self->body_pairs;
  for (uint32_t k = 0; k < near->count; ++k) {
    const uint32_t i = is_backward ? near->count - 1 - k : k;
    solve_pair(self, step, &near->of[i], &near->impulses[i]);
  }
}
