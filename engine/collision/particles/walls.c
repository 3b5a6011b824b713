#include "collision/particles/walls.h"

#include <math.h>

#include "collision/colliders/colliders.h"

// of the least half size: a body so near to a wall that holds it lies on it
#define NEAR_WALL 1e-3
// and one so near to a collider may come to lie on it
#define NEAR_COLLIDER 0.1
// numbers of colliders come after those of the sides of the bounds
#define FIRST_COLLIDER 7u
// bodies that look for colliders together, and colliders that they find at most before they look at all
enum { BLOCK = 32, MOST_FOUND = 64 };
// Colliders hold bodies so far out, for what the rounding of coordinates may take them in again; half of it is left
// to them, so that they go on holding what lies on them: see collision/colliders/particle_toi.c.
#define SLACK (0.5 * 0x1p-23)
#define LEAST_COORDINATE 0.001

// a wall near a body
typedef struct wall {
  uint32_t key;           // which one: 1 to 6 for the bounds; 0 = there is none
  double normal[3];       // into the wall
  double gap;             // metres from where the body was
  double velocity[3];     // metres per second
  weft__surface surface;  // of the two together
} wall;

// the nearest walls of a body
typedef struct walls_near {
  wall walls[WEFT__BODY_WALLS];
  uint32_t count;
} walls_near;

// where there are more than there is room for, the one that is furthest away is left out
static void add_wall(walls_near* near, const wall* added) {
  if (near->count < WEFT__BODY_WALLS) {
    near->walls[near->count++] = *added;
    return;
  }
  uint32_t furthest = 0;
  for (uint32_t k = 1; k < near->count; ++k) {
    if (near->walls[k].gap > near->walls[furthest].gap) furthest = k;
  }
  if (added->gap < near->walls[furthest].gap) near->walls[furthest] = *added;
}

static double least_half(const float half[3]) {
  return (double)fminf(fminf(half[0], half[1]), half[2]);
}

// ---- the bounds ----

// one side of an axis
static void look_at_side(const weft__contact_stage* stage, const weft__touch_scale* scale,
                         uint32_t particle, int axis, bool is_most, float at, walls_near* near) {
  const weft__particles* p = stage->particles;
  const float* pos[3] = {p->pos_x, p->pos_y, p->pos_z};
  const float* prev[3] = {p->prev_x, p->prev_y, p->prev_z};
  const double sign = is_most ? 1.0 : -1.0;
  const double gap = sign * ((double)at - (double)prev[axis][particle]);
  const double closing = sign * ((double)pos[axis][particle] - (double)prev[axis][particle]);
  const double half = least_half(weft__material_of(stage->materials, particle)->half_size);
  if (!(gap - closing < 0.1 * half + 2.0 * scale->longest)) return;
  const double restitution = (double)stage->bounds->restitution;
  const double pull = sign * scale->gravity[axis];
  const bool hits = closing > gap && gap >= 0.0;
  if (hits && restitution > 0.0 &&
      weft__touch_bounce(scale, closing * scale->rate, closing - gap, pull, restitution) > 0.0f) {
    return;
  }
  wall found = {.key = 1 + 2 * (uint32_t)axis + (is_most ? 1 : 0), .gap = gap};
  found.normal[axis] = sign;
  found.surface.static_friction = found.surface.dynamic_friction = stage->bounds->friction;
  add_wall(near, &found);
}

static void look_at_bounds(const weft__contact_stage* stage, const weft__touch_scale* scale,
                           uint32_t particle, walls_near* near) {
  const weft__bounds* bounds = stage->bounds;
  for (int axis = 0; axis < 3; ++axis) {
    float least, most;
    weft__bounds_around(bounds, particle, axis, &least, &most);
    // what is larger than the box stays in its middle
    if (!(least < most)) continue;
    if (least > -INFINITY) look_at_side(stage, scale, particle, axis, false, least, near);
    if (most < INFINITY) look_at_side(stage, scale, particle, axis, true, most, near);
  }
}

// ---- colliders ----

// around all that some bodies do in the substep, and how far they reach out
typedef struct body_block {
  weft__vec3 least, most;
} body_block;

