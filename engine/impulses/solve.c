#include "impulses/solve.h"

#include <math.h>

// sweeps over all contacts: for impulses, for bounces after them, and to move apart what overlaps
enum { SWEEPS = 10, BOUNCE_SWEEPS = 4, PUSH_SWEEPS = 4 };

// of what is too deep, a sweep moves so much apart
#define PUSH_SHARE 0.25f
// and in a substep so much of the least half size at most
#define LONGEST_PUSH 0.05f
// the slop is this share of it
#define SLOP_SHARE 0.002f

typedef void solve_function(weft__impulses* impulses, weft__body_contact* contact, float h);

// ---- velocities ----

static void give(weft__body_motion* body, float sign, const float impulse[3]) {
  if (!(body->inv_mass > 0.0f)) return;
  const float rate = sign * body->inv_mass;
  for (int axis = 0; axis < 3; ++axis) body->velocity[axis] += rate * impulse[axis];
}

static void give_both(weft__impulses* impulses, const weft__body_contact* c,
                      const float impulse[3]) {
  give(&impulses->bodies[c->a], -1.0f, impulse);
  give(&impulses->bodies[c->b], 1.0f, impulse);
}

static float dot(const float a[3], const float b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void find_speed(const weft__impulses* impulses, const weft__body_contact* c,
                       float speed[3]) {
  const float* a = impulses->bodies[c->a].velocity;
  const float* b = impulses->bodies[c->b].velocity;
  for (int axis = 0; axis < 3; ++axis) speed[axis] = b[axis] - a[axis];
}

// what the last substep ended with
static void warm_up(weft__impulses* impulses, weft__body_contact* c, float h) {
  (void)h;
  float* along = c->impulse.along;
  // the normal may have turned since
  const float off = dot(along, c->normal);
  float impulse[3];
  for (int axis = 0; axis < 3; ++axis) {
    along[axis] -= off * c->normal[axis];
    impulse[axis] = c->impulse.normal * c->normal[axis] + along[axis];
  }
  give_both(impulses, c, impulse);
}

// sticks where static friction bears it, and slides else
static void rub(const weft__body_contact* c, const float speed[3], float along[3]) {
  const float normal_speed = dot(speed, c->normal);
  for (int axis = 0; axis < 3; ++axis) {
    along[axis] -= c->mass * (speed[axis] - normal_speed * c->normal[axis]);
  }
  const float square = dot(along, along);
  const float most = c->static_friction * c->impulse.normal;
  if (square <= most * most) return;
  const float share = c->dynamic_friction * c->impulse.normal / sqrtf(square);
  for (int axis = 0; axis < 3; ++axis) along[axis] *= share;
}

static void solve(weft__impulses* impulses, weft__body_contact* c, float h) {
  (void)h;
  float speed[3];
  find_speed(impulses, c, speed);
  const float before = c->impulse.normal;
  const float wanted = before - c->mass * (dot(speed, c->normal) - c->least_speed);
  c->impulse.normal = wanted > 0.0f ? wanted : 0.0f;
  float given[3];
  for (int axis = 0; axis < 3; ++axis) {
    given[axis] = (c->impulse.normal - before) * c->normal[axis];
  }
  float* along = c->impulse.along;
  if (c->static_friction > 0.0f) {
    const float last[3] = {along[0], along[1], along[2]};
    rub(c, speed, along);
    for (int axis = 0; axis < 3; ++axis) given[axis] += along[axis] - last[axis];
  } else {
    for (int axis = 0; axis < 3; ++axis) {
      given[axis] -= along[axis];
      along[axis] = 0.0f;
    }
  }
  give_both(impulses, c, given);
}

// ---- positions ----

static void move(weft__impulses* impulses, uint32_t body, float way, const float normal[3]) {
  if (way == 0.0f) return;
  for (int axis = 0; axis < 3; ++axis) impulses->push[body][axis] += way * normal[axis];
}

// walls do not yield, and what comes after this stage moves bodies all the way to them
static void push_apart(weft__impulses* impulses, weft__body_contact* c, float h) {
  (void)h;
  const bool is_wall = c->b >= impulses->body_room;
  const float none[3] = {0.0f, 0.0f, 0.0f};
  const float* other = is_wall ? none : impulses->push[c->b];
  const float* own = impulses->push[c->a];
  float gap = c->gap + c->slop;
  for (int axis = 0; axis < 3; ++axis) gap += c->normal[axis] * (other[axis] - own[axis]);
  if (!(gap < 0.0f)) return;
  float way = is_wall ? -gap : -PUSH_SHARE * gap;
  const float longest = c->slop * (LONGEST_PUSH / SLOP_SHARE / (float)PUSH_SWEEPS);
  if (!is_wall && way > longest) way = longest;
  move(impulses, c->a, -way * c->mass * impulses->bodies[c->a].inv_mass, c->normal);
  if (!is_wall) {
    move(impulses, c->b, way * c->mass * impulses->bodies[c->b].inv_mass, c->normal);
  }
}

// ---- sweeps ----

static void solve_range(weft__impulses* impulses, solve_function* function, float h, uint32_t begin,
                        uint32_t end) {
  for (uint32_t i = begin; i < end; ++i) {
    weft__body_contact* contact = &impulses->contacts[i];
    if (contact->mass > 0.0f) function(impulses, contact, h);
  }
}

// the walls of a body are solved by one worker, in their order
static void sweep(weft__impulses* impulses, const weft__team* team, solve_function* function,
                  float h) {
  const uint32_t* first = impulses->color_first;
  for (uint32_t color = 0; color < WEFT__PAIR_COLORS; ++color) {
    const uint32_t count = first[color + 1] - first[color];
    if (count == 0) continue;
    weft__range own = weft__team_share(team, count);
    const bool is_last = color == WEFT__PAIR_COLORS - 1;
    if (is_last) own = team->worker == 0 ? (weft__range){0, count} : (weft__range){0, 0};
    solve_range(impulses, function, h, first[color] + own.begin, first[color] + own.end);
    weft__team_meet(team);
  }
  const weft__range bodies = weft__team_share(team, impulses->body_count);
  solve_range(impulses, function, h, impulses->pair_room + WEFT__BODY_WALLS * bodies.begin,
              impulses->pair_room + WEFT__BODY_WALLS * bodies.end);
  weft__team_meet(team);
}

// What impulses have done to a contact: who has met, and who is too deep in whom. Walls bounce by themselves.
static void look_at(weft__impulses* impulses, weft__body_contact* c, float h) {
  float speed[3];
  find_speed(impulses, c, speed);
  c->gap += h * dot(speed, c->normal);
  if (c->gap < -c->slop) {
    atomic_store_explicit(&impulses->has_deep, 1, memory_order_relaxed);
  }
  if (c->bounce < 0.0f || !(c->impulse.normal > 0.0f)) return;
  c->least_speed = c->bounce;
  atomic_store_explicit(&impulses->has_bounce, 1, memory_order_relaxed);
}

static void look_at_all(weft__impulses* impulses, const weft__team* team, float h) {
  const weft__range pairs = weft__team_share(team, impulses->pair_count);
  const weft__range bodies = weft__team_share(team, impulses->body_count);
  solve_range(impulses, look_at, h, pairs.begin, pairs.end);
  solve_range(impulses, look_at, h, impulses->pair_room + WEFT__BODY_WALLS * bodies.begin,
              impulses->pair_room + WEFT__BODY_WALLS * bodies.end);
}

// ---- bodies ----

// Moves bodies by what impulses have changed of their velocities, to the bit not at all where that is nothing.
static void move_bodies(weft__impulses* impulses, const weft__contact_stage* stage,
                        weft__range own) {
  const weft__particles* p = stage->particles;
  float* const pos[3] = {p->pos_x, p->pos_y, p->pos_z};
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__body_motion* body = &impulses->bodies[i];
    if (!(body->inv_mass > 0.0f)) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const float change = body->velocity[axis] - impulses->start[i][axis];
      pos[axis][impulses->particle[i]] += change * stage->h;
      impulses->start[i][axis] = body->velocity[axis];
    }
  }
}

