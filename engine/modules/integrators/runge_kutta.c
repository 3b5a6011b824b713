#include "modules/integrators/runge_kutta.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/min_max.h"

enum { STAGES = 4 };

static const float weights[STAGES] = {1.0f / 6.0f, 1.0f / 3.0f, 1.0f / 3.0f, 1.0f / 6.0f};
// share of h at which the next stage lies
static const float nodes[STAGES] = {0.5f, 0.5f, 1.0f, 0.0f};

static void lay_out_axes(weft__arena* arena, uint32_t count, float* columns[3]) {
  for (int k = 0; k < 3; ++k) columns[k] = weft__arena_alloc(arena, count, sizeof(float));
}

bool weft__runge_kutta_create(weft__runge_kutta* method, const weft__springs* springs,
                              weft__pair_forces* pair_forces, uint32_t particle_count) {
  *method = (weft__runge_kutta){.springs = springs, .pair_forces = pair_forces};
  for (weft__arena arena = {0}; weft__arena_next(&arena, &method->block, &method->bytes);) {
    for (int k = 0; k < 2; ++k) {
      lay_out_axes(&arena, particle_count, method->stage_pos[k]);
      lay_out_axes(&arena, particle_count, method->stage_vel[k]);
    }
    lay_out_axes(&arena, particle_count, method->drift);
    lay_out_axes(&arena, particle_count, method->late_kick);
  }
  return method->block != NULL;
}

void weft__runge_kutta_destroy(weft__runge_kutta* method) {
  weft__free(method->block);
  *method = (weft__runge_kutta){0};
}

typedef struct stage_args {
  const weft__runge_kutta* method;
  weft__step_context* step;
  weft__particles now;
  uint32_t stage;
} stage_args;

typedef struct stage_axis {
  float *pos, *vel;        // at the beginning of the substep, undamped
  const float* force;      // external, or else NULL
  const float* stage_vel;  // at this stage, undamped in the first
  float *next_pos, *next_vel;
  float *drift, *kick;
} stage_axis;

static void list_axes(const stage_args* t, stage_axis axes[3]) {
  const weft__runge_kutta* method = t->method;
  for (int k = 0; k < 3; ++k) {
    axes[k] = (stage_axis){
        .pos = t->step->particles->pos[k],
        .vel = t->step->particles->vel[k],
        .force = t->step->particles->force[k],
        .stage_vel = t->now.vel[k],
        .next_pos = method->stage_pos[t->stage % 2][k],
        .next_vel = method->stage_vel[t->stage % 2][k],
        .drift = method->drift[k],
        .kick = method->late_kick[k],
    };
  }
}

// All stages are its position and velocity.
static void copy_pinned(const stage_axis* a, uint32_t i) {
  a->next_pos[i] = a->pos[i];
  a->next_vel[i] = a->vel[i];
}

// Writes the next stage or, after the last, the late kick. The limits change no result; they
// prevent overflow where a spring too stiff for the step diverges. gain: acceleration
static void take_axis(const stage_args* t, const stage_axis* a, uint32_t i, float gain, float kept,
                      float max_speed) {
  const float h = t->step->h;
  const float begun = a->vel[i];
  const float vel =
      weft__clampf(t->stage == 0 ? a->stage_vel[i] * kept : a->stage_vel[i], max_speed);
  const float kick = weft__clampf(gain * h, 2.0f * WEFT_MAX_MAGNITUDE);
  const float weight = weights[t->stage], node = nodes[t->stage];
  const float drift = (t->stage == 0 ? 0.0f : a->drift[i]) + weight * vel;
  const float sum = (t->stage == 0 ? 0.0f : a->kick[i]) + weight * kick;
  const bool is_last = t->stage + 1 == STAGES;
  a->next_pos[i] = a->pos[i] + vel * (node * h);
  a->next_vel[i] = begun * kept + node * kick;
  a->drift[i] = is_last ? weft__clampf(drift, max_speed) : drift;
  a->kick[i] = is_last ? (begun * kept + sum) - a->drift[i] : sum;
}

static void take_stage(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  const stage_args* t = context;
  const weft__runge_kutta* method = t->method;
  const weft__particles* p = t->step->particles;
  const weft__range own = weft__step_particles(t->step, patches);
  stage_axis axes[3];
  list_axes(t, axes);
  for (uint32_t i = own.begin; i < own.end; ++i) {
    if (!(p->inv_mass[i] > 0.0f)) {
      for (int k = 0; k < 3; ++k) copy_pinned(&axes[k], i);
      continue;
    }
    const float* gravity = weft__step_gravity(t->step, i);
    const float kept = weft__step_motion(t->step, i)->kept;
    double force[3] = {0.0, 0.0, 0.0};
    if (method->springs->count > 0)
      weft__springs_force(method->springs, &t->now, i, t->stage == 0 ? (double)kept : 1.0, force);
    if (weft__pair_forces_act(method->pair_forces)) {
      weft__pair_forces_add(method->pair_forces, &t->now, i, force);
    }
    for (int k = 0; k < 3; ++k) {
      const float external = axes[k].force == NULL ? 0.0f : axes[k].force[i];
      const float gain = gravity[k] + (external + (float)force[k]) * p->inv_mass[i];
      take_axis(t, &axes[k], i, gain, kept, t->step->physics->max_speed[k]);
    }
  }
}

static weft__particles particles_at(const weft__runge_kutta* method, const weft__particles* p,
                                    uint32_t stage) {
  weft__particles now = *p;
  if (stage == 0) return now;
  for (int axis = 0; axis < 3; ++axis) {
    now.pos[axis] = method->stage_pos[(stage - 1) % 2][axis];
    now.vel[axis] = method->stage_vel[(stage - 1) % 2][axis];
  }
  return now;
}

void weft__runge_kutta_evaluate(const weft__runge_kutta* method, weft__step_context* step) {
  for (uint32_t stage = 0; stage < STAGES; ++stage) {
    stage_args t = {.method = method,
                    .step = step,
                    .now = particles_at(method, step->particles, stage),
                    .stage = stage};
    weft__pair_forces_update(method->pair_forces, &t.now, step);
    weft__step_for_patches(step, take_stage, &t);
  }
}
