#include "step/pace.h"

// e^-x for x >= 0, from operations that are the same everywhere: (1 + x / 1024)^-1024
static double decay(double x) {
  double value = 1.0 / (1.0 + x / 1024.0);
  for (int i = 0; i < 10; ++i) value *= value;
  return value;
}

weft__motion weft__motion_of(const weft__physics* physics) {
  const double h = physics->h;
  weft__motion motion = {.kept = (float)decay((double)physics->damping * h),
                         .step_squared = (float)(h * h)};
  for (int axis = 0; axis < 3; ++axis) {
    motion.displacement[axis] = (float)(physics->gravity[axis] * h * h);
    motion.reach[axis] = (float)(physics->max_speed[axis] * h);
  }
  return motion;
}

void weft__pace_set_motion(weft__stepper* stepper) {
  const weft__physics* physics = &stepper->physics;
  stepper->motion = weft__motion_of(physics);
  // where velocities have columns of their own, they are what they are
  if (weft__pace_is_even(stepper) || stepper->integrators.on) return;
  stepper->motion.kept = (float)((double)stepper->motion.kept * (physics->h / physics->last_h));
}

// for all links with a compliance
static void set_rate(weft__stepper* stepper, double inv_step_sq) {
  const float rate_squared = (float)inv_step_sq;
  stepper->schedule.rate_squared = rate_squared;
  stepper->schedule.hinges.rate_squared = rate_squared;
  for (uint32_t l = 0; l < stepper->levels.count; ++l) {
    stepper->levels.levels[l].schedule.rate_squared = rate_squared;
  }
  stepper->trees.inv_step_sq = inv_step_sq;
}

void weft__pace_set(weft__stepper* stepper, double h) {
  weft__physics* physics = &stepper->physics;
  physics->h = h;
  const double ratio = h / physics->last_h;
  // tension times the substep squared
  stepper->trees.multiplier_scale = ratio * ratio;
  set_rate(stepper, weft__inv_step_sq(stepper));
  weft__pace_set_motion(stepper);
}

void weft__pace_settle(weft__stepper* stepper) {
  if (weft__pace_is_even(stepper)) return;
  stepper->physics.last_h = stepper->physics.h;
  stepper->trees.multiplier_scale = 1.0;
  weft__pace_set_motion(stepper);
}
