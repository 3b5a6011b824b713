#define WIDE_LANES 1
#include "modules/spheres/shape_contact.h"

#include <math.h>

#include "geometry/advancement.inl"
#include "kernels/kernels.h"
#include "modules/spheres/kernels.h"
#include "modules/spheres/pair_table.h"
#include "parallel/atomic_max.h"

static void load_roll(weft__particle_roll* roll, const weft__particles* p, uint32_t i) {
  const float radius = p->roll_radius[i];
  *roll = (weft__particle_roll){
      .speed = {radius * p->spin_x[i], radius * p->spin_y[i], radius * p->spin_z[i]},
      .inv_mass = p->inv_mass[i] * p->roll_factor[i]};
}

void weft__shape_contacts_load(weft__particle_contacts* state, const weft__step_context* step,
                               uint32_t begin, uint32_t end) {
  const weft__particles* p = step->particles;
  const float rate = 1.0f / step->h;
  float max_sq = 0.0f;
  for (uint32_t i = begin; i < end; ++i) {
    const uint32_t k = state->particle[i];
    const float displacement[3] = {p->pos_x[k] - p->prev_x[k], p->pos_y[k] - p->prev_y[k],
                                   p->pos_z[k] - p->prev_z[k]};
    weft__particle_motion* body = &state->bodies[i];
    for (int axis = 0; axis < 3; ++axis) {
      state->start_velocity[i][axis] = body->velocity[axis] = displacement[axis] * rate;
      state->push[i][axis] = 0.0f;
    }
    body->inv_mass = p->inv_mass[k];
    state->paths[i] = (weft__body_path){.from = {p->prev_x[k], p->prev_y[k], p->prev_z[k]},
                                        .inv_mass = p->inv_mass[k],
                                        .to = {p->pos_x[k], p->pos_y[k], p->pos_z[k]},
                                        .material = step->materials->of[k]};
    if (state->has_rolls) load_roll(&state->rolls[i], p, k);
    const float square = displacement[0] * displacement[0] + displacement[1] * displacement[1] +
                         displacement[2] * displacement[2];
    if (square > max_sq) max_sq = square;
  }
  weft__atomic_max(&state->max_displacement_sq, max_sq);
}

static void set_gravity(weft__contact_scale* scale, const weft__motion* motion) {
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    scale->gravity[axis] = (double)motion->displacement[axis] * scale->rate;
    square += scale->gravity[axis] * scale->gravity[axis];
  }
  scale->rest_speed = 2.0 * sqrt(square);
}

weft__contact_scale weft__contact_scale_of(const weft__particle_contacts* state,
                                           const weft__step_context* step) {
  weft__contact_scale scale = {.h = (double)step->h, .rate = 1.0 / (double)step->h};
  set_gravity(&scale, step->motion);
  scale.max_displacement = sqrt((double)weft__float_from_bits(
      atomic_load_explicit(&state->max_displacement_sq, memory_order_relaxed)));
  return scale;
}

weft__contact_scale weft__contact_scale_at(const weft__contact_scale* scale,
                                           const weft__step_context* step, uint32_t particle) {
  weft__contact_scale own = *scale;
  if (step->schedule->environment_of != NULL) set_gravity(&own, weft__step_motion(step, particle));
  return own;
}

float weft__bounce_speed(const weft__contact_scale* scale, double approach_speed, double beyond,
                         double gravity_speed, double restitution) {
  // velocities are half a substep old
  const double now = approach_speed + 0.5 * gravity_speed;
  const double square = now * now - 2.0 * gravity_speed * beyond * scale->rate;
  const double impact_speed = square > 0.0 ? sqrt(square) : 0.0;
  if (!(impact_speed > scale->rest_speed)) return -1.0f;
  const double rebound = restitution * impact_speed;
  return (float)(rebound > 0.0 ? rebound + 0.5 * gravity_speed : 0.0);
}

typedef struct pair_kind {
  const weft__material* first;
  const weft__material* second;
  weft__pair_function* overlap_of;
  weft__surface surface;
  double size;       // metres: smallest half size of the two
  uint32_t work;     // per pair: see parallel/work.h
  bool has_spheres;  // only
} pair_kind;

typedef struct pair_motion {
  const pair_kind* kind;
  double offset[3];        // metres from the first to the second, at its beginning
  double displacement[3];  // metres of the second relative to the first
  // at the time of impact, or at the closest approach
  double time;
  weft__overlap overlap;
  double approach;  // metres along the normal, in the substep
} pair_motion;