static void take_in(body_block* block, weft__vec3 at, double reach) {
  block->least =
      (weft__vec3){fmin(block->least.x, at.x - reach), fmin(block->least.y, at.y - reach),
                   fmin(block->least.z, at.z - reach)};
  block->most = (weft__vec3){fmax(block->most.x, at.x + reach), fmax(block->most.y, at.y + reach),
                             fmax(block->most.z, at.z + reach)};
}

static bool is_beside(const body_block* block, const weft__collider* c) {
  return block->least.x > c->swept_most.x || block->most.x < c->swept_least.x ||
         block->least.y > c->swept_most.y || block->most.y < c->swept_least.y ||
         block->least.z > c->swept_most.z || block->most.z < c->swept_least.z;
}

static weft__vec3 place_before(const weft__particles* p, uint32_t i) {
  return (weft__vec3){(double)p->prev_x[i], (double)p->prev_y[i], (double)p->prev_z[i]};
}

static weft__vec3 place_now(const weft__particles* p, uint32_t i) {
  return (weft__vec3){(double)p->pos_x[i], (double)p->pos_y[i], (double)p->pos_z[i]};
}

// as far out as any part of a body is
static double most_reach(const float half[3]) {
  return (double)half[0] + (double)half[1] + (double)half[2];
}

static body_block block_of(const weft__particle_contacts* particle_contacts,
                           const weft__contact_stage* stage, uint32_t begin, uint32_t end) {
  body_block block = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (uint32_t i = begin; i < end; ++i) {
    const uint32_t particle = particle_contacts->particle[i];
    const float* half = weft__material_of(stage->materials, particle)->half_size;
    take_in(&block, place_before(stage->particles, particle), most_reach(half));
    take_in(&block, place_now(stage->particles, particle), most_reach(half));
  }
  return block;
}

// how far a body reaches along a normal
static double reach_along(const weft__material* material, weft__vec3 normal) {
  const float* half = material->half_size;
  const weft__vec3 part = {normal.x * (double)half[0], normal.y * (double)half[1],
                           normal.z * (double)half[2]};
  if (material->shape == WEFT_CONTACT_BOX) return fabs(part.x) + fabs(part.y) + fabs(part.z);
  if (material->shape == WEFT_CONTACT_ELLIPSOID) return sqrt(weft__dot(part, part));
  return (double)half[0];
}

static double slack_at(weft__vec3 place, weft__vec3 normal) {
  return SLACK * (fabs(normal.x * place.x) + fabs(normal.y * place.y) + fabs(normal.z * place.z) +
                  LEAST_COORDINATE);
}

// Where the body was, as the collider was then: the plane that it is before. What comes from afar, or bounces, is
// the collider's alone.
static void look_at_collider(const weft__contact_stage* stage, const weft__touch_scale* scale,
                             uint32_t particle, uint32_t number, walls_near* near) {
  const weft__collider* c = &stage->colliders->list[number];
  // no plane stands for one that turns far within the substep
  if (c->slice_count > 1) return;
  const weft__material* material = weft__material_of(stage->materials, particle);
  if (!weft__surfaces_meet(&material->surface, &c->surface)) return;
  const weft__vec3 was = place_before(stage->particles, particle);
  const double margin = NEAR_COLLIDER * least_half(material->half_size);
  weft__surface_point at;
  if (!c->row->find_nearest(&c->shape, weft__frame_in(&c->begin, was),
                            most_reach(material->half_size) + margin, &at)) {
    return;
  }
  const weft__vec3 normal = weft__turn_out(&c->end, at.normal);
  const double gap = at.distance - reach_along(material, normal) - slack_at(was, normal);
  // it is on its way through already, and the collider knows better where
  if (!(gap < margin && gap > -margin)) return;
  const weft__vec3 moved =
      weft__minus(weft__frame_out(&c->end, at.point), weft__frame_out(&c->begin, at.point));
  const weft__vec3 way = weft__minus(place_now(stage->particles, particle), was);
  const double closing = weft__dot(normal, weft__minus(moved, way));
  wall found = {
      .key = FIRST_COLLIDER + number,
      .normal = {-normal.x, -normal.y, -normal.z},
      .gap = gap,
      .velocity = {moved.x * scale->rate, moved.y * scale->rate, moved.z * scale->rate},
      .surface = weft__surface_between(&material->surface, &c->surface),
  };
  double pull = 0.0;
  for (int axis = 0; axis < 3; ++axis) pull += found.normal[axis] * scale->gravity[axis];
  const bool hits = closing > gap && found.surface.restitution > 0.0f;
  if (hits && weft__touch_bounce(scale, closing * scale->rate, closing - fmax(gap, 0.0), pull,
                                 (double)found.surface.restitution) > 0.0f) {
    return;
  }
  add_wall(near, &found);
}

