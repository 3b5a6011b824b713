#include "modules/integrators/integrators.h"

#include "base/min_max.h"

typedef struct scheme {
  float first;       // share of a h before the drift
  float second;      // share of a h after it
  float lead;        // share of a h that v is behind
  float constraint;  // share of the constraints' velocity change that v is behind
} scheme;

static const scheme schemes[] = {
    [WEFT_INTEGRATOR_POSITION_VERLET] = {1.0f, 0.0f, 0.5f, 0.5f},
    [WEFT_INTEGRATOR_VELOCITY_VERLET] = {0.5f, 0.5f, 0.0f, 0.5f},
    [WEFT_INTEGRATOR_SEMI_IMPLICIT_EULER] = {1.0f, 0.0f, 0.0f, 0.0f},
    [WEFT_INTEGRATOR_EXPLICIT_EULER] = {0.0f, 1.0f, 0.0f, 0.0f},
    [WEFT_INTEGRATOR_IMPLICIT_EULER] = {1.0f, 0.0f, 0.0f, 0.0f},
    [WEFT_INTEGRATOR_RUNGE_KUTTA_4] = {0.0f, 0.0f, 0.0f, 0.5f},  // kick and drift are its own
};

static bool create_solver(weft__integrators* integrators, const weft__schedule* schedule) {
  const weft__springs* springs = &integrators->springs;
  bool good = true;
  if (integrators->kind == WEFT_INTEGRATOR_IMPLICIT_EULER && springs->count > 0) {
    good = weft__implicit_create(&integrators->implicit, springs, schedule);
  } else if (integrators->kind == WEFT_INTEGRATOR_RUNGE_KUTTA_4) {
    good = weft__runge_kutta_create(&integrators->runge_kutta, springs, &integrators->pair_forces,
                                    schedule->particle_count);
  }
  integrators->bytes += integrators->implicit.bytes + integrators->runge_kutta.bytes;
  return good;
}

bool weft__integrators_create(weft__integrators* integrators, weft_integrator kind,
                              bool with_springs, const weft_pair_force_def* pair_force,
                              weft__particles* particles, const weft_scene* scene,
                              const weft__schedule* schedule) {
  *integrators = (weft__integrators){.kind = kind};
  const bool has_pairs = pair_force->kind != WEFT_PAIR_FORCE_NONE;
  integrators->on = with_springs || has_pairs || kind != WEFT_INTEGRATOR_POSITION_VERLET;
  if (!integrators->on) return true;
  const float opening = kind == WEFT_INTEGRATOR_POSITION_VERLET ? 0.5f : 1.0f;
  if (!weft__particles_add_velocities(particles, opening)) return false;
  if (with_springs && !weft__springs_create(&integrators->springs, scene, schedule)) return false;
  if (!weft__pair_forces_create(&integrators->pair_forces, pair_force, schedule)) return false;
  integrators->bytes += integrators->springs.bytes + integrators->pair_forces.bytes;
  return create_solver(integrators, schedule);
}

void weft__integrators_destroy(weft__integrators* integrators) {
  weft__springs_destroy(&integrators->springs);
  weft__pair_forces_destroy(&integrators->pair_forces);
  weft__implicit_destroy(&integrators->implicit);
  weft__runge_kutta_destroy(&integrators->runge_kutta);
  *integrators = (weft__integrators){0};
}

typedef struct axis {
  float *pos, *prev, *vel, *vel_lag;
  const float* force;  // external, or else NULL
  const float* spring;
  const float* drift;  // Runge-Kutta's, or else NULL
  const float* late;   // kick after the drift, or else NULL
  float gravity, max_speed;
} axis;

static void list_axes(const weft__integrators* integrators, weft__step_context* s,
                      uint32_t particle, axis axes[3]) {
  const float* gravity = weft__step_gravity(s, particle);
  const weft__runge_kutta* method = &integrators->runge_kutta;
  weft__particles* p = s->particles;
  for (int k = 0; k < 3; ++k) {
    axes[k] = (axis){.pos = p->pos[k],
                     .prev = p->prev[k],
                     .vel = p->vel[k],
                     .vel_lag = p->vel_lag[k],
                     .force = p->force[k],
                     .spring = p->spring[k],
                     .drift = method->drift[k],
                     .late = method->late_kick[k],
                     .gravity = gravity[k],
                     .max_speed = s->physics->max_speed[k]};
  }
}

// Bound that changes no result, but prevents overflow where a spring too stiff for the step
// diverges.
static inline float velocity_change(float acceleration, float seconds) {
  return weft__clampf(acceleration * seconds, 2.0f * WEFT_MAX_MAGNITUDE);
}

