#include "impulses/walls.h"

#include <math.h>

// of the least half size: a body so near to a wall that holds it lies on it
#define NEAR_WALL 1e-3

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

// ---- contacts ----

static void make_contact(weft__impulses* impulses, const weft__touch_scale* scale, uint32_t body,
                         uint32_t slot, const wall* near, double half) {
  weft__body_contact* contact = &impulses->contacts[impulses->pair_room + slot];
  weft__body_motion* pinned = &impulses->bodies[impulses->body_room + slot];
  const float inv_mass = impulses->bodies[body].inv_mass;
  *contact = (weft__body_contact){
      .a = body,
      .b = impulses->body_room + slot,
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

// the impulses of the same walls in the last substep
static void keep_impulses(const weft__impulses* impulses, uint32_t first,
                          const weft__impulse last[WEFT__BODY_WALLS],
                          const uint32_t last_key[WEFT__BODY_WALLS]) {
  for (uint32_t k = 0; k < WEFT__BODY_WALLS; ++k) {
    const uint32_t key = impulses->wall_key[first + k];
    for (uint32_t j = 0; key != 0 && j < WEFT__BODY_WALLS; ++j) {
      if (last_key[j] == key) impulses->contacts[impulses->pair_room + first + k].impulse = last[j];
    }
  }
}

static void touch_walls(weft__impulses* impulses, const weft__contact_stage* stage,
                        const weft__touch_scale* scale, uint32_t body) {
  const uint32_t particle = impulses->particle[body];
  const uint32_t first = WEFT__BODY_WALLS * body;
  const double half = least_half(weft__material_of(stage->materials, particle)->half_size);
  walls_near near = {.count = 0};
  if (impulses->bodies[body].inv_mass > 0.0f && stage->bounds->on) {
    look_at_bounds(stage, scale, particle, &near);
  }
  weft__impulse last[WEFT__BODY_WALLS];
  uint32_t last_key[WEFT__BODY_WALLS];
  for (uint32_t k = 0; k < WEFT__BODY_WALLS; ++k) {
    weft__body_contact* contact = &impulses->contacts[impulses->pair_room + first + k];
    last[k] = contact->impulse;
    last_key[k] = impulses->wall_key[first + k];
    contact->mass = 0.0f;
    impulses->wall_key[first + k] = 0;
    if (k >= near.count) continue;
    make_contact(impulses, scale, body, first + k, &near.walls[k], half);
    impulses->wall_key[first + k] = near.walls[k].key;
  }
  keep_impulses(impulses, first, last, last_key);
}

void weft__walls_touch(weft__impulses* impulses, const weft__contact_stage* stage,
                       const weft__touch_scale* scale, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; ++i) touch_walls(impulses, stage, scale, i);
}

void weft__walls_settle(const weft__impulses* impulses, const weft__contact_stage* stage,
                        uint32_t begin, uint32_t end) {
  if (!stage->bounds->on) return;
  const weft__particles* p = stage->particles;
  float* const pos[3] = {p->pos_x, p->pos_y, p->pos_z};
  float* const prev[3] = {p->prev_x, p->prev_y, p->prev_z};
  for (uint32_t slot = WEFT__BODY_WALLS * begin; slot < WEFT__BODY_WALLS * end; ++slot) {
    const uint32_t key = impulses->wall_key[slot];
    const weft__body_contact* contact = &impulses->contacts[impulses->pair_room + slot];
    if (key == 0 || key > 6 || !(contact->impulse.normal > 0.0f)) continue;
    const int axis = (int)(key - 1) / 2;
    const uint32_t particle = impulses->particle[contact->a];
    float least, most;
    weft__bounds_around(stage->bounds, particle, axis, &least, &most);
    const float to = key % 2 == 1 ? least : most;
    const float off = to - pos[axis][particle];
    if (!(fabsf(off) <= contact->slop)) continue;
    pos[axis][particle] = to;
    prev[axis][particle] += off;
  }
}
