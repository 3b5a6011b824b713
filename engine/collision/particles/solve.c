#include "collision/particles/solve.h"

#include <math.h>
#include <string.h>

#include "kernels/contact.h"

// Sweeps for impulses: as many as it takes until none changes a speed by more than this share of what rests, within
// bounds. Stacks at rest know theirs from the substep before, and take few; one that is hit takes many. After the first
// sweeps, over all contacts, only those are solved again of which a body has been changed by so much since: what
// lies still costs nothing because something else, far away, does not. Neither which is the largest change nor what a
// sweep has changed depends on who has found it.
enum { LEAST_SWEEPS = 4, MOST_SWEEPS = 64 };
#define LEAST_CHANGE 1e-3
// and of the fastest, which is rounding
#define LEAST_SHARE 1e-6

// a colour with fewer pairs than that is not worth a meeting of workers
#define SHARED 64u

// for bounces after them, and to move apart what overlaps
enum { BOUNCE_SWEEPS = 4, PUSH_SWEEPS = 8 };

// the number of the first sweep that moves apart: what has stirred bodies before is long ago then
#define FIRST_PUSH (MOST_SWEEPS + 2)

// of what is too deep, a sweep moves so much apart
#define PUSH_SHARE 0.5f
// and in a substep so much of the least half size at most
#define LONGEST_PUSH 0.2f
// the slop is this share of it
#define SLOP_SHARE 0.002f

typedef void solve_function(weft__particle_contacts* particle_contacts, weft__body_contact* contact,
                            weft__contact_sweep* part);

// ---- velocities ----

static void find_speed(const weft__particle_contacts* particle_contacts,
                       const weft__body_contact* c, float speed[3]) {
  const float* a = particle_contacts->bodies[c->a].velocity;
  const float* b = particle_contacts->bodies[c->b].velocity;
  for (int axis = 0; axis < 3; ++axis) speed[axis] = b[axis] - a[axis];
}

// what the last substep ended with
static void warm_up(weft__particle_contacts* particle_contacts, weft__body_contact* c,
                    weft__contact_sweep* part) {
  (void)particle_contacts;
  float* along = c->impulse.along;
  // the normal may have turned since
  const float off = weft__dot_of(along, c->normal);
  float impulse[3];
  for (int axis = 0; axis < 3; ++axis) {
    along[axis] -= off * c->normal[axis];
    impulse[axis] = c->impulse.normal * c->normal[axis] + along[axis];
  }
  weft__give_both(part, c, impulse);
}

static void solve(weft__particle_contacts* particle_contacts, weft__body_contact* c,
                  weft__contact_sweep* part) {
  (void)particle_contacts;
  weft__solve_contact(part, c);
}

// ---- positions ----

static void move(weft__particle_contacts* particle_contacts, uint32_t body, float way,
                 const float normal[3]) {
  if (way == 0.0f) return;
  for (int axis = 0; axis < 3; ++axis) particle_contacts->push[body][axis] += way * normal[axis];
}

// walls do not yield, and what comes after this stage moves bodies all the way to them
static void push_apart(weft__particle_contacts* particle_contacts, weft__body_contact* c,
                       weft__contact_sweep* part) {
  const bool is_wall = c->b >= particle_contacts->body_room;
  const float none[3] = {0.0f, 0.0f, 0.0f};
  const float* other = is_wall ? none : particle_contacts->push[c->b];
  const float* own = particle_contacts->push[c->a];
  float gap = c->gap + c->slop;
  for (int axis = 0; axis < 3; ++axis) gap += c->normal[axis] * (other[axis] - own[axis]);
  // so it stays as long as nothing moves them
  if (!(gap < 0.0f)) return;
  weft__stir(part, c);
  float way = is_wall ? -gap : -PUSH_SHARE * gap;
  const float longest = c->slop * (LONGEST_PUSH / SLOP_SHARE / (float)PUSH_SWEEPS);
  if (!is_wall && way > longest) way = longest;
  move(particle_contacts, c->a, -way * c->mass * particle_contacts->bodies[c->a].inv_mass,
       c->normal);
  if (!is_wall) {
    move(particle_contacts, c->b, way * c->mass * particle_contacts->bodies[c->b].inv_mass,
         c->normal);
  }
}

// ---- sweeps ----

