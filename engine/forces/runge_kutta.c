#include "forces/runge_kutta.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/min_max.h"

enum { STAGES = 4 };

static const float weights[STAGES] = {1.0f / 6.0f, 1.0f / 3.0f, 1.0f / 3.0f, 1.0f / 6.0f};
// share of h at which the next stage lies
static const float nodes[STAGES] = {0.5f, 0.5f, 1.0f, 0.0f};

// ---- creation and destruction ----

static weft__axis_columns lay_out_axes(weft__arena* arena, uint32_t count) {
  weft__axis_columns columns;
  columns.x = weft__arena_alloc(arena, count, sizeof(float));
  columns.y = weft__arena_alloc(arena, count, sizeof(float));
  columns.z = weft__arena_alloc(arena, count, sizeof(float));
  return columns;
}

bool weft__runge_kutta_create(weft__runge_kutta* method, const weft__springs* springs,
                              weft__pair_forces* pair_forces, uint32_t particle_count) {
  *method = (weft__runge_kutta){.springs = springs, .pair_forces = pair_forces};
  for (weft__arena arena = {0}; weft__arena_next(&arena, &method->block, &method->bytes);) {
    for (int k = 0; k < 2; ++k) {
      method->stage_pos[k] = lay_out_axes(&arena, particle_count);
      method->stage_vel[k] = lay_out_axes(&arena, particle_count);
    }
    method->drift = lay_out_axes(&arena, particle_count);
    method->late_kick = lay_out_axes(&arena, particle_count);
  }
  return method->block != NULL;
}

void weft__runge_kutta_destroy(weft__runge_kutta* method) {
  weft__free(method->block);
  *method = (weft__runge_kutta){0};
}

// ---- stages ----

// Arguments of a pass over the patches.
typedef struct stage_args {
  const weft__runge_kutta* method;
  const weft__step_context* step;
  weft__particles now; /* positions and velocities of this stage */
  uint32_t stage;      /* 0 to 3 */
} stage_args;

// One axis of a particle.
typedef struct stage_axis {
  float pos, vel;  /* at the beginning of the substep, undamped */
  float stage_vel; /* of this stage, undamped in the first */
  float spring;    /* newtons */
  float external;  /* newtons */
  float gravity, max_speed, kept;
  float *next_pos, *next_vel; /* of the next stage */
  float *drift, *kick;        /* sums so far */
} stage_axis;

// Adds the stage to drift and kick, and writes the next one or, after the last, the late kick. The
// limits change no result; they prevent overflow where a spring that is too stiff for the step
// diverges.
static void take_axis(const stage_args* t, const stage_axis* a, float inv_mass) {
  const float h = t->step->h;
  const float vel =
      weft__clampf(t->stage == 0 ? a->stage_vel * a->kept : a->stage_vel, a->max_speed);
  const float gain = a->gravity + (a->external + a->spring) * inv_mass;
  const float kick = weft__clampf(gain * h, 2.0f * WEFT_MAX_MAGNITUDE);
  const float weight = weights[t->stage], node = nodes[t->stage];
  *a->drift = (t->stage == 0 ? 0.0f : *a->drift) + weight * vel;
  *a->kick = (t->stage == 0 ? 0.0f : *a->kick) + weight * kick;
  *a->next_pos = a->pos + vel * (node * h);
  *a->next_vel = a->vel * a->kept + node * kick;
  if (t->stage + 1 < STAGES) return;
  *a->drift = weft__clampf(*a->drift, a->max_speed);
  *a->kick = (a->vel * a->kept + *a->kick) - *a->drift;
}

// The stages of a pinned particle are its position and velocity.
static void copy_pinned(const weft__particles* p, uint32_t i, const weft__axis_columns* pos,
                        const weft__axis_columns* vel) {
  pos->x[i] = p->pos_x[i];
  pos->y[i] = p->pos_y[i];
  pos->z[i] = p->pos_z[i];
  vel->x[i] = p->vel_x[i];
  vel->y[i] = p->vel_y[i];
  vel->z[i] = p->vel_z[i];
}

#define STAGE_AXIS(axis, index)                                                                \
  &(stage_axis) {                                                                              \
    p->pos_##axis[i], p->vel_##axis[i], t->now.vel_##axis[i], (float)force[index],             \
        p->force_##axis == NULL ? 0.0f : p->force_##axis[i], gravity[index],                   \
        physics->max_speed[index], kept, &pos->axis[i], &vel->axis[i], &method->drift.axis[i], \
        &method->late_kick.axis[i]                                                             \
  }

static void take_stage(void* context, weft__range patches, uint32_t worker) {
  (void)worker;
  const stage_args* t = context;
  const weft__runge_kutta* method = t->method;
  const weft__physics* physics = t->step->physics;
  const weft__particles* p = t->step->particles;
  const weft__axis_columns* pos = &method->stage_pos[t->stage % 2];
  const weft__axis_columns* vel = &method->stage_vel[t->stage % 2];
  const weft__range own = weft__step_particles(t->step, patches);
  for (uint32_t i = own.begin; i < own.end; ++i) {
    if (!(p->inv_mass[i] > 0.0f)) {
      copy_pinned(p, i, pos, vel);
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
    take_axis(t, STAGE_AXIS(x, 0), p->inv_mass[i]);
    take_axis(t, STAGE_AXIS(y, 1), p->inv_mass[i]);
    take_axis(t, STAGE_AXIS(z, 2), p->inv_mass[i]);
  }
}

// Particles at the stage that the last pass has written.
static weft__particles particles_at(const weft__runge_kutta* method, const weft__particles* p,
                                    uint32_t stage) {
  weft__particles now = *p;
  if (stage == 0) return now;
  const weft__axis_columns* pos = &method->stage_pos[(stage - 1) % 2];
  const weft__axis_columns* vel = &method->stage_vel[(stage - 1) % 2];
  now.pos_x = pos->x;
  now.pos_y = pos->y;
  now.pos_z = pos->z;
  now.vel_x = vel->x;
  now.vel_y = vel->y;
  now.vel_z = vel->z;
  return now;
}

void weft__runge_kutta_evaluate(const weft__runge_kutta* method, const weft__step_context* step) {
  for (uint32_t stage = 0; stage < STAGES; ++stage) {
    stage_args t = {.method = method,
                    .step = step,
                    .now = particles_at(method, step->particles, stage),
                    .stage = stage};
    weft__pair_forces_update(method->pair_forces, &t.now, step);
    weft__step_for_patches(step, take_stage, &t);
  }
}
