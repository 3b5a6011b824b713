/* Particles: placing, pinning, moving. */
#include <math.h>

#include "base/float_mode.h"
#include "world/world.h"

// Sets the offset of a held particle from its pointer to its new position.
static void update_grip_offset(weft_world* world, uint32_t i, const float position[3]) {
  weft__grips* grips = &world->stepper.grips;
  weft__held* held = weft__grips_find(grips, i);
  if (held == NULL) return;
  const float* pointer = grips->grips[held->grip].position;
  for (int axis = 0; axis < 3; ++axis) {
    held->offset[axis] = (double)position[axis] - (double)pointer[axis];
  }
  weft__moves_cancel(&world->stepper.moves, i);
}

static weft_result set_particle(weft_world* world, uint32_t particle, const float* position,
                                const float* velocity) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(position == NULL, WEFT_ERROR_NULL, "position");
  weft__particles* particles = &world->stepper.particles;
  WEFT__FAIL_IF(particle >= particles->count, WEFT_ERROR_INDEX, "particle");
  const float h = (float)weft__last_substep(world);
  static const float still[3] = {0.0f, 0.0f, 0.0f};
  const float* start = velocity == NULL ? still : velocity;
  WEFT__TRY(weft__check_magnitude(position, 3, 1, "position"));
  WEFT__TRY(weft__check_magnitude(start, 3, 1, "velocity"));
  const uint32_t i = world->stepper.schedule.solver_of[particle];
  weft__particles_set_state(particles, i, position, start, h);
  update_grip_offset(world, i, position);
  world->changes += 1;
  return weft__ok();
}

weft_result weft_world_set_particle(weft_world* world, uint32_t particle, const float* position,
                                    const float* velocity) {
  WEFT__RETURN_COMPUTED(set_particle, world, particle, position, velocity);
}

static weft_result set_inverse_mass(weft_world* world, uint32_t particle, float inverse_mass) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  weft__particles* particles = &world->stepper.particles;
  WEFT__FAIL_IF(particle >= particles->count, WEFT_ERROR_INDEX, "particle");
  const weft_error error = weft__check_inverse_mass(inverse_mass);
  WEFT__FAIL_IF(error != WEFT_OK, error, "inverse_mass");
  const uint32_t i = world->stepper.schedule.solver_of[particle];
  weft__held* held = weft__grips_find(&world->stepper.grips, i);
  if (held != NULL) {
    held->inv_mass = inverse_mass;
    return weft__ok();
  }
  particles->inv_mass[i] = inverse_mass;
  world->stepper.weighed = false;
  if (inverse_mass > 0.0f) {
    weft__moves_cancel(&world->stepper.moves, i);
    return weft__ok();
  }
  // clears the velocity: otherwise a later change of mass would release it
  weft__particles_stop(particles, i);
  return weft__ok();
}

weft_result weft_world_set_inverse_mass(weft_world* world, uint32_t particle, float inverse_mass) {
  WEFT__RETURN_COMPUTED(set_inverse_mass, world, particle, inverse_mass);
}

weft_result weft_world_move_particle(weft_world* world, uint32_t particle, const float* target) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(target == NULL, WEFT_ERROR_NULL, "target");
  weft__stepper* stepper = &world->stepper;
  WEFT__FAIL_IF(particle >= stepper->particles.count, WEFT_ERROR_INDEX, "particle");
  WEFT__TRY(weft__check_magnitude(target, 3, 1, "target"));
  const uint32_t i = stepper->schedule.solver_of[particle];
  const bool is_held = weft__grips_find(&stepper->grips, i) != NULL;
  WEFT__FAIL_IF(is_held || stepper->particles.inv_mass[i] > 0.0f, WEFT_ERROR_RANGE, "particle");
  WEFT__FAIL_IF(!weft__moves_set(&stepper->moves, stepper->particles.count, i, target),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  return weft__ok();
}

// ---- bodies ----

// Shifts a particle and preserves its displacement per substep, up to rounding.
static void shift_one(const weft__axis* column, uint32_t i, float offset) {
  const float moved = column->pos[i] - column->prev[i];
  column->pos[i] += offset;
  column->prev[i] = column->pos[i] - moved;
}

static bool can_shift(const weft__axis* column, uint32_t i, float offset) {
  float position = column->pos[i];
  float previous = column->prev[i];
  const weft__axis copy = {&position, &previous};
  shift_one(&copy, 0, offset);
  return fabsf(position) <= WEFT_MAX_MAGNITUDE;
}

static weft_result shift_body(weft_world* world, const weft_body* body, const float* offset) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(body == NULL, WEFT_ERROR_NULL, "body");
  WEFT__FAIL_IF(offset == NULL, WEFT_ERROR_NULL, "offset");
  WEFT__TRY(weft__check_magnitude(offset, 3, 1, "offset"));
  const weft__particles* particles = &world->stepper.particles;
  const uint64_t end = (uint64_t)body->first_particle + body->particle_count;
  WEFT__FAIL_IF(end > particles->count, WEFT_ERROR_INDEX, "body");
  const uint32_t* solver_of = world->stepper.schedule.solver_of;
  for (int axis = 0; axis < 3; ++axis) {
    const weft__axis column = weft__particles_axis(particles, axis);
    for (uint32_t user = body->first_particle; user < end; ++user) {
      if (can_shift(&column, solver_of[user], offset[axis])) continue;
      return weft__fail_at(WEFT_ERROR_RANGE, "offset", (uint64_t)axis);
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    const weft__axis column = weft__particles_axis(particles, axis);
    for (uint32_t user = body->first_particle; user < end; ++user) {
      shift_one(&column, solver_of[user], offset[axis]);
      weft__held* held = weft__grips_find(&world->stepper.grips, solver_of[user]);
      if (held != NULL) held->offset[axis] += (double)offset[axis];
    }
  }
  world->changes += 1;
  return weft__ok();
}

weft_result weft_world_shift_body(weft_world* world, const weft_body* body, const float* offset) {
  WEFT__RETURN_COMPUTED(shift_body, world, body, offset);
}