// Bounces change where a body was, and pushes take that along: no velocity comes of them.
static void finish_bodies(weft__impulses* impulses, const weft__contact_stage* stage,
                          weft__range own) {
  const weft__particles* p = stage->particles;
  float* const pos[3] = {p->pos_x, p->pos_y, p->pos_z};
  float* const prev[3] = {p->prev_x, p->prev_y, p->prev_z};
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__body_motion* body = &impulses->bodies[i];
    const uint32_t k = impulses->particle[i];
    if (!(body->inv_mass > 0.0f)) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const float bounced = body->velocity[axis] - impulses->start[i][axis];
      pos[axis][k] += impulses->push[i][axis];
      prev[axis][k] += impulses->push[i][axis] - bounced * stage->h;
    }
  }
}

void weft__solve_contacts(weft__impulses* impulses, const weft__contact_stage* stage,
                          const weft__team* team) {
  const weft__range own = weft__team_share(team, impulses->body_count);
  sweep(impulses, team, warm_up, stage->h);
  for (int i = 0; i < SWEEPS; ++i) sweep(impulses, team, solve, stage->h);
  look_at_all(impulses, team, stage->h);
  move_bodies(impulses, stage, own);
  weft__team_meet(team);

  if (atomic_load_explicit(&impulses->has_bounce, memory_order_relaxed) != 0) {
    for (int i = 0; i < BOUNCE_SWEEPS; ++i) sweep(impulses, team, solve, stage->h);
  }
  if (atomic_load_explicit(&impulses->has_deep, memory_order_relaxed) != 0) {
    for (int i = 0; i < PUSH_SWEEPS; ++i) sweep(impulses, team, push_apart, stage->h);
  }
  finish_bodies(impulses, stage, own);
  weft__team_meet(team);
}
