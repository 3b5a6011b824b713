#include "modules/spheres/solve.h"

#include <string.h>

#include "base/grain_size.h"
#include "modules/spheres/kernels.h"
#include "modules/spheres/particle_contact.h"
#include "parallel/atomic_max.h"

// Velocity sweeps end when no contact changes a speed by more than this share of the resting speed:
// the substeps of a step share MAX_SWEEPS, and each may take LEAST_MAX_SWEEPS. After the first
// sweeps only contacts of active bodies are solved, whose velocity has changed by more since:
// contacts at rest cost nothing. Changes and active bodies are the same for any number of workers.
enum { MIN_SWEEPS = 4, LEAST_MAX_SWEEPS = 16, MAX_SWEEPS = 64 };
#define REST_CHANGE 1e-3
// rounding of the fastest body, over its speed
#define ROUNDING_SHARE 1e-6

#define PAIR_GRAIN WEFT__GRAIN(64u, 2u)
#define BODY_GRAIN WEFT__GRAIN(512u, 2u)

enum { BOUNCE_SWEEPS = 4, PUSH_SWEEPS = 8 };

// numbers so far ahead that no body is active from earlier sweeps
#define FIRST_BOUNCE (MAX_SWEEPS + 2)
#define FIRST_PUSH (FIRST_BOUNCE + BOUNCE_SWEEPS + 2)

// share of the excess depth that a sweep removes
#define PUSH_SHARE 0.5f
// in a substep, over the smallest half size
#define MAX_PUSH_SHARE 0.2f

typedef void solve_function(weft__particle_contacts* state, weft__particle_contact* contact,
                            weft__contact_sweep* sweep);

static void relative_velocity(const weft__particle_contacts* state, const weft__particle_contact* c,
                              float velocity[3]) {
  const float* a = state->bodies[c->a].velocity;
  const float* b = state->bodies[c->b].velocity;
  for (int axis = 0; axis < 3; ++axis) velocity[axis] = b[axis] - a[axis];
}

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
  weft__solve_contact(sweep, c, false);
}

static void warm_start_turning(weft__particle_contacts* state, weft__particle_contact* c,
                               weft__contact_sweep* sweep) {
  warm_start(state, c, sweep);
  weft__apply_torque(sweep, c, c->impulse.along);
}

static void solve_turning(weft__particle_contacts* state, weft__particle_contact* c,
                          weft__contact_sweep* sweep) {
  (void)state;
  weft__solve_contact(sweep, c, true);
}

static void add_push(weft__particle_contacts* state, uint32_t body, float displacement,
                     const float normal[3]) {
  if (displacement == 0.0f) return;
  for (int axis = 0; axis < 3; ++axis) state->push[body][axis] += displacement * normal[axis];
}

// Push away from a wall is whole: it stays, and the later stage moves bodies out completely.
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
  const float max_push = c->slop * (MAX_PUSH_SHARE / WEFT__CONTACT_SLOP / (float)PUSH_SWEEPS);
  if (!is_wall && displacement > max_push) displacement = max_push;
  add_push(state, c->a, -displacement * c->mass * state->bodies[c->a].inv_mass, c->normal);
  if (!is_wall) {
    add_push(state, c->b, displacement * c->mass * state->bodies[c->b].inv_mass, c->normal);
  }
}

// Loop over pairs of a colour, or over bodies with walls.
typedef struct sweep_args {
  weft__particle_contacts* state;
  solve_function* function;
  const weft__contact_sweep* sweep;
  uint32_t first;     /* contact of the colour */
  bool is_last_color; /* whose pairs may share bodies */
} sweep_args;

// bits of weft__particle_contacts.flags
enum { HAS_BOUNCE = 1, HAS_OVERLAP = 2 };

// Joins the largest change and the findings of a piece with the others': once a piece, as workers
// would wait for each other at every contact.
static void share_findings(weft__particle_contacts* state, const weft__contact_sweep* sweep) {
  weft__atomic_max(&state->max_change_sq, sweep->change);
  const uint32_t known = atomic_load_explicit(&state->flags, memory_order_relaxed);
  if ((sweep->found & ~known) == 0) return;
  atomic_fetch_or_explicit(&state->flags, sweep->found, memory_order_relaxed);
}

static void solve_range(weft__particle_contacts* state, solve_function* function,
                        weft__contact_sweep* sweep, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; ++i) {
    if (!weft__contact_is_active(sweep, state->ends[i])) continue;
    weft__particle_contact* contact = &state->contacts[i];
    if (contact->mass > 0.0f) function(state, contact, sweep);
  }
}