// the colliders that a block of bodies may meet; more than there is room for where that is not enough
static uint32_t find_colliders(const weft__contact_stage* stage, const body_block* block,
                               uint32_t found[MOST_FOUND]) {
  uint32_t count = 0;
  for (uint32_t n = 0; n < stage->colliders->end && count <= MOST_FOUND; ++n) {
    const weft__collider* c = &stage->colliders->list[n];
    if (c->row == NULL || is_beside(block, c)) continue;
    if (count < MOST_FOUND) found[count] = n;
    ++count;
  }
  return count;
}

static void look_at_colliders(const weft__particle_contacts* particle_contacts,
                              const weft__contact_stage* stage, const weft__touch_scale* scale,
                              uint32_t body, const uint32_t found[MOST_FOUND], uint32_t found_count,
                              walls_near* near) {
  const bool are_all = found_count > MOST_FOUND;
  const uint32_t count = are_all ? stage->colliders->end : found_count;
  if (count == 0) return;
  const body_block own = block_of(particle_contacts, stage, body, body + 1);
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t number = are_all ? k : found[k];
    const weft__collider* c = &stage->colliders->list[number];
    if (c->row == NULL || is_beside(&own, c)) continue;
    look_at_collider(stage, scale, particle_contacts->particle[body], number, near);
  }
}

// ---- contacts ----

static void make_contact(weft__particle_contacts* particle_contacts, const weft__touch_scale* scale,
                         uint32_t body, uint32_t slot, const wall* near, double half) {
  weft__body_contact* contact = &particle_contacts->contacts[particle_contacts->pair_room + slot];
  weft__body_motion* pinned = &particle_contacts->bodies[particle_contacts->body_room + slot];
  const float inv_mass = particle_contacts->bodies[body].inv_mass;
  *contact = (weft__body_contact){
      .a = body,
      .b = particle_contacts->body_room + slot,
      .mass = inv_mass > 0.0f ? 1.0f / inv_mass : 0.0f,
      .least_speed = near->gap > 0.0 ? (float)(-near->gap * scale->rate) : 0.0f,
      .static_friction = near->surface.static_friction,
      .dynamic_friction = near->surface.dynamic_friction,
      .bounce = -1.0f,
      .gap = (float)near->gap,
      .slop = (float)(NEAR_WALL * half),
  };
  *pinned = (weft__body_motion){.inv_mass = 0.0f};
  for (int axis = 0; axis < 3; ++axis) {
    contact->normal[axis] = (float)near->normal[axis];
    pinned->velocity[axis] = (float)near->velocity[axis];
  }
}

// the walls of a body, as they were in the last substep
typedef struct last_walls {
  uint32_t count;
  uint32_t key[WEFT__BODY_WALLS];
  weft__impulse impulse[WEFT__BODY_WALLS];
} last_walls;

static last_walls walls_before(const weft__particle_contacts* particle_contacts, uint32_t body) {
  const uint32_t first = WEFT__BODY_WALLS * body;
  last_walls last = {.count = particle_contacts->wall_count[body]};
  for (uint32_t k = 0; k < last.count; ++k) {
    last.key[k] = particle_contacts->wall_key[first + k];
    last.impulse[k] = particle_contacts->contacts[particle_contacts->pair_room + first + k].impulse;
  }
  return last;
}

