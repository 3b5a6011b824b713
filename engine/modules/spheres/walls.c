#include "modules/spheres/walls.h"

#include <math.h>

#include "base/min_max.h"
#include "collision/colliders/loads.h"

// over the smallest half size: a body this close to a wall that pushes it rests on it
#define SLOP_SHARE 1e-3
// margin in which a body may come to rest on a collider, over the smallest half size
#define COLLIDER_MARGIN 0.1
// after the six sides of the bounds
#define FIRST_COLLIDER 7u
// bodies of one query, and colliders it may return; beyond that all colliders are tested
enum { BLOCK = 8, MAX_FOUND = 64 };
// Colliders keep bodies out by a slack against the rounding of coordinates. Half of it is left to
// them, so that they still detect the contact: see collision/colliders/particle_time_of_impact.c.
#define SLACK (0.5 * 0x1p-23)
#define MIN_COORDINATE 0.001

typedef struct wall {
  uint32_t id;            // 1 to 6 = bounds, then colliders
  double normal[3];       // unit vector, into the wall
  double gap;             // metres, at the beginning of the substep
  double velocity[3];     // metres per second
  weft__surface surface;  // combined
} wall;

typedef struct near_walls {
  wall walls[WEFT__MAX_BODY_WALLS];
  uint32_t count;
} near_walls;

// Drops the furthest wall if full.
static void add_wall(near_walls* near, const wall* added) {
  if (near->count < WEFT__MAX_BODY_WALLS) {
    near->walls[near->count++] = *added;
    return;
  }
  uint32_t furthest = 0;
  for (uint32_t k = 1; k < near->count; ++k) {
    if (near->walls[k].gap > near->walls[furthest].gap) furthest = k;
  }
  if (added->gap < near->walls[furthest].gap) near->walls[furthest] = *added;
}

static double smallest_half_size(const float half[3]) {
  return (double)weft__minf(weft__minf(half[0], half[1]), half[2]);
}

static void add_bounds_side(const weft__step_context* step, const weft__contact_scale* scale,
                            uint32_t particle, int axis, bool is_upper, float at,
                            near_walls* near) {
  const weft__particles* p = step->particles;
  const double sign = is_upper ? 1.0 : -1.0;
  const double prev = (double)p->prev[axis][particle];
  const double gap = sign * ((double)at - prev);
  const double approach = sign * ((double)p->pos[axis][particle] - prev);
  const double half = smallest_half_size(weft__material_of(step->materials, particle)->half_size);
  if (!(gap - approach < 0.1 * half + 2.0 * scale->max_displacement)) return;
  const double restitution = (double)step->bounds->restitution;
  const double gravity_speed = sign * scale->gravity[axis];
  const bool hits = approach > gap && gap >= 0.0;
  if (hits && restitution > 0.0 &&
      weft__bounce_speed(scale, approach * scale->rate, approach - gap, gravity_speed,
                         restitution) > 0.0f) {
    return;
  }
  wall found = {.id = 1 + 2 * (uint32_t)axis + (is_upper ? 1 : 0), .gap = gap};
  found.normal[axis] = sign;
  found.surface.static_friction = step->bounds->static_friction;
  found.surface.dynamic_friction = step->bounds->dynamic_friction;
  add_wall(near, &found);
}

static void add_bounds(const weft__step_context* step, const weft__contact_scale* scale,
                       uint32_t particle, near_walls* near) {
  const weft__bounds* bounds = step->bounds;
  for (int axis = 0; axis < 3; ++axis) {
    float lower, upper;
    weft__bounds_around(bounds, particle, axis, &lower, &upper);
    // a body larger than the bounds is centred by them
    if (!(lower < upper)) continue;
    if (lower > -INFINITY) add_bounds_side(step, scale, particle, axis, false, lower, near);
    if (upper < INFINITY) add_bounds_side(step, scale, particle, axis, true, upper, near);
  }
}

// Motion of some bodies in the substep, plus the margin.
typedef struct block_box {
  weft__vec3 lower, upper;
} block_box;

static void grow_box(block_box* block, weft__vec3 at, weft__vec3 half) {
  block->lower = (weft__vec3){weft__min(block->lower.x, at.x - half.x),
                              weft__min(block->lower.y, at.y - half.y),
                              weft__min(block->lower.z, at.z - half.z)};
  block->upper = (weft__vec3){weft__max(block->upper.x, at.x + half.x),
                              weft__max(block->upper.y, at.y + half.y),
                              weft__max(block->upper.z, at.z + half.z)};
}

