/* Particles that are moved, pinned and freed by hand. */
#include <math.h>

#include "base/float_mode.h"
#include "world/world.h"

static weft_result set_particle(weft_world* world, uint32_t particle, const float* position,
                                const float* velocity) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(position == NULL, WEFT_ERROR_NULL, "position");
  weft__particles* particles = &world->stepper.particles;
  WEFT__FAIL_IF(particle >= particles->count, WEFT_ERROR_INDEX, "particle");
  const float h = (float)weft__substep_seconds(world);
  float previous[3];
  for (uint64_t axis = 0; axis < 3; ++axis) {
    if (!isfinite(position[axis])) {
      return weft__fail_at(WEFT_ERROR_NOT_FINITE, "position", axis);
    }
    previous[axis] = position[axis] - (velocity == NULL ? 0.0f : velocity[axis] * h);
    if (!isfinite(previous[axis])) {
      return weft__fail_at(WEFT_ERROR_NOT_FINITE, "velocity", axis);
    }
  }
  const uint32_t i = world->stepper.schedule.solver_of[particle];
  particles->pos_x[i] = position[0];
  particles->pos_y[i] = position[1];
  particles->pos_z[i] = position[2];
  particles->prev_x[i] = previous[0];
  particles->prev_y[i] = previous[1];
  particles->prev_z[i] = previous[2];
  return weft__ok();
}

weft_result weft_world_set_particle(weft_world* world, uint32_t particle, const float* position,
                                    const float* velocity) {
  const weft__float_mode mode = weft__float_mode_enter();
  const weft_result result = set_particle(world, particle, position, velocity);
  weft__float_mode_leave(&mode);
  return result;
}

weft_result weft_world_set_inverse_mass(weft_world* world, uint32_t particle, float inverse_mass) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  weft__particles* particles = &world->stepper.particles;
  WEFT__FAIL_IF(particle >= particles->count, WEFT_ERROR_INDEX, "particle");
  const weft_error error = weft__check_inverse_mass(inverse_mass);
  WEFT__FAIL_IF(error != WEFT_OK, error, "inverse_mass");
  const uint32_t i = world->stepper.schedule.solver_of[particle];
  particles->inv_mass[i] = inverse_mass;
  world->stepper.weighed = false;
  if (inverse_mass > 0.0f) return weft__ok();
  // pinned where it is: without this, unpinning it later would set free the velocity it has now
  particles->prev_x[i] = particles->pos_x[i];
  particles->prev_y[i] = particles->pos_y[i];
  particles->prev_z[i] = particles->pos_z[i];
  return weft__ok();
}
