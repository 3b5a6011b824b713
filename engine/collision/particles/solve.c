#include "collision/particles/solve.h"

#include <math.h>
#include <string.h>

#include "kernels/particle_contact.h"

// Velocity sweeps end when no contact changes a speed by more than this share of the resting speed,
// within bounds: the substeps of a step share MAX_SWEEPS, and each may take LEAST_MAX_SWEEPS.
// Stacks at rest are warm-started and take few sweeps, stacks under impact many. After the first
// sweeps over all contacts, only contacts of active bodies are solved again, whose velocity has
// changed by more than that since: contacts at rest cost nothing on account of distant ones. The
// largest change and the set of active bodies are the same for any number of workers.
enum { MIN_SWEEPS = 4, LEAST_MAX_SWEEPS = 16, MAX_SWEEPS = 64 };
#define REST_CHANGE 1e-3
// Rounding of the fastest body, as a share of its speed.
#define ROUNDING_SHARE 1e-6

// Colours with fewer pairs are solved by one worker: a barrier would cost more than it saves.
#define MIN_SHARED_PAIRS 64u

// Sweeps for restitution, and to push out of overlap.
enum { BOUNCE_SWEEPS = 4, PUSH_SWEEPS = 8 };

// Number of the first push sweep, so far ahead that no body is active from the velocity sweeps.
#define FIRST_PUSH (MAX_SWEEPS + 2)

// Share of the excess depth that a sweep removes.
#define PUSH_SHARE 0.5f
// Longest push in a substep, as a share of the smallest half size.
#define MAX_PUSH_SHARE 0.2f
// Slop, as a share of the smallest half size.
#define SLOP_SHARE 0.002f

typedef void solve_function(weft__particle_contacts* state, weft__particle_contact* contact,
                            weft__contact_sweep* sweep);

// ---- velocities ----

static void relative_velocity(const weft__particle_contacts* state, const weft__particle_contact* c,
                              float velocity[3]) {
  const float* a = state->bodies[c->a].velocity;
  const float* b = state->bodies[c->b].velocity;
  for (int axis = 0; axis < 3; ++axis) velocity[axis] = b[axis] - a[axis];
}

// Applies the impulse of the last substep.
static void warm_start(weft__particle_contacts* state, weft__particle_contact* c,
                       weft__contact_sweep* sweep) {
  (void)state;
  float* along = c->impulse.along;
  // removes the component along a normal that has turned since
  const float along_normal = weft__dot3(along, c->normal);
  float impulse[3];
  for (int axis = 0; axis < 3; ++axis) {
    along[axis] -= along_normal * c->normal[axis];
    impulse[axis] = c->impulse.normal * c->normal[axis] + along[axis];
  }
  weft__apply_impulse(sweep, c, impulse);
}

static void solve(weft__particle_contacts* state, weft__particle_contact* c,
                  weft__contact_sweep* sweep) {
  (void)state;
  weft__solve_contact(sweep, c);
}

// ---- positions ----

static void add_push(weft__particle_contacts* state, uint32_t body, float displacement,
                     const float normal[3]) {
  if (displacement == 0.0f) return;
  for (int axis = 0; axis < 3; ++axis) state->push[body][axis] += displacement * normal[axis];
}

// A wall does not move, and the later stage moves bodies out of it completely: the push is whole.
static void push_apart(weft__particle_contacts* state, weft__particle_contact* c,
                       weft__contact_sweep* sweep) {
  const bool is_wall = c->b >= state->body_capacity;
  const float none[3] = {0.0f, 0.0f, 0.0f};
  const float* other = is_wall ? none : state->push[c->b];
  const float* own = state->push[c->a];
  float gap = c->gap + c->slop;
  for (int axis = 0; axis < 3; ++axis) gap += c->normal[axis] * (other[axis] - own[axis]);
  // not marked active: nothing changes until a neighbour moves
  if (!(gap < 0.0f)) return;
  weft__mark_active(sweep, c);
  float displacement = is_wall ? -gap : -PUSH_SHARE * gap;
  const float max_push = c->slop * (MAX_PUSH_SHARE / SLOP_SHARE / (float)PUSH_SWEEPS);
  if (!is_wall && displacement > max_push) displacement = max_push;
  add_push(state, c->a, -displacement * c->mass * state->bodies[c->a].inv_mass, c->normal);
  if (!is_wall) {
    add_push(state, c->b, displacement * c->mass * state->bodies[c->b].inv_mass, c->normal);
  }
}