static bool is_separate(const block_box* block, const weft__collider* c) {
  return block->lower.x > c->swept_upper.x || block->upper.x < c->swept_lower.x ||
         block->lower.y > c->swept_upper.y || block->upper.y < c->swept_lower.y ||
         block->lower.z > c->swept_upper.z || block->upper.z < c->swept_lower.z;
}

// Upper bound of the distance from the centre to any point of the body, metres.
static double bounding_radius(const float half[3]) {
  return (double)half[0] + (double)half[1] + (double)half[2];
}

static block_box box_of_bodies(const weft__particle_contacts* state, const weft__step_context* step,
                               uint32_t begin, uint32_t end) {
  block_box block = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (uint32_t i = begin; i < end; ++i) {
    const uint32_t particle = state->particle[i];
    const float* size = weft__material_of(step->materials, particle)->half_size;
    const double margin = COLLIDER_MARGIN * smallest_half_size(size);
    const weft__vec3 half = {(double)size[0] + margin, (double)size[1] + margin,
                             (double)size[2] + margin};
    grow_box(&block, weft__vec3_at(step->particles->prev, particle), half);
    grow_box(&block, weft__vec3_at(step->particles->pos, particle), half);
  }
  return block;
}

static double slack_at(weft__vec3 at, weft__vec3 normal) {
  return SLACK *
         (fabs(normal.x * at.x) + fabs(normal.y * at.y) + fabs(normal.z * at.z) + MIN_COORDINATE);
}

// Adds the tangent plane of a collider, at the start of the substep. Bodies that come from afar, or
// bounce, are left to the collider stage.
static void add_collider(const weft__step_context* step, const weft__contact_scale* scale,
                         uint32_t particle, uint32_t number, near_walls* near) {
  const weft__collider* c = &step->colliders->list[number];
  const weft__material* material = weft__material_of(step->materials, particle);
  if (!weft__surfaces_collide(&material->surface, &c->surface)) return;
  const weft__vec3 previous = weft__vec3_at(step->particles->prev, particle);
  const double margin = COLLIDER_MARGIN * smallest_half_size(material->half_size);
  weft__surface_point at;
  if (!c->row->find_nearest(&c->shape, weft__frame_in(&c->begin, previous),
                            bounding_radius(material->half_size) + margin, &at)) {
    return;
  }
  const weft__vec3 normal = weft__frame_rotate_out(&c->end, at.normal);
  const double gap =
      at.distance - weft__material_support(material, normal) - slack_at(previous, normal);
  // already penetrating: the collider stage resolves it with its sweep
  if (!(gap < margin && gap > -margin)) return;
  const weft__vec3 surface_displacement =
      weft__minus(weft__frame_out(&c->end, at.point), weft__frame_out(&c->begin, at.point));
  const weft__vec3 displacement =
      weft__minus(weft__vec3_at(step->particles->pos, particle), previous);
  const double approach = weft__dot(normal, weft__minus(surface_displacement, displacement));
  wall found = {
      .id = FIRST_COLLIDER + number,
      .normal = {-normal.x, -normal.y, -normal.z},
      .gap = gap,
      .velocity = {surface_displacement.x * scale->rate, surface_displacement.y * scale->rate,
                   surface_displacement.z * scale->rate},
      .surface = weft__surface_between(&step->materials->between, &material->surface, &c->surface),
  };
  double gravity_speed = 0.0;
  for (int axis = 0; axis < 3; ++axis) gravity_speed += found.normal[axis] * scale->gravity[axis];
  const bool hits = approach > gap && found.surface.restitution > 0.0f;
  if (hits && weft__bounce_speed(scale, approach * scale->rate, approach - weft__max(gap, 0.0),
                                 gravity_speed, (double)found.surface.restitution) > 0.0f) {
    return;
  }
  add_wall(near, &found);
}

// False for a collider without a surface in the box. Boxes of half-spaces are infinite: the
// distance to the centre decides. No single plane represents a collider that rotates far.
static bool is_near(const block_box* block, const weft__collider* c) {
  if (c->row == NULL || c->slice_count > 1 || is_separate(block, c)) return false;
  const weft__vec3 half = weft__scaled(0.5, weft__minus(block->upper, block->lower));
  const weft__vec3 centre = weft__plus(block->lower, half);
  const double reach = sqrt(weft__dot(half, half));
  weft__surface_point at;
  return !(reach < (double)INFINITY) ||
         c->row->find_nearest(&c->shape, weft__frame_in(&c->begin, centre), reach, &at);
}