static void solve_pairs(void* context, weft__range pairs, uint32_t worker) {
  (void)worker;
  const sweep_args* args = context;
  weft__contact_sweep sweep = *args->sweep;
  const uint32_t begin = args->first + pairs.begin;
  const uint32_t end = args->first + pairs.end;
  const bool is_solve = args->function == solve || args->function == solve_turning;
  if (is_solve && !args->is_last_color) {
    sweep.solve_contacts(&sweep, begin, end);
  } else {
    solve_range(args->state, args->function, &sweep, begin, end);
  }
  share_findings(args->state, &sweep);
}

static void solve_walls(void* context, weft__range bodies, uint32_t worker) {
  (void)worker;
  const sweep_args* args = context;
  weft__particle_contacts* state = args->state;
  weft__contact_sweep sweep = *args->sweep;
  for (uint32_t i = bodies.begin; i < bodies.end; ++i) {
    // the wall is pinned and never active
    if (state->wall_count[i] == 0 || !weft__contact_is_active(&sweep, (weft__particle_pair){i, i}))
      continue;
    weft__particle_contact* walls = state->wall_contacts + (size_t)WEFT__MAX_BODY_WALLS * i;
    for (uint32_t k = 0; k < state->wall_count[i]; ++k) {
      if (walls[k].mass > 0.0f) args->function(state, &walls[k], &sweep);
    }
  }
  share_findings(state, &sweep);
}

// Pairs of the last colour are solved one after another.
static void run_sweep(weft__particle_contacts* state, const weft__step_context* step,
                      solve_function* function, const weft__contact_sweep* sweep) {
  sweep_args args = {.state = state, .function = function, .sweep = sweep};
  weft__step_spend(step, state->pair_count / 2);
  for (uint32_t color = 0; color < WEFT__PAIR_COLORS; ++color) {
    args.first = state->color_first[color];
    const uint32_t count = state->color_first[color + 1] - args.first;
    args.is_last_color = color + 1 == WEFT__PAIR_COLORS;
    weft__step_for(step, count, args.is_last_color ? UINT32_MAX : PAIR_GRAIN, solve_pairs, &args);
  }
  weft__step_for(step, state->body_count, BODY_GRAIN, solve_walls, &args);
}

// Updates the gap after the velocity sweeps and finds impacts and deep overlaps. Walls apply
// restitution themselves.
static void update_contact(weft__particle_contacts* state, weft__particle_contact* c,
                           weft__contact_sweep* sweep) {
  float velocity[3];
  relative_velocity(state, c, velocity);
  c->gap += sweep->h * weft__dot3(velocity, c->normal);
  if (c->gap < -c->slop) sweep->found |= HAS_OVERLAP;
  if (c->bounce < 0.0f || !(c->impulse.normal > 0.0f)) return;
  c->min_separation_speed = c->bounce;
  sweep->found |= HAS_BOUNCE;
}

static void update_pairs(void* context, weft__range pairs, uint32_t worker) {
  (void)worker;
  const sweep_args* args = context;
  weft__contact_sweep sweep = *args->sweep;
  solve_range(args->state, update_contact, &sweep, pairs.begin, pairs.end);
  share_findings(args->state, &sweep);
}

static void update_contacts(weft__particle_contacts* state, const weft__step_context* step,
                            const weft__contact_sweep* sweep) {
  sweep_args args = {.state = state, .function = update_contact, .sweep = sweep};
  weft__step_for(step, state->pair_count, PAIR_GRAIN, update_pairs, &args);
  weft__step_for(step, state->body_count, BODY_GRAIN, solve_walls, &args);
}

typedef struct body_args {
  weft__particle_contacts* state;
  weft__step_context* step;
} body_args;

// Moves bodies by the velocity change. A change of 0 leaves the position bits as they are.
static void move_bodies(void* context, weft__range own, uint32_t worker) {
  (void)worker;
  const body_args* args = context;
  weft__particle_contacts* state = args->state;
  weft__step_context* step = args->step;
  weft__particles* p = step->particles;
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__particle_motion* body = &state->bodies[i];
    if (!(body->inv_mass > 0.0f)) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const float change = body->velocity[axis] - state->start_velocity[i][axis];
      p->pos[axis][state->particle[i]] += change * step->h;
      state->start_velocity[i][axis] = body->velocity[axis];
    }
  }
}