// ---- sweeps ----

static void solve_range(weft__particle_contacts* state, solve_function* function,
                        weft__contact_sweep* sweep, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; ++i) {
    if (!weft__contact_is_active(sweep, state->ends[i])) continue;
    weft__particle_contact* contact = &state->contacts[i];
    if (contact->mass > 0.0f) function(state, contact, sweep);
  }
}

static void solve_walls(weft__particle_contacts* state, solve_function* function,
                        weft__contact_sweep* sweep, weft__range bodies) {
  for (uint32_t i = bodies.begin; i < bodies.end; ++i) {
    // the wall is pinned and never active
    if (state->wall_count[i] == 0 || !weft__contact_is_active(sweep, (weft__particle_pair){i, i}))
      continue;
    weft__particle_contact* walls =
        state->contacts + state->pair_capacity + WEFT__MAX_BODY_WALLS * i;
    for (uint32_t k = 0; k < state->wall_count[i]; ++k) {
      if (walls[k].mass > 0.0f) function(state, &walls[k], sweep);
    }
  }
}

// Small colours are solved by worker 0, one after another without a barrier.
static bool is_shared(const weft__particle_contacts* state, uint32_t color) {
  const uint32_t count = state->color_first[color + 1] - state->color_first[color];
  return color + 1 < WEFT__PAIR_COLORS && count >= MIN_SHARED_PAIRS;
}

static void sweep_color(weft__particle_contacts* state, const weft__team* team,
                        solve_function* function, weft__contact_sweep* sweep, uint32_t color) {
  const uint32_t begin = state->color_first[color];
  const uint32_t end = state->color_first[color + 1];
  if (!is_shared(state, color)) {
    if (team->worker == 0) solve_range(state, function, sweep, begin, end);
    return;
  }
  const weft__range own = weft__team_share(team, end - begin);
  if (function == solve) {
    sweep->solve_contacts(sweep, begin + own.begin, begin + own.end);
  } else {
    solve_range(state, function, sweep, begin + own.begin, begin + own.end);
  }
}

// One worker solves the walls of a body, in their order. A barrier must follow before the next
// sweep.
static void run_sweep(weft__particle_contacts* state, const weft__team* team,
                      solve_function* function, weft__contact_sweep* sweep) {
  bool was_shared = false;
  for (uint32_t color = 0; color < WEFT__PAIR_COLORS; ++color) {
    if (state->color_first[color + 1] == state->color_first[color]) continue;
    const bool shared = is_shared(state, color);
    if (shared || was_shared) weft__team_barrier(team);
    sweep_color(state, team, function, sweep, color);
    was_shared = shared;
  }
  weft__team_barrier(team);
  const weft__range bodies = weft__team_share(team, state->body_count);
  solve_walls(state, function, sweep, bodies);
}

// bits of weft__particle_contacts.flags
enum { HAS_BOUNCE = 1, HAS_OVERLAP = 2 };

// Updates the gap after the velocity sweeps and flags impacts and deep overlaps. Walls apply
// restitution themselves.
static void update_contact(weft__particle_contacts* state, weft__particle_contact* c,
                           weft__contact_sweep* sweep) {
  float velocity[3];
  relative_velocity(state, c, velocity);
  c->gap += sweep->h * weft__dot3(velocity, c->normal);
  if (c->gap < -c->slop) {
    atomic_fetch_or_explicit(&state->flags, HAS_OVERLAP, memory_order_relaxed);
  }
  if (c->bounce < 0.0f || !(c->impulse.normal > 0.0f)) return;
  c->min_separation_speed = c->bounce;
  atomic_fetch_or_explicit(&state->flags, HAS_BOUNCE, memory_order_relaxed);
}

static void update_contacts(weft__particle_contacts* state, const weft__team* team,
                            weft__contact_sweep* sweep) {
  const weft__range pairs = weft__team_share(team, state->pair_count);
  const weft__range bodies = weft__team_share(team, state->body_count);
  solve_range(state, update_contact, sweep, pairs.begin, pairs.end);
  solve_walls(state, update_contact, sweep, bodies);
}

// ---- bodies ----