static double separated(void* context, double time, dwide_mask active) {
  (void)active;
  pair_motion* m = context;
  double offset[3];
  for (int axis = 0; axis < 3; ++axis)
    offset[axis] = m->offset[axis] + time * m->displacement[axis];
  m->time = time;
  m->overlap = m->kind->overlap_of(m->kind->first->half_size, m->kind->second->half_size, offset);
  m->approach = 0.0;
  for (int axis = 0; axis < 3; ++axis)
    m->approach -= m->overlap.normal[axis] * m->displacement[axis];
  return closes_at(time, -m->overlap.depth, WEFT__TOUCH_SHARE * m->kind->size, m->approach);
}

static double smallest_half_size(const float a[3], const float b[3]) {
  float smallest = a[0];
  for (int axis = 0; axis < 3; ++axis) {
    if (a[axis] < smallest) smallest = a[axis];
    if (b[axis] < smallest) smallest = b[axis];
  }
  return (double)smallest;
}

static uint32_t work_of(weft_particle_shape first, weft_particle_shape second) {
  if (first == WEFT_PARTICLE_SHAPE_SPHERE && second == WEFT_PARTICLE_SHAPE_SPHERE) return 4;
  const bool has_ellipsoid =
      first == WEFT_PARTICLE_SHAPE_ELLIPSOID || second == WEFT_PARTICLE_SHAPE_ELLIPSOID;
  return has_ellipsoid ? 64 : 16;
}

// Keeps the kind of the last pair while both materials are the same.
static void set_kind(pair_kind* kind, const weft__step_context* step, const weft__material* first,
                     const weft__material* second) {
  if (first == kind->first && second == kind->second) return;
  *kind = (pair_kind){
      .first = first,
      .second = second,
      .overlap_of = weft__pair_function_of(first->shape, second->shape, step->physics->is_plane),
      .surface =
          weft__surface_between(&step->materials->between, &first->surface, &second->surface),
      .size = smallest_half_size(first->half_size, second->half_size),
      .work = work_of(first->shape, second->shape),
      .has_spheres = first->shape == WEFT_PARTICLE_SHAPE_SPHERE &&
                     second->shape == WEFT_PARTICLE_SHAPE_SPHERE};
}

static pair_motion pair_motion_of(const pair_kind* kind, const weft__body_path* a,
                                  const weft__body_path* b) {
  pair_motion m = {.kind = kind};
  for (int axis = 0; axis < 3; ++axis) {
    m.offset[axis] = (double)b->from[axis] - (double)a->from[axis];
    m.displacement[axis] = ((double)b->to[axis] - (double)a->to[axis]) - m.offset[axis];
  }
  return m;
}

static double gravity_between(const weft__contact_scale* scale, const weft__body_path* a,
                              const weft__body_path* b, const double normal[3]) {
  double gravity_speed = 0.0;
  for (int axis = 0; axis < 3; ++axis) gravity_speed += normal[axis] * scale->gravity[axis];
  return (a->inv_mass > 0.0f ? gravity_speed : 0.0) - (b->inv_mass > 0.0f ? gravity_speed : 0.0);
}

// All shapes; pairs of spheres are made by modules/spheres/sphere_pairs.inl.
static void make_contact(const weft__particle_contacts* state, const weft__step_context* step,
                         const weft__contact_scale* scale, const pair_kind* kind,
                         weft__particle_contact* contact) {
  const weft__body_path* a = &state->paths[contact->a];
  const weft__body_path* b = &state->paths[contact->b];
  pair_motion m = pair_motion_of(kind, a, b);
  (void)advance_to_contact(separated, &m, -1, BEFORE_END, WEFT__MAX_PLANES);
  // permitted approach from the beginning of the substep on
  const double gap = m.time * m.approach - m.overlap.depth;
  const float inv_mass = a->inv_mass + b->inv_mass;
  // impulses of an impact are no estimate for the next substep
  if (contact->bounce >= 0.0f) contact->impulse = (weft__impulse){0.0f, {0.0f, 0.0f, 0.0f}};
  // speculative margin: others push the pair closer than its own motion, by little more than the
  // largest displacement; NaN fails the test
  const bool is_near =
      gap - m.approach < WEFT__NEAR_SHARE * kind->size + 2.0 * scale->max_displacement;
  if (!is_near || !(inv_mass > 0.0f)) {
    contact->mass = 0.0f;
    contact->impulse = (weft__impulse){0.0f, {0.0f, 0.0f, 0.0f}};
    return;
  }

  for (int axis = 0; axis < 3; ++axis) contact->normal[axis] = (float)m.overlap.normal[axis];
  contact->mass = 1.0f / inv_mass;
  contact->static_friction = kind->surface.static_friction;
  contact->dynamic_friction = kind->surface.dynamic_friction;
  contact->gap = (float)gap;
  contact->min_separation_speed = gap > 0.0 ? (float)(-gap * scale->rate) : 0.0f;
  contact->slop = WEFT__CONTACT_SLOP * (float)kind->size;
  contact->bounce = -1.0f;
  if (m.approach < gap) return;
  const double beyond = m.approach - (gap > 0.0 ? gap : 0.0);
  const weft__contact_scale own = weft__contact_scale_at(scale, step, state->particle[contact->a]);
  const double gravity_speed = gravity_between(&own, a, b, m.overlap.normal);
  contact->bounce = weft__bounce_speed(&own, m.approach * scale->rate, beyond, gravity_speed,
                                       (double)kind->surface.restitution);
}

