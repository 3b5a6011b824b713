/* Particles: placing, pinning, moving. */
#include <math.h>

#include "base/float_mode.h"
#include "world/ranges.h"
#include "world/world.h"

// ---- state ----

// Moves a particle and preserves its displacement per substep, up to rounding.
static void move_axis(const weft__axis* column, uint32_t i, float position) {
  const float moved = column->pos[i] - column->prev[i];
  column->pos[i] = position;
  column->prev[i] = position - moved;
}

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

static weft_result set_positions(weft_world* world, uint32_t first, uint32_t count,
                                 const float* positions, size_t stride) {
  const weft__array array = {positions, stride, 3, "positions"};
  WEFT__TRY(weft__check_vectors(world, first, count, &array));
  if (count == 0) return weft__ok();
  const uint32_t* solver_of = world->stepper.schedule.solver_of + first;
  weft__disturb_range(world, first, count);
  for (int axis = 0; axis < 3; ++axis) {
    const weft__axis column = weft__particles_axis(&world->stepper.particles, axis);
    for (uint32_t n = 0; n < count; ++n) {
      move_axis(&column, solver_of[n], weft__array_at(&array, n)[axis]);
    }
  }
  for (uint32_t n = 0; n < count; ++n) {
    update_grip_offset(world, solver_of[n], weft__array_at(&array, n));
  }
  world->changes += 1;
  return weft__ok();
}

weft_result weft_world_set_positions(weft_world* world, uint32_t first, uint32_t count,
                                     const float* positions, size_t stride) {
  WEFT__RETURN_COMPUTED(set_positions, world, first, count, positions, stride);
}

static weft_result set_velocities(weft_world* world, uint32_t first, uint32_t count,
                                  const float* velocities, size_t stride) {
  const weft__array array = {velocities, stride, 3, "velocities"};
  WEFT__TRY(weft__check_vectors(world, first, count, &array));
  const weft__particles* particles = &world->stepper.particles;
  const uint32_t* solver_of = world->stepper.schedule.solver_of + first;
  const float h = (float)weft__last_substep(world);
  weft__wake_range(world, first, count);
  for (uint32_t n = 0; n < count; ++n) {
    const uint32_t i = solver_of[n];
    const float position[3] = {particles->pos_x[i], particles->pos_y[i], particles->pos_z[i]};
    weft__particles_set_state(particles, i, position, weft__array_at(&array, n), h);
  }
  return weft__ok();
}

weft_result weft_world_set_velocities(weft_world* world, uint32_t first, uint32_t count,
                                      const float* velocities, size_t stride) {
  WEFT__RETURN_COMPUTED(set_velocities, world, first, count, velocities, stride);
}

// ---- pins ----

static void set_inverse_mass(weft__stepper* stepper, uint32_t i, float inverse_mass) {
  if (weft__reserve_is_free(&stepper->particles.reserve, stepper->schedule.user_of[i])) return;
  weft__held* held = weft__grips_find(&stepper->grips, i);
  if (held != NULL) {
    held->inv_mass = inverse_mass;
    return;
  }
  stepper->particles.inv_mass[i] = inverse_mass;
  stepper->weighed = false;
  if (inverse_mass > 0.0f) {
    weft__moves_cancel(&stepper->moves, i);
  } else {
    // clears the velocity: otherwise a later change of mass would release it
    weft__particles_stop(&stepper->particles, i);
  }
}

static weft_result set_inverse_masses(weft_world* world, uint32_t first, uint32_t count,
                                      const float* inverse_masses, size_t stride) {
  const weft__array array = {inverse_masses, stride, 1, "inverse_masses"};
  WEFT__TRY(weft__check_array(world, first, count, &array));
  for (uint32_t n = 0; n < count; ++n) {
    const weft_error error = weft__check_inverse_mass(*weft__array_at(&array, n));
    if (error != WEFT_OK) return weft__fail_at(error, array.field, n);
  }
  const uint32_t* solver_of = world->stepper.schedule.solver_of + first;
  weft__wake_range(world, first, count);
  for (uint32_t n = 0; n < count; ++n) {
    set_inverse_mass(&world->stepper, solver_of[n], *weft__array_at(&array, n));
  }
  return weft__ok();
}

weft_result weft_world_set_inverse_masses(weft_world* world, uint32_t first, uint32_t count,
                                          const float* inverse_masses, size_t stride) {
  WEFT__RETURN_COMPUTED(set_inverse_masses, world, first, count, inverse_masses, stride);
}

weft_result weft_world_move_particles(weft_world* world, uint32_t first, uint32_t count,
                                      const float* targets, size_t stride) {
  const weft__array array = {targets, stride, 3, "targets"};
  WEFT__TRY(weft__check_vectors(world, first, count, &array));
  weft__stepper* stepper = &world->stepper;
  const uint32_t* solver_of = stepper->schedule.solver_of + first;
  for (uint32_t n = 0; n < count; ++n) {
    const bool is_held = weft__grips_find(&stepper->grips, solver_of[n]) != NULL;
    const bool is_pinned = !is_held && weft__inverse_mass_of(world, solver_of[n]) == 0.0f;
    if (!is_pinned) return weft__fail_at(WEFT_ERROR_RANGE, "first", n);
  }
  const uint32_t total = stepper->particles.count;
  WEFT__FAIL_IF(count > 0 && !weft__moves_reserve(&stepper->moves, total, count),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  for (uint32_t n = 0; n < count; ++n) {
    (void)weft__moves_set(&stepper->moves, total, solver_of[n], weft__array_at(&array, n));
  }
  return weft__ok();
}

// ---- bodies ----

static bool can_shift(const weft__axis* column, uint32_t i, float offset) {
  float position = column->pos[i];
  float previous = column->prev[i];
  const weft__axis copy = {&position, &previous};
  move_axis(&copy, 0, position + offset);
  return fabsf(position) <= WEFT_MAX_MAGNITUDE;
}

static weft_result shift_body(weft_world* world, const weft_body* body, const float* offset) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(body == NULL, WEFT_ERROR_NULL, "body");
  WEFT__FAIL_IF(offset == NULL, WEFT_ERROR_NULL, "offset");
  WEFT__TRY(weft__check_magnitude(offset, 3, 1, "offset"));
  WEFT__TRY(weft__check_plane(world, offset, "offset"));
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
  weft__disturb_range(world, body->first_particle, body->particle_count);
  for (int axis = 0; axis < 3; ++axis) {
    const weft__axis column = weft__particles_axis(particles, axis);
    for (uint32_t user = body->first_particle; user < end; ++user) {
      move_axis(&column, solver_of[user], column.pos[solver_of[user]] + offset[axis]);
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