// Moves bodies by the velocity change. A change of 0 leaves the position bits as they are.
static void move_bodies(weft__particle_contacts* state, const weft__contact_stage* stage,
                        weft__range own) {
  const weft__particles* p = stage->particles;
  float* const pos[3] = {p->pos_x, p->pos_y, p->pos_z};
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__particle_motion* body = &state->bodies[i];
    if (!(body->inv_mass > 0.0f)) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const float change = body->velocity[axis] - state->start_velocity[i][axis];
      pos[axis][state->particle[i]] += change * stage->h;
      state->start_velocity[i][axis] = body->velocity[axis];
    }
  }
}

// Restitution changes the velocity through the previous position; a push moves both positions and
// adds no velocity.
static void finish_bodies(weft__particle_contacts* state, const weft__contact_stage* stage,
                          weft__range own) {
  const weft__particles* p = stage->particles;
  float* const pos[3] = {p->pos_x, p->pos_y, p->pos_z};
  float* const prev[3] = {p->prev_x, p->prev_y, p->prev_z};
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__particle_motion* body = &state->bodies[i];
    const uint32_t k = state->particle[i];
    if (!(body->inv_mass > 0.0f)) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const float bounced = body->velocity[axis] - state->start_velocity[i][axis];
      pos[axis][k] += state->push[i][axis];
      prev[axis][k] += state->push[i][axis] - bounced * stage->h;
    }
  }
}

// completion: float bits of the largest change of a sweep
static uint32_t take_change(void* context) {
  weft__particle_contacts* state = context;
  return atomic_exchange_explicit(&state->max_change_sq, 0, memory_order_relaxed);
}

// Sweeps until changes are below the threshold.
static void solve_all(weft__particle_contacts* state, const weft__team* team,
                      const weft__contact_scale* scale, uint32_t substeps,
                      weft__contact_sweep sweep) {
  const uint32_t share = MAX_SWEEPS / substeps;
  const uint32_t max_sweeps = share > LEAST_MAX_SWEEPS ? share : LEAST_MAX_SWEEPS;
  const double threshold =
      REST_CHANGE * scale->rest_speed + ROUNDING_SHARE * scale->max_displacement * scale->rate;
  const float threshold_sq = (float)(threshold * threshold);
  for (uint32_t i = 0; i < max_sweeps; ++i) {
    sweep.change = 0.0f;
    sweep.enough = threshold_sq;
    sweep.number = (uint8_t)(i + 1);
    sweep.is_whole = i < MIN_SWEEPS;
    run_sweep(state, team, solve, &sweep);
    weft__atomic_max(&state->max_change_sq, sweep.change);
    const float change = weft__float_from_bits(weft__team_decide(team, take_change, state));
    if (i + 1 >= MIN_SWEEPS && change <= threshold_sq) break;
  }
}

// completion
static uint32_t take_flags(void* context) {
  weft__particle_contacts* state = context;
  return atomic_exchange_explicit(&state->flags, 0, memory_order_relaxed);
}

void weft__particle_contacts_iterate(weft__particle_contacts* state,
                                     const weft__contact_stage* stage,
                                     const weft__contact_scale* scale, const weft__team* team) {
  const weft__range own = weft__team_share(team, state->body_count);
  weft__contact_sweep sweep = {.contacts = state->contacts,
                               .ends = state->ends,
                               .bodies = state->bodies,
                               .active_sweep = state->active_sweep,
                               .solve_contacts = stage->kernels->solve_contacts,
                               .h = stage->h,
                               .enough = INFINITY,
                               .is_whole = true};
  memset(state->active_sweep + own.begin, 0, own.end - own.begin);
  run_sweep(state, team, warm_start, &sweep);
  weft__team_barrier(team);
  solve_all(state, team, scale, stage->substeps, sweep);
  update_contacts(state, team, &sweep);
  move_bodies(state, stage, own);
  const uint32_t flags = weft__team_decide(team, take_flags, state);
  if ((flags & HAS_BOUNCE) != 0) {
    for (int i = 0; i < BOUNCE_SWEEPS; ++i) {
      run_sweep(state, team, solve, &sweep);
      weft__team_barrier(team);
    }
  }
  if ((flags & HAS_OVERLAP) != 0) {
    for (int i = 0; i < PUSH_SWEEPS; ++i) {
      sweep.number = (uint8_t)(FIRST_PUSH + i);
      sweep.is_whole = i == 0;
      run_sweep(state, team, push_apart, &sweep);
      weft__team_barrier(team);
    }
  }
  finish_bodies(state, stage, own);
  weft__team_barrier(team);
}