// Colliders near the block; more than MAX_FOUND stands for all.
static uint32_t find_colliders(const weft__step_context* step, const block_box* block,
                               weft__range environments, uint32_t found[MAX_FOUND]) {
  uint32_t count = 0;
  for (uint32_t n = 0; n < step->colliders->end && count <= MAX_FOUND; ++n) {
    const weft__collider* c = &step->colliders->list[n];
    if (!weft__collider_is_in(c, environments) || !is_near(block, c)) continue;
    if (count < MAX_FOUND) found[count] = n;
    ++count;
  }
  return count;
}

static void add_colliders(const weft__particle_contacts* state, const weft__step_context* step,
                          const weft__contact_scale* scale, uint32_t body,
                          const uint32_t found[MAX_FOUND], uint32_t found_count, near_walls* near) {
  const bool is_overflow = found_count > MAX_FOUND;
  const uint32_t count = is_overflow ? step->colliders->end : found_count;
  if (count == 0) return;
  const block_box own = box_of_bodies(state, step, body, body + 1);
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t number = is_overflow ? k : found[k];
    const weft__collider* c = &step->colliders->list[number];
    if (c->row == NULL || c->slice_count > 1 || is_separate(&own, c)) continue;
    add_collider(step, scale, state->particle[body], number, near);
  }
}

static void write_contact(weft__particle_contacts* state, const weft__contact_scale* scale,
                          uint32_t body, uint32_t slot, const wall* near, double half) {
  weft__particle_contact* contact = &state->wall_contacts[slot];
  weft__particle_motion* pinned = &state->bodies[state->body_capacity + slot];
  const float inv_mass = state->bodies[body].inv_mass;
  *contact = (weft__particle_contact){
      .a = body,
      .b = state->body_capacity + slot,
      .mass = inv_mass > 0.0f ? 1.0f / inv_mass : 0.0f,
      .min_separation_speed = near->gap > 0.0 ? (float)(-near->gap * scale->rate) : 0.0f,
      .static_friction = near->surface.static_friction,
      .dynamic_friction = near->surface.dynamic_friction,
      .bounce = -1.0f,
      .gap = (float)near->gap,
      .slop = (float)(SLOP_SHARE * half),
  };
  *pinned = (weft__particle_motion){.inv_mass = 0.0f};
  if (state->has_rolls) {
    state->rolls[state->body_capacity + slot] = (weft__particle_roll){.inv_mass = 0.0f};
  }
  for (int axis = 0; axis < 3; ++axis) {
    contact->normal[axis] = (float)near->normal[axis];
    pinned->velocity[axis] = (float)near->velocity[axis];
  }
}

typedef struct last_walls {
  uint32_t count;
  uint32_t id[WEFT__MAX_BODY_WALLS];
  weft__impulse impulse[WEFT__MAX_BODY_WALLS];
} last_walls;

static last_walls last_walls_of(const weft__particle_contacts* state, uint32_t body) {
  const uint32_t first = WEFT__MAX_BODY_WALLS * body;
  last_walls last = {.count = state->wall_count[body]};
  for (uint32_t k = 0; k < last.count; ++k) {
    last.id[k] = state->wall_id[first + k];
    last.impulse[k] = state->wall_contacts[first + k].impulse;
  }
  return last;
}

void weft__walls_resize(const weft__particle_contacts* state, uint32_t body, uint32_t count,
                        uint32_t former) {
  const size_t first = (size_t)WEFT__MAX_BODY_WALLS * body;
  state->wall_count[body] = (uint8_t)count;
  for (size_t slot = first + count; slot < first + former; ++slot) {
    state->wall_id[slot] = 0;
    state->wall_contacts[slot] = (weft__particle_contact){0};
  }
}