static void set_gravity_of_pair(weft__sphere_pairs* pairs, uint32_t at,
                                const weft__contact_scale* scale) {
  for (int axis = 0; axis < 3; ++axis) pairs->gravity[axis][at] = scale->gravity[axis];
  pairs->rest_speed[at] = scale->rest_speed;
}

static void start_spheres(const weft__particle_contacts* state, const weft__contact_scale* scale,
                          weft__sphere_pairs* pairs) {
  pairs->paths = state->paths;
  pairs->contacts = state->contacts;
  pairs->rate = scale->rate;
  pairs->max_displacement = scale->max_displacement;
  pairs->slop_share = WEFT__CONTACT_SLOP;
  pairs->count = 0;
  for (uint32_t k = 0; k < WEFT__SPHERE_PAIRS; ++k) set_gravity_of_pair(pairs, k, scale);
}

static void put_pair(weft__sphere_pairs* pairs, uint32_t at, const pair_kind* kind,
                     weft__particle_pair bodies, uint32_t contact) {
  pairs->contact[at] = contact;
  pairs->first[at] = bodies.a;
  pairs->second[at] = bodies.b;
  pairs->radii[at] = (double)kind->first->half_size[0] + (double)kind->second->half_size[0];
  pairs->size[at] = kind->size;
  pairs->restitution[at] = (double)kind->surface.restitution;
  pairs->static_friction[at] = kind->surface.static_friction;
  pairs->dynamic_friction[at] = kind->surface.dynamic_friction;
}

static void make_spheres(const weft__step_context* step, weft__sphere_pairs* pairs) {
  if (pairs->count == 0) return;
  for (uint32_t k = pairs->count; k < WEFT__SPHERE_PAIRS; ++k) {
    pairs->first[k] = pairs->first[0];
    pairs->second[k] = pairs->second[0];
    pairs->radii[k] = pairs->radii[0];
    pairs->size[k] = pairs->size[0];
    pairs->restitution[k] = pairs->restitution[0];
  }
  weft__body_kernels_of(step->kernels)->make_sphere_contacts(pairs);
  pairs->count = 0;
}

// List order, in which a pair reads bodies that the one before it has read.
uint64_t weft__shape_contacts_make(const weft__particle_contacts* state,
                                   const weft__step_context* step, const weft__contact_scale* scale,
                                   uint32_t begin, uint32_t end) {
  const bool has_environments = step->schedule->environment_of != NULL;
  const weft__material* rows = step->materials->rows;
  pair_kind kind = {.first = NULL};
  weft__sphere_pairs spheres;
  start_spheres(state, scale, &spheres);
  uint64_t work = 0;
  for (uint32_t i = begin; i < end; ++i) {
    const weft__particle_pair bodies = state->list.pairs[i];
    const uint32_t contact = state->contact_of_pair[i];
    set_kind(&kind, step, &rows[state->paths[bodies.a].material],
             &rows[state->paths[bodies.b].material]);
    work += kind.work;
    if (!kind.has_spheres) {
      make_contact(state, step, scale, &kind, &state->contacts[contact]);
      continue;
    }
    const uint32_t at = spheres.count++;
    put_pair(&spheres, at, &kind, bodies, contact);
    if (has_environments) {
      const weft__contact_scale own =
          weft__contact_scale_at(scale, step, state->particle[bodies.a]);
      set_gravity_of_pair(&spheres, at, &own);
    }
    if (spheres.count == WEFT__SPHERE_PAIRS) make_spheres(step, &spheres);
  }
  make_spheres(step, &spheres);
  return work;
}