static inline float acceleration(const axis* a, uint32_t i, float inv_mass) {
  const float external = a->force == NULL ? 0.0f : a->force[i];
  return a->gravity + (external + a->spring[i]) * inv_mass;
}

typedef struct patch_args {
  const weft__integrators* integrators;
  weft__step_context* step;
} patch_args;

// Springs and pairs, newtons.
static void force_on(const weft__integrators* integrators, const weft__particles* p, uint32_t i,
                     double kept, double force[3]) {
  force[0] = force[1] = force[2] = 0.0;
  if (integrators->springs.count > 0) {
    weft__springs_force(&integrators->springs, p, i, kept, force);
  }
  if (weft__pair_forces_act(&integrators->pair_forces)) {
    weft__pair_forces_add(&integrators->pair_forces, p, i, force);
  }
}

static bool has_forces(const weft__integrators* integrators) {
  return integrators->springs.count > 0 || weft__pair_forces_act(&integrators->pair_forces);
}

static void evaluate_springs(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  const patch_args* t = context;
  weft__particles* p = t->step->particles;
  const weft__range own = weft__step_particles(t->step, patches);
  for (uint32_t i = own.begin; i < own.end; ++i) {
    double force[3];
    force_on(t->integrators, p, i, (double)weft__step_motion(t->step, i)->kept, force);
    for (int k = 0; k < 3; ++k) p->spring[k][i] = (float)force[k];
  }
}

void weft__integrators_begin(weft__integrators* integrators, weft__step_context* step) {
  if (integrators->kind == WEFT_INTEGRATOR_RUNGE_KUTTA_4) {
    weft__runge_kutta_evaluate(&integrators->runge_kutta, step);
    return;
  }
  if (!has_forces(integrators)) return;
  if (integrators->kind == WEFT_INTEGRATOR_IMPLICIT_EULER) {
    weft__implicit_solve(&integrators->implicit, step);
    return;
  }
  weft__pair_forces_update(&integrators->pair_forces, step->particles, step);
  patch_args t = {integrators, step};
  weft__step_for_patches(step, evaluate_springs, &t);
}

static inline float solved_displacement(const axis* a, const weft__step_context* s, uint32_t i,
                                        float inv_mass) {
  if (s->solved_h == s->h) return a->vel[i] * s->h;
  const float beyond = velocity_change(acceleration(a, i, inv_mass), s->solved_h - s->h);
  return (a->vel[i] + beyond) * s->solved_h;
}

static void move_axis(const axis* a, const weft__step_context* s, float kept, float kick,
                      uint32_t begin, uint32_t end) {
  const float* inv_mass = s->particles->inv_mass;
  const float* kick_share = s->particles->kick_share;
  for (uint32_t i = begin; i < end; ++i) {
    const float here = a->pos[i];
    a->prev[i] = here;
    if (!(inv_mass[i] > 0.0f)) continue;
    const float kicked = velocity_change(acceleration(a, i, inv_mass[i]), kick * kick_share[i]);
    a->vel[i] = weft__clampf(a->vel[i] * kept + kicked, a->max_speed);
    a->pos[i] = here + solved_displacement(a, s, i, inv_mass[i]);
  }
}

static void drift_axis(const axis* a, const weft__step_context* s, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; ++i) {
    const float here = a->pos[i];
    a->prev[i] = here;
    if (!(s->particles->inv_mass[i] > 0.0f)) continue;
    a->vel[i] = a->drift[i];
    a->pos[i] = here + solved_displacement(a, s, i, s->particles->inv_mass[i]);
  }
}

void weft__integrators_move(const weft__integrators* integrators, weft__step_context* step,
                            uint32_t begin, uint32_t end) {
  // the implicit solve has applied damping and forces
  const bool solved = integrators->implicit.block != NULL;
  const float kept = solved ? 1.0f : weft__step_motion(step, begin)->kept;
  const float kick = solved ? 0.0f : schemes[integrators->kind].first * step->h;
  axis axes[3];
  list_axes(integrators, step, begin, axes);
  if (axes[0].drift != NULL) {
    for (int k = 0; k < 3; ++k) drift_axis(&axes[k], step, begin, end);
    return;
  }
  for (int k = 0; k < 3; ++k) move_axis(&axes[k], step, kept, kick, begin, end);
  weft__particles* p = step->particles;
  for (uint32_t i = begin; i < end; ++i) {
    if (p->inv_mass[i] > 0.0f) p->kick_share[i] = 1.0f;
  }
}

