#include <math.h>

#include "base/float_mode.h"
#include "base/pose.h"
#include "world/ranges.h"
#include "world/world.h"

#define MAX_SPIN 1e6f
// tolerance of a quaternion's length
#define LENGTH_TOLERANCE 1e-3

// Checks the array, and that all particles of the range turn.
static weft_result check_turning(const weft_world* world, uint32_t first, uint32_t count,
                                 const weft__array* array) {
  WEFT__TRY(weft__check_array(world, first, count, array));
  WEFT__TRY(weft__check_array_magnitude(array, count));
  const uint32_t* solver_of = world->stepper.schedule.solver_of + first;
  for (uint32_t n = 0; n < count; ++n) {
    if (!weft__particle_turns(&world->stepper.particles, solver_of[n])) {
      return weft__fail_at(WEFT_ERROR_RANGE, "first", n);
    }
  }
  // rotations in a plane are about z
  for (uint32_t n = 0; n < count && world->def.plane; ++n) {
    const float* element = weft__array_at(array, n);
    if (element[0] != 0.0f || element[1] != 0.0f) {
      return weft__fail_at(WEFT_ERROR_RANGE, array->field, n);
    }
  }
  return weft__ok();
}

static bool is_in_range(const float spin[3]) {
  return fabsf(spin[0]) <= MAX_SPIN && fabsf(spin[1]) <= MAX_SPIN && fabsf(spin[2]) <= MAX_SPIN;
}

static void spin_after(const weft_world* world, uint32_t i, const float* impulse, float spin[3]) {
  const weft__particles* p = &world->stepper.particles;
  const double radius = (double)p->roll_radius[i];
  const double inv_mass = (double)weft__inverse_mass_of(world, i);
  const double inv_inertia = inv_mass * (double)p->roll_factor[i] / (radius * radius);
  for (int axis = 0; axis < 3; ++axis) {
    spin[axis] = (float)((double)p->spin[axis][i] + inv_inertia * (double)impulse[axis]);
  }
}

static weft_result set_angular_velocities(weft_world* world, uint32_t first, uint32_t count,
                                          const float* angular_velocities, size_t stride) {
  const weft__array array = {angular_velocities, stride, 3, "angular_velocities"};
  WEFT__TRY(check_turning(world, first, count, &array));
  for (uint32_t n = 0; n < count; ++n) {
    if (is_in_range(weft__array_at(&array, n))) continue;
    return weft__fail_at(WEFT_ERROR_RANGE, array.field, n);
  }
  const uint32_t* solver_of = world->stepper.schedule.solver_of + first;
  weft__wake_range(world, first, count);
  for (uint32_t n = 0; n < count; ++n) {
    weft__store3(world->stepper.particles.spin, solver_of[n], weft__array_at(&array, n));
  }
  return weft__ok();
}

weft_result weft_world_set_angular_velocities(weft_world* world, uint32_t first, uint32_t count,
                                              const float* angular_velocities, size_t stride) {
  WEFT__RETURN_COMPUTED(set_angular_velocities, world, first, count, angular_velocities, stride);
}

static weft_result apply_angular_impulses(weft_world* world, uint32_t first, uint32_t count,
                                          const float* impulses, size_t stride) {
  const weft__array array = {impulses, stride, 3, "impulses"};
  WEFT__TRY(check_turning(world, first, count, &array));
  weft__particles* particles = &world->stepper.particles;
  const uint32_t* solver_of = world->stepper.schedule.solver_of + first;
  float spin[3];
  for (uint32_t n = 0; n < count; ++n) {
    spin_after(world, solver_of[n], weft__array_at(&array, n), spin);
    if (!is_in_range(spin)) return weft__fail_at(WEFT_ERROR_RANGE, array.field, n);
  }
  weft__wake_range(world, first, count);
  for (uint32_t n = 0; n < count; ++n) {
    spin_after(world, solver_of[n], weft__array_at(&array, n), spin);
    weft__store3(particles->spin, solver_of[n], spin);
  }
  return weft__ok();
}

weft_result weft_world_apply_angular_impulses(weft_world* world, uint32_t first, uint32_t count,
                                              const float* impulses, size_t stride) {
  WEFT__RETURN_COMPUTED(apply_angular_impulses, world, first, count, impulses, stride);
}

static weft_result set_orientations(weft_world* world, uint32_t first, uint32_t count,
                                    const float* orientations, size_t stride) {
  const weft__array array = {orientations, stride, 4, "orientations"};
  WEFT__TRY(check_turning(world, first, count, &array));
  for (uint32_t n = 0; n < count; ++n) {
    const float* turn = weft__array_at(&array, n);
    double sum = 0.0;
    for (int k = 0; k < 4; ++k) sum += (double)turn[k] * (double)turn[k];
    if (fabs(sqrt(sum) - 1.0) <= LENGTH_TOLERANCE) continue;
    return weft__fail_at(WEFT_ERROR_RANGE, array.field, n);
  }
  weft__particles* p = &world->stepper.particles;
  const uint32_t* solver_of = world->stepper.schedule.solver_of + first;
  for (uint32_t n = 0; n < count; ++n) {
    const float* given = weft__array_at(&array, n);
    double turn[4] = {(double)given[0], (double)given[1], (double)given[2], (double)given[3]};
    weft__rotation_normalise(turn);
    weft__particles_set_orientation(p, solver_of[n], turn);
  }
  return weft__ok();
}

weft_result weft_world_set_orientations(weft_world* world, uint32_t first, uint32_t count,
                                        const float* orientations, size_t stride) {
  WEFT__RETURN_COMPUTED(set_orientations, world, first, count, orientations, stride);
}

weft_result weft_world_get_orientations(const weft_world* world, uint32_t first, uint32_t count,
                                        float* orientations) {
  WEFT__TRY(weft__check_particles_read(world, first, count, orientations, "orientations"));
  const weft__particles* p = &world->stepper.particles;
  for (uint32_t user = first; user < first + count; ++user, orientations += 4) {
    const uint32_t i = world->stepper.schedule.solver_of[user];
    const bool turns = weft__particle_turns(p, i);
    for (int k = 0; k < 4; ++k) orientations[k] = turns ? p->turn[k][i] : k < 3 ? 0.0f : 1.0f;
  }
  return weft__ok();
}

weft_result weft_world_get_angular_velocities(const weft_world* world, uint32_t first,
                                              uint32_t count, float* angular_velocities) {
  WEFT__TRY(
      weft__check_particles_read(world, first, count, angular_velocities, "angular_velocities"));
  const weft__particles* p = &world->stepper.particles;
  for (uint32_t user = first; user < first + count; ++user, angular_velocities += 3) {
    const uint32_t i = world->stepper.schedule.solver_of[user];
    const bool turns = weft__particle_turns(p, i);
    for (int axis = 0; axis < 3; ++axis) angular_velocities[axis] = turns ? p->spin[axis][i] : 0.0f;
  }
  return weft__ok();
}
