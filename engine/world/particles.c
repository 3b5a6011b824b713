#include <math.h>

#include "base/float_mode.h"
#include "world/world.h"

static weft_result shift_body(weft_world* world, const weft_body* body, const float* offset) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(body == NULL, WEFT_ERROR_NULL, "body");
  WEFT__FAIL_IF(offset == NULL, WEFT_ERROR_NULL, "offset");
  WEFT__TRY(weft__check_magnitude(offset, 3, 1, "offset"));
  WEFT__TRY(weft__check_plane(world, offset, "offset"));
  weft__particles* particles = &world->stepper.particles;
  const uint64_t end = (uint64_t)body->first_particle + body->particle_count;
  WEFT__FAIL_IF(end > particles->count, WEFT_ERROR_INDEX, "body");
  const uint32_t* solver_of = world->stepper.schedule.solver_of;
  for (int axis = 0; axis < 3; ++axis) {
    for (uint32_t user = body->first_particle; user < end; ++user) {
      if (fabsf(particles->pos[axis][solver_of[user]] + offset[axis]) <= WEFT_MAX_MAGNITUDE)
        continue;
      return weft__fail_at(WEFT_ERROR_RANGE, "offset", (uint64_t)axis);
    }
  }
  weft__disturb_range(world, body->first_particle, body->particle_count);
  for (int axis = 0; axis < 3; ++axis) {
    for (uint32_t user = body->first_particle; user < end; ++user) {
      const uint32_t i = solver_of[user];
      weft__particles_move(particles, axis, i, particles->pos[axis][i] + offset[axis]);
      weft__held* held = weft__grips_find(&world->stepper.grips, i);
      if (held != NULL) held->offset[axis] += (double)offset[axis];
    }
  }
  world->changes += 1;
  return weft__ok();
}

weft_result weft_world_shift_body(weft_world* world, const weft_body* body, const float* offset) {
  WEFT__RETURN_COMPUTED(shift_body, world, body, offset);
}