static void make_contacts(weft__particle_contacts* state, const weft__step_context* step,
                          const weft__contact_scale* of_world, uint32_t body,
                          const uint32_t found[MAX_FOUND], uint32_t found_count) {
  const uint32_t particle = state->particle[body];
  const weft__contact_scale own = weft__contact_scale_at(of_world, step, particle);
  const weft__contact_scale* scale = &own;
  const uint32_t first = WEFT__MAX_BODY_WALLS * body;
  near_walls near;
  near.count = 0;
  if (state->bodies[body].inv_mass > 0.0f) {
    if (step->bounds->on) add_bounds(step, scale, particle, &near);
    add_colliders(state, step, scale, body, found, found_count, &near);
  }
  const last_walls last = last_walls_of(state, body);
  weft__walls_resize(state, body, near.count, last.count);
  if (near.count == 0) return;
  const double half = smallest_half_size(weft__material_of(step->materials, particle)->half_size);
  for (uint32_t k = 0; k < near.count; ++k) {
    const uint32_t id = near.walls[k].id;
    write_contact(state, scale, body, first + k, &near.walls[k], half);
    state->wall_id[first + k] = id;
    for (uint32_t j = 0; j < last.count; ++j) {
      if (last.id[j] != id) continue;
      state->wall_contacts[first + k].impulse = last.impulse[j];
    }
  }
}

void weft__walls_make_contacts(weft__particle_contacts* state, const weft__step_context* step,
                               const weft__contact_scale* scale, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end;) {
    const uint32_t block_end = end - i < BLOCK ? end : i + BLOCK;
    uint32_t found[MAX_FOUND];
    uint32_t count = 0;
    if (step->colliders->count > 0) {
      const block_box block = box_of_bodies(state, step, i, block_end);
      const weft__range environments = {
          weft__environment_of(step->schedule, state->particle[i]),
          weft__environment_of(step->schedule, state->particle[block_end - 1]) + 1};
      count = find_colliders(step, &block, environments, found);
    }
    for (; i < block_end; ++i) make_contacts(state, step, scale, i, found, count);
  }
}

// Snaps a resting body to the side of the bounds.
static void snap_to_bounds(const weft__particle_contacts* state, weft__step_context* step,
                           uint32_t slot) {
  weft__particles* p = step->particles;
  const uint32_t id = state->wall_id[slot];
  const weft__particle_contact* contact = &state->wall_contacts[slot];
  if (id >= FIRST_COLLIDER || !(contact->impulse.normal > 0.0f)) return;
  const int axis = (int)(id - 1) / 2;
  const uint32_t particle = state->particle[contact->a];
  float lower, upper;
  weft__bounds_around(step->bounds, particle, axis, &lower, &upper);
  const float side = id % 2 == 1 ? lower : upper;
  const float distance = side - p->pos[axis][particle];
  if (!(fabsf(distance) <= contact->slop)) return;
  p->pos[axis][particle] = side;
  p->prev[axis][particle] += distance;
}

void weft__walls_snap(const weft__particle_contacts* state, weft__step_context* step,
                      uint32_t begin, uint32_t end) {
  if (!step->bounds->on) return;
  for (uint32_t i = begin; i < end; ++i) {
    for (uint32_t k = 0; k < state->wall_count[i]; ++k) {
      snap_to_bounds(state, step, WEFT__MAX_BODY_WALLS * i + k);
    }
  }
}

static void report(const weft__particle_contacts* state, const weft__step_context* step,
                   uint32_t slot, uint32_t worker) {
  const weft__particle_contact* c = &state->wall_contacts[slot];
  const uint32_t id = state->wall_id[slot];
  if (id < FIRST_COLLIDER || !(c->impulse.normal > 0.0f)) return;
  const uint32_t i = state->particle[c->a];
  const weft__vec3 position = weft__vec3_at(step->particles->pos, i);
  const weft__vec3 normal = weft__scaled(-1.0, weft__vec3_of(c->normal));
  const weft__vec3 along = weft__scaled(-1.0, weft__vec3_of(c->impulse.along));
  const double reach = weft__material_support(weft__material_of(step->materials, i), normal);
  const weft__collider_contact contact = {
      .particle = i,
      .number = id - FIRST_COLLIDER,
      .impulse = weft__plus(weft__scaled((double)c->impulse.normal, normal), along),
      .normal = normal,
      .point = weft__minus(position, weft__scaled(reach, normal)),
  };
  weft__collider_contact_record(step, worker, &contact);
}

void weft__walls_report(const weft__particle_contacts* state, const weft__step_context* step,
                        weft__range bodies, uint32_t worker) {
  for (uint32_t i = bodies.begin; i < bodies.end; ++i) {
    for (uint32_t k = 0; k < state->wall_count[i]; ++k) {
      report(state, step, WEFT__MAX_BODY_WALLS * i + k, worker);
    }
  }
}