static void solve_range(weft__particle_contacts* particle_contacts, solve_function* function,
                        weft__contact_sweep* part, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; ++i) {
    if (!weft__is_stirred(part, particle_contacts->ends[i])) continue;
    weft__body_contact* contact = &particle_contacts->contacts[i];
    if (contact->mass > 0.0f) function(particle_contacts, contact, part);
  }
}

static void solve_walls(weft__particle_contacts* particle_contacts, solve_function* function,
                        weft__contact_sweep* part, weft__range bodies) {
  for (uint32_t i = bodies.begin; i < bodies.end; ++i) {
    // of the two only the body is ever stirred
    if (particle_contacts->wall_count[i] == 0 || !weft__is_stirred(part, (weft__body_pair){i, i}))
      continue;
    weft__body_contact* walls =
        particle_contacts->contacts + particle_contacts->pair_room + WEFT__BODY_WALLS * i;
    for (uint32_t k = 0; k < particle_contacts->wall_count[i]; ++k) {
      if (walls[k].mass > 0.0f) function(particle_contacts, &walls[k], part);
    }
  }
}

// Colours that one worker takes by itself need no meeting between them.
static bool is_shared(const weft__particle_contacts* particle_contacts, uint32_t color) {
  const uint32_t count =
      particle_contacts->color_first[color + 1] - particle_contacts->color_first[color];
  return color + 1 < WEFT__PAIR_COLORS && count >= SHARED;
}

static void sweep_color(weft__particle_contacts* particle_contacts, const weft__team* team,
                        solve_function* function, weft__contact_sweep* part, uint32_t color) {
  const uint32_t begin = particle_contacts->color_first[color];
  const uint32_t end = particle_contacts->color_first[color + 1];
  if (!is_shared(particle_contacts, color)) {
    if (team->worker == 0) solve_range(particle_contacts, function, part, begin, end);
    return;
  }
  const weft__range own = weft__team_share(team, end - begin);
  if (function == solve) {
    part->solve_contacts(part, begin + own.begin, begin + own.end);
  } else {
    solve_range(particle_contacts, function, part, begin + own.begin, begin + own.end);
  }
}

// The walls of a body are solved by one worker, in their order. The team meets before the next sweep.
static void sweep(weft__particle_contacts* particle_contacts, const weft__team* team,
                  solve_function* function, weft__contact_sweep* part) {
  bool was_shared = false;
  for (uint32_t color = 0; color < WEFT__PAIR_COLORS; ++color) {
    if (particle_contacts->color_first[color + 1] == particle_contacts->color_first[color])
      continue;
    const bool shared = is_shared(particle_contacts, color);
    if (shared || was_shared) weft__team_meet(team);
    sweep_color(particle_contacts, team, function, part, color);
    was_shared = shared;
  }
  weft__team_meet(team);
  const weft__range bodies = weft__team_share(team, particle_contacts->body_count);
  solve_walls(particle_contacts, function, part, bodies);
}

// bits of weft__particle_contacts.found
enum { HAS_BOUNCE = 1, HAS_DEEP = 2 };

// What impulses have done to a contact: who has met, and who is too deep in whom. Walls bounce by themselves.
static void look_at(weft__particle_contacts* particle_contacts, weft__body_contact* c,
                    weft__contact_sweep* part) {
  float speed[3];
  find_speed(particle_contacts, c, speed);
  c->gap += part->h * weft__dot_of(speed, c->normal);
  if (c->gap < -c->slop) {
    atomic_fetch_or_explicit(&particle_contacts->found, HAS_DEEP, memory_order_relaxed);
  }
  if (c->bounce < 0.0f || !(c->impulse.normal > 0.0f)) return;
  c->least_speed = c->bounce;
  atomic_fetch_or_explicit(&particle_contacts->found, HAS_BOUNCE, memory_order_relaxed);
}

static void look_at_all(weft__particle_contacts* particle_contacts, const weft__team* team,
                        weft__contact_sweep* part) {
  const weft__range pairs = weft__team_share(team, particle_contacts->pair_count);
  const weft__range bodies = weft__team_share(team, particle_contacts->body_count);
  solve_range(particle_contacts, look_at, part, pairs.begin, pairs.end);
  solve_walls(particle_contacts, look_at, part, bodies);
}

// ---- bodies ----