static void take_axis(const axis* a, const weft__step_context* s, uint32_t begin, uint32_t end) {
  const float* inv_mass = s->particles->inv_mass;
  const float rate = s->h / (s->solved_h * s->solved_h);
  for (uint32_t i = begin; i < end; ++i) {
    if (!(inv_mass[i] > 0.0f)) continue;
    const float predicted = a->prev[i] + solved_displacement(a, s, i, inv_mass[i]);
    a->vel[i] = weft__clampf(a->vel[i] + (a->pos[i] - predicted) * rate, a->max_speed);
    a->pos[i] = a->prev[i] + a->vel[i] * s->h;
  }
}

static void take_patches(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  const patch_args* t = context;
  for (uint32_t patch = patches.begin; patch < patches.end; ++patch) {
    const weft__range own = weft__step_particles(t->step, (weft__range){patch, patch + 1});
    if (weft__step_is_paused(t->step, own.begin)) continue;
    axis axes[3];
    list_axes(t->integrators, t->step, own.begin, axes);
    for (int k = 0; k < 3; ++k) take_axis(&axes[k], t->step, own.begin, own.end);
  }
}

void weft__integrators_take_share(const weft__integrators* integrators, weft__step_context* step) {
  patch_args t = {integrators, step};
  weft__step_for_patches(step, take_patches, &t);
}

// Constraints' change since the drift, and the second kick with the forces at the beginning.
static void end_axis(const axis* a, const weft__step_context* s, const scheme* r, uint32_t begin,
                     uint32_t end) {
  const float* inv_mass = s->particles->inv_mass;
  const float rate = 1.0f / s->h;
  for (uint32_t i = begin; i < end; ++i) {
    if (!(inv_mass[i] > 0.0f)) {
      // a moved pin has the velocity of its move
      a->vel[i] = (a->pos[i] - a->prev[i]) * rate;
      a->vel_lag[i] = 0.0f;
      continue;
    }
    const float moved = a->pos[i] - (a->prev[i] + a->vel[i] * s->h);
    const bool counts = s->solved_h == s->h || weft__is_more_than_rounding(moved, a->pos[i]);
    const float change = counts ? moved * rate : 0.0f;
    const float kick = velocity_change(acceleration(a, i, inv_mass[i]), s->h);
    const float late = a->late == NULL ? r->second * kick : a->late[i];
    a->vel[i] = weft__clampf(a->vel[i] + change + late, a->max_speed);
    a->vel_lag[i] = r->constraint * change + r->lead * kick;
  }
}

static void end_patches(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  const patch_args* t = context;
  const scheme* r = &schemes[t->integrators->kind];
  for (uint32_t patch = patches.begin; patch < patches.end; ++patch) {
    const weft__range own = weft__step_particles(t->step, (weft__range){patch, patch + 1});
    if (weft__step_is_paused(t->step, own.begin)) continue;
    axis axes[3];
    list_axes(t->integrators, t->step, own.begin, axes);
    for (int k = 0; k < 3; ++k) end_axis(&axes[k], t->step, r, own.begin, own.end);
  }
}

// Spring forces become their change over the substep. Damping uses velocities after the second kick
// with the forces at the beginning, accurate to h^2.
static void difference_springs(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  const patch_args* t = context;
  weft__particles* p = t->step->particles;
  const weft__range own = weft__step_particles(t->step, patches);
  for (uint32_t i = own.begin; i < own.end; ++i) {
    double force[3];
    force_on(t->integrators, p, i, 1.0, force);
    for (int k = 0; k < 3; ++k) p->spring[k][i] = (float)(force[k] - (double)p->spring[k][i]);
  }
}

static void correct_kick(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  const patch_args* t = context;
  weft__step_context* s = t->step;
  const float second = schemes[t->integrators->kind].second;
  const weft__range own = weft__step_particles(s, patches);
  axis axes[3];
  list_axes(t->integrators, s, own.begin, axes);
  for (int k = 0; k < 3; ++k) {
    const axis* a = &axes[k];
    for (uint32_t i = own.begin; i < own.end; ++i) {
      if (weft__step_is_paused(s, i)) continue;
      const float kick = velocity_change(a->spring[i] * s->particles->inv_mass[i], s->h);
      a->vel[i] = weft__clampf(a->vel[i] + second * kick, a->max_speed);
    }
  }
}

void weft__integrators_end(weft__integrators* integrators, weft__step_context* step) {
  patch_args t = {integrators, step};
  weft__step_for_patches(step, end_patches, &t);
  if (integrators->kind != WEFT_INTEGRATOR_VELOCITY_VERLET || !has_forces(integrators)) return;
  weft__pair_forces_update(&integrators->pair_forces, step->particles, step);
  weft__step_for_patches(step, difference_springs, &t);
  weft__step_for_patches(step, correct_kick, &t);
}
