#include "step/step_size.h"

#include "base/min_max.h"

#include <string.h>

// Fall of the length that constraints are solved for, per length of the substeps that are taken.
// A loose body rises as it stiffens: a longer fall makes that slower.
#define DECAY (1.0 / 256.0)
// Seconds: in a shorter substep the rounding of positions is a velocity of millimetres a second.
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
static weft__motion motion_of(const weft__stepper* stepper, const weft__physics* physics) {
  const bool has_velocities = stepper->particles.velocity_block != NULL;
  weft__physics solved = *physics;
  // worlds with velocity columns integrate over the substep that is taken
  if (!has_velocities) solved.h = physics->solved_h;
  weft__motion motion = weft__step_size_motion(&solved);
  if (weft__step_size_is_constant(stepper) || has_velocities) return motion;
  const double ratio = physics->solved_h / physics->last_h;
  motion.kept = (float)((double)motion.kept * ratio);
  motion.part_kept = (float)(decay((double)physics->damping * physics->h) * ratio);
  return motion;
}

void weft__step_size_update_motion(weft__stepper* stepper) {
  stepper->motion = motion_of(stepper, &stepper->physics);
  for (uint32_t e = 0; e < stepper->schedule.environment_count; ++e) {
    weft__environment* own = &stepper->environments[e];
    weft__physics physics = stepper->physics;
    memcpy(physics.gravity, own->gravity, sizeof(physics.gravity));
    physics.damping = own->damping;
    own->motion = motion_of(stepper, &physics);
  }
}

// Sets the force over the multiplier for all compliant links, and the multipliers of this length
// over those of the last one.
static void set_rate(weft__stepper* stepper, double multiplier_scale) {
  const double inv_step_sq = weft__inv_step_sq(stepper);
  const float rate_squared = (float)inv_step_sq;
  stepper->schedule.links.rate_squared = rate_squared;
  stepper->schedule.hinges.rate_squared = rate_squared;
  stepper->schedule.membranes.rate_squared = rate_squared;
  for (uint32_t l = 0; l < stepper->levels.count; ++l) {
    stepper->levels.levels[l].schedule.links.rate_squared = rate_squared;
  }
  weft__stages_changed(&stepper->stages, &(weft__change){.kind = WEFT__CHANGE_RATE,
                                                         .inv_step_sq = inv_step_sq,
                                                         .multiplier_scale = multiplier_scale});
}

void weft__step_size_set(weft__stepper* stepper, double h) {
  weft__physics* physics = &stepper->physics;
  physics->h = h;
  physics->solved_h = weft__max(h, physics->error_h);
  // multipliers are tension times h^2
  set_rate(stepper, weft__inv_square(physics->last_h) / weft__inv_step_sq(stepper));
  weft__step_size_update_motion(stepper);
}

bool weft__step_size_prepare(weft__stepper* stepper) {
  return stepper->particles.velocity_block != NULL ||
         weft__partial_substeps_prepare(&stepper->partial, stepper->particles.count);
}

void weft__step_size_vary(weft__stepper* stepper, double h) {
  weft__step_size_hold(stepper, SHORTEST);
  weft__step_size_set(stepper, h);
}

void weft__step_size_hold(weft__stepper* stepper, double h) {
  stepper->physics.error_h = weft__max(stepper->physics.error_h, h);
}

void weft__step_size_settle(weft__stepper* stepper) {
  if (stepper->physics.last_h == stepper->physics.solved_h) return;
  stepper->physics.last_h = stepper->physics.solved_h;
  set_rate(stepper, 1.0);
  weft__step_size_update_motion(stepper);
}

void weft__step_size_end_step(weft__stepper* stepper) {
  weft__physics* physics = &stepper->physics;
  const double fallen = physics->error_h - DECAY * physics->h * (double)stepper->settings.substeps;
  weft__step_size_settle(stepper);
  physics->taken_h = physics->h;
  physics->error_h = weft__step_size_is_constant(stepper)
                         ? physics->h
                         : weft__max(physics->h, weft__max(fallen, SHORTEST));
}