// Moves bodies by what impulses have changed of their velocities, to the bit not at all where that is nothing.
static void move_bodies(weft__particle_contacts* particle_contacts,
                        const weft__contact_stage* stage, weft__range own) {
  const weft__particles* p = stage->particles;
  float* const pos[3] = {p->pos_x, p->pos_y, p->pos_z};
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__body_motion* body = &particle_contacts->bodies[i];
    if (!(body->inv_mass > 0.0f)) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const float change = body->velocity[axis] - particle_contacts->start[i][axis];
      pos[axis][particle_contacts->particle[i]] += change * stage->h;
      particle_contacts->start[i][axis] = body->velocity[axis];
    }
  }
}

// Bounces change where a body was, and pushes take that along: no velocity comes of them.
static void finish_bodies(weft__particle_contacts* particle_contacts,
                          const weft__contact_stage* stage, weft__range own) {
  const weft__particles* p = stage->particles;
  float* const pos[3] = {p->pos_x, p->pos_y, p->pos_z};
  float* const prev[3] = {p->prev_x, p->prev_y, p->prev_z};
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__body_motion* body = &particle_contacts->bodies[i];
    const uint32_t k = particle_contacts->particle[i];
    if (!(body->inv_mass > 0.0f)) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const float bounced = body->velocity[axis] - particle_contacts->start[i][axis];
      pos[axis][k] += particle_contacts->push[i][axis];
      prev[axis][k] += particle_contacts->push[i][axis] - bounced * stage->h;
    }
  }
}

// completion: the bits of the largest change of a sweep
static uint32_t take_change(void* context) {
  weft__particle_contacts* particle_contacts = context;
  return atomic_exchange_explicit(&particle_contacts->change, 0, memory_order_relaxed);
}

// sweeps until little changes
static void solve_all(weft__particle_contacts* particle_contacts, const weft__team* team,
                      const weft__touch_scale* scale, weft__contact_sweep part) {
  const double least = LEAST_CHANGE * scale->rest + LEAST_SHARE * scale->longest * scale->rate;
  const float enough = (float)(least * least);
  for (uint32_t i = 0; i < MOST_SWEEPS; ++i) {
    part.change = 0.0f;
    part.enough = enough;
    part.number = (uint8_t)(i + 1);
    part.is_whole = i < LEAST_SWEEPS;
    sweep(particle_contacts, team, solve, &part);
    weft__raise(&particle_contacts->change, part.change);
    const float change = weft__raised(weft__team_decide(team, take_change, particle_contacts));
    if (i + 1 >= LEAST_SWEEPS && change <= enough) break;
  }
}

// completion
static uint32_t take_found(void* context) {
  weft__particle_contacts* particle_contacts = context;
  return atomic_exchange_explicit(&particle_contacts->found, 0, memory_order_relaxed);
}

void weft__solve_contacts(weft__particle_contacts* particle_contacts,
                          const weft__contact_stage* stage, const weft__touch_scale* scale,
                          const weft__team* team) {
  const weft__range own = weft__team_share(team, particle_contacts->body_count);
  weft__contact_sweep part = {.contacts = particle_contacts->contacts,
                              .ends = particle_contacts->ends,
                              .bodies = particle_contacts->bodies,
                              .stirred = particle_contacts->stirred,
                              .solve_contacts = stage->kernels->solve_contacts,
                              .h = stage->h,
                              .enough = INFINITY,
                              .is_whole = true};
  memset(particle_contacts->stirred + own.begin, 0, own.end - own.begin);
  sweep(particle_contacts, team, warm_up, &part);
  weft__team_meet(team);
  solve_all(particle_contacts, team, scale, part);
  look_at_all(particle_contacts, team, &part);
  move_bodies(particle_contacts, stage, own);
  const uint32_t found = weft__team_decide(team, take_found, particle_contacts);
  if ((found & HAS_BOUNCE) != 0) {
    for (int i = 0; i < BOUNCE_SWEEPS; ++i) {
      sweep(particle_contacts, team, solve, &part);
      weft__team_meet(team);
    }
  }
  if ((found & HAS_DEEP) != 0) {
    for (int i = 0; i < PUSH_SWEEPS; ++i) {
      part.number = (uint8_t)(FIRST_PUSH + i);
      part.is_whole = i == 0;
      sweep(particle_contacts, team, push_apart, &part);
      weft__team_meet(team);
    }
  }
  finish_bodies(particle_contacts, stage, own);
  weft__team_meet(team);
}
