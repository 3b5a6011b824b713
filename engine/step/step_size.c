#include "step/step_size.h"

#include "base/min_max.h"

#include <string.h>

// Fall of the length that constraints are solved for, per length of the substeps taken. A longer
// one makes the rise of a loose body, as it stiffens, slower.
#define DECAY (1.0 / 256.0)
// seconds: in a shorter substep the rounding of positions is a velocity of millimetres a second
#define SHORTEST (1.0 / 8192.0)

// e^-x for x >= 0 as (1 + x / 1024)^-1024: only operations with identical results on all machines.
static double decay(double x) {
  double value = 1.0 / (1.0 + x / 1024.0);
  for (int i = 0; i < 10; ++i) value *= value;
  return value;
}

weft__motion weft__step_size_motion(const weft__physics* physics) {
  const double h = physics->h;
  weft__motion motion = {.kept = (float)decay((double)physics->damping * h),
                         .step_squared = (float)(h * h)};
  for (int axis = 0; axis < 3; ++axis) {
    motion.displacement[axis] = (float)(physics->gravity[axis] * h * h);
    motion.reach[axis] = (float)(physics->max_speed[axis] * h);
  }
  return motion;
}

// Motion of a substep, also for the first substep of a new length.
static weft__motion motion_of(const weft__physics* physics, bool has_velocities) {
  weft__physics solved = *physics;
  // worlds with velocity columns integrate over the substep that is taken
  if (!has_velocities) solved.h = physics->solved_h;
  weft__motion motion = weft__step_size_motion(&solved);
  if (weft__step_size_is_constant(physics) || has_velocities) return motion;
  const double ratio = physics->solved_h / physics->last_h;
  motion.kept = (float)((double)motion.kept * ratio);
  motion.part_kept = (float)(decay((double)physics->damping * physics->h) * ratio);
  return motion;
}

static void set_environment(const weft__physics* physics, bool has_velocities,
                            weft__environment* environment) {
  weft__physics own = *physics;
  memcpy(own.gravity, environment->gravity, sizeof(own.gravity));
  own.damping = environment->damping;
  environment->motion = motion_of(&own, has_velocities);
}

void weft__step_size_set_environment(const weft__physics* physics, weft__environment* environment) {
  set_environment(physics, false, environment);
}

void weft__step_size_update_motion(weft__step_size* size) {
  const bool has_velocities = size->constraints.particles->velocity_block != NULL;
  *size->motion = motion_of(size->physics, has_velocities);
  for (uint32_t e = 0; e < size->constraints.schedule->environment_count; ++e)
    set_environment(size->physics, has_velocities, &size->environments[e]);
}

void weft__step_size_set_rate(weft__constraint_tables* tables, double inv_step_sq) {
  const float rate_squared = (float)inv_step_sq;
  tables->schedule->links.rate_squared = rate_squared;
  tables->schedule->hinges.rate_squared = rate_squared;
  tables->schedule->membranes.rate_squared = rate_squared;
  for (uint32_t l = 0; l < tables->levels->count; ++l) {
    tables->levels->levels[l].schedule.links.rate_squared = rate_squared;
  }
}

// Also the scale from multipliers of the last length to this one.
static void set_rate(weft__constraint_tables* tables, double inv_step_sq, double multiplier_scale) {
  weft__step_size_set_rate(tables, inv_step_sq);
  weft__stages_changed(tables->stages, &(weft__change){.kind = WEFT__CHANGE_RATE,
                                                       .inv_step_sq = inv_step_sq,
                                                       .multiplier_scale = multiplier_scale});
}

void weft__step_size_apply(weft__step_size* size) {
  const weft__physics* physics = size->physics;
  const double inv_step_sq = weft__inv_step_sq(physics);
  set_rate(&size->constraints, inv_step_sq, weft__inv_square(physics->last_h) / inv_step_sq);
  weft__step_size_update_motion(size);
}

void weft__step_size_set(weft__step_size* size, double h) {
  size->physics->h = h;
  size->physics->solved_h = weft__max(h, size->physics->error_h);
  weft__step_size_apply(size);
}

bool weft__step_size_prepare(weft__partial_substeps* partial, const weft__particles* particles) {
  return particles->velocity_block != NULL ||
         weft__partial_substeps_prepare(partial, particles->count);
}

void weft__step_size_vary(weft__step_size* size, double h) {
  weft__step_size_hold(size->physics, SHORTEST);
  weft__step_size_set(size, h);
}

void weft__step_size_hold(weft__physics* physics, double h) {
  physics->error_h = weft__max(physics->error_h, h);
}

void weft__step_size_settle(weft__step_size* size) {
  weft__physics* physics = size->physics;
  if (physics->last_h == physics->solved_h) return;
  physics->last_h = physics->solved_h;
  set_rate(&size->constraints, weft__inv_step_sq(physics), 1.0);
  weft__step_size_update_motion(size);
}

void weft__step_size_end_step(weft__step_size* size, uint32_t substeps) {
  weft__physics* physics = size->physics;
  const double fallen = physics->error_h - DECAY * physics->h * (double)substeps;
  weft__step_size_settle(size);
  physics->taken_h = physics->h;
  physics->error_h = weft__step_size_is_constant(physics)
                         ? physics->h
                         : weft__max(physics->h, weft__max(fallen, SHORTEST));
}