// Restitution changes the velocity through the previous position; a push moves both positions.
static void finish_bodies(void* context, weft__range own, uint32_t worker) {
  (void)worker;
  const body_args* args = context;
  const weft__particle_contacts* state = args->state;
  weft__step_context* step = args->step;
  weft__particles* p = step->particles;
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__particle_motion* body = &state->bodies[i];
    const uint32_t k = state->particle[i];
    if (!(body->inv_mass > 0.0f)) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const float bounced = body->velocity[axis] - state->start_velocity[i][axis];
      p->pos[axis][k] += state->push[i][axis];
      p->prev[axis][k] += state->push[i][axis] - bounced * step->h;
    }
  }
}

// Changes of 0 leave the bits as they are.
static void finish_rolls(void* context, weft__range own, uint32_t worker) {
  (void)worker;
  const body_args* args = context;
  weft__particles* p = args->step->particles;
  for (uint32_t i = own.begin; i < own.end; ++i) {
    const weft__particle_roll* roll = &args->state->rolls[i];
    const uint32_t k = args->state->particle[i];
    if (!(roll->inv_mass > 0.0f)) continue;
    const float radius = p->roll_radius[k];
    for (int axis = 0; axis < 3; ++axis) {
      p->spin[axis][k] += (roll->speed[axis] - radius * p->spin[axis][k]) / radius;
    }
  }
}

// Value of a shared maximum or of shared flags, which starts again at 0.
static uint32_t take(_Atomic uint32_t* shared) {
  return atomic_exchange_explicit(shared, 0, memory_order_relaxed);
}

// Squared change of a velocity that ends the sweeps.
static float end_of_sweeps(const weft__contact_scale* scale) {
  const double threshold =
      REST_CHANGE * scale->rest_speed + ROUNDING_SHARE * scale->max_displacement * scale->rate;
  return (float)(threshold * threshold);
}

// Sweeps until changes are below the threshold, the first `whole` of them over all contacts.
static void solve_all(weft__particle_contacts* state, const weft__step_context* step,
                      solve_function* function, weft__contact_sweep sweep, uint32_t whole,
                      uint32_t most) {
  const uint32_t first = sweep.number;
  (void)take(&state->max_change_sq);
  for (uint32_t i = 0; i < most; ++i) {
    sweep.number = (uint8_t)(first + i);
    sweep.is_whole = i < whole;
    run_sweep(state, step, function, &sweep);
    const float change = weft__float_from_bits(take(&state->max_change_sq));
    if (i + 1 >= whole && change <= sweep.enough) break;
  }
}

void weft__particle_contacts_iterate(weft__particle_contacts* state, weft__step_context* step,
                                     const weft__contact_scale* scale) {
  const bool turns = state->has_rolls;
  solve_function* const solve_one = turns ? solve_turning : solve;
  weft__contact_sweep sweep = {
      .contacts = state->contacts,
      .ends = state->ends,
      .bodies = state->bodies,
      .rolls = state->rolls,
      .active_sweep = state->active_sweep,
      .solve_contacts = turns ? weft__body_kernels_of(step->kernels)->solve_turning_contacts
                              : weft__body_kernels_of(step->kernels)->solve_contacts,
      .h = step->h,
      .enough = end_of_sweeps(scale),
      .number = 1,
      .is_whole = true};
  const uint32_t share = MAX_SWEEPS / step->substeps;
  memset(state->active_sweep, 0, state->body_count);
  run_sweep(state, step, turns ? warm_start_turning : warm_start, &sweep);
  solve_all(state, step, solve_one, sweep, MIN_SWEEPS,
            share > LEAST_MAX_SWEEPS ? share : LEAST_MAX_SWEEPS);
  update_contacts(state, step, &sweep);
  body_args args = {state, step};
  weft__step_for(step, state->body_count, BODY_GRAIN, move_bodies, &args);
  const uint32_t flags = take(&state->flags);
  if ((flags & HAS_BOUNCE) != 0) {
    sweep.number = FIRST_BOUNCE;
    solve_all(state, step, solve_one, sweep, 1, BOUNCE_SWEEPS);
  }
  for (int i = 0; i < PUSH_SWEEPS && (flags & HAS_OVERLAP) != 0; ++i) {
    sweep.number = (uint8_t)(FIRST_PUSH + i);
    sweep.is_whole = i == 0;
    run_sweep(state, step, push_apart, &sweep);
  }
  weft__step_for(step, state->body_count, BODY_GRAIN, finish_bodies, &args);
  if (turns) weft__step_for(step, state->body_count, BODY_GRAIN, finish_rolls, &args);
}