static void touch_walls(weft__particle_contacts* particle_contacts,
                        const weft__contact_stage* stage, const weft__touch_scale* scale,
                        uint32_t body, const uint32_t found[MOST_FOUND], uint32_t found_count) {
  const uint32_t particle = particle_contacts->particle[body];
  const uint32_t first = WEFT__BODY_WALLS * body;
  walls_near near = {.count = 0};
  if (particle_contacts->bodies[body].inv_mass > 0.0f) {
    if (stage->bounds->on) look_at_bounds(stage, scale, particle, &near);
    look_at_colliders(particle_contacts, stage, scale, body, found, found_count, &near);
  }
  const last_walls last = walls_before(particle_contacts, body);
  const double half = least_half(weft__material_of(stage->materials, particle)->half_size);
  particle_contacts->wall_count[body] = (uint8_t)near.count;
  for (uint32_t k = 0; k < near.count; ++k) {
    const uint32_t key = near.walls[k].key;
    make_contact(particle_contacts, scale, body, first + k, &near.walls[k], half);
    particle_contacts->wall_key[first + k] = key;
    for (uint32_t j = 0; j < last.count; ++j) {
      if (last.key[j] != key) continue;
      particle_contacts->contacts[particle_contacts->pair_room + first + k].impulse =
          last.impulse[j];
    }
  }
}

void weft__walls_touch(weft__particle_contacts* particle_contacts, const weft__contact_stage* stage,
                       const weft__touch_scale* scale, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end;) {
    const uint32_t block_end = end - i < BLOCK ? end : i + BLOCK;
    uint32_t found[MOST_FOUND];
    uint32_t count = 0;
    if (stage->colliders->count > 0) {
      const body_block block = block_of(particle_contacts, stage, i, block_end);
      count = find_colliders(stage, &block, found);
    }
    for (; i < block_end; ++i) touch_walls(particle_contacts, stage, scale, i, found, count);
  }
}

// back to the side of the box that it lies on
static void settle(const weft__particle_contacts* particle_contacts,
                   const weft__contact_stage* stage, uint32_t slot) {
  const weft__particles* p = stage->particles;
  float* const pos[3] = {p->pos_x, p->pos_y, p->pos_z};
  float* const prev[3] = {p->prev_x, p->prev_y, p->prev_z};
  const uint32_t key = particle_contacts->wall_key[slot];
  const weft__body_contact* contact =
      &particle_contacts->contacts[particle_contacts->pair_room + slot];
  if (key >= FIRST_COLLIDER || !(contact->impulse.normal > 0.0f)) return;
  const int axis = (int)(key - 1) / 2;
  const uint32_t particle = particle_contacts->particle[contact->a];
  float least, most;
  weft__bounds_around(stage->bounds, particle, axis, &least, &most);
  const float to = key % 2 == 1 ? least : most;
  const float off = to - pos[axis][particle];
  if (!(fabsf(off) <= contact->slop)) return;
  pos[axis][particle] = to;
  prev[axis][particle] += off;
}

void weft__walls_settle(const weft__particle_contacts* particle_contacts,
                        const weft__contact_stage* stage, uint32_t begin, uint32_t end) {
  if (!stage->bounds->on) return;
  for (uint32_t i = begin; i < end; ++i) {
    for (uint32_t k = 0; k < particle_contacts->wall_count[i]; ++k) {
      settle(particle_contacts, stage, WEFT__BODY_WALLS * i + k);
    }
  }
}

static void note(const weft__particle_contacts* particle_contacts, const weft__contact_stage* stage,
                 uint32_t slot) {
  const weft__body_contact* c = &particle_contacts->contacts[particle_contacts->pair_room + slot];
  const uint32_t key = particle_contacts->wall_key[slot];
  if (key < FIRST_COLLIDER || !(c->impulse.normal > 0.0f)) return;
  const weft__contact_note told = {
      .particle = stage->schedule->user_of[particle_contacts->particle[c->a]],
      .other = key - FIRST_COLLIDER,
      .is_collider = true,
      .substep = stage->substep,
      .impulse = c->impulse.normal,
      .normal = {-c->normal[0], -c->normal[1], -c->normal[2]},
  };
  weft__contact_log_note(stage->log, stage->worker, &told);
}

void weft__walls_note(const weft__particle_contacts* particle_contacts,
                      const weft__contact_stage* stage, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; ++i) {
    for (uint32_t k = 0; k < particle_contacts->wall_count[i]; ++k) {
      note(particle_contacts, stage, WEFT__BODY_WALLS * i + k);
    }
  }
}
