#include <math.h>
#include <string.h>

#include "base/pose.h"
#include "modules/spheres/rotation.h"
#include "world/attributes.h"
#include "world/ranges.h"

#define MAX_SPIN 1e6f
// tolerance of a quaternion's length
#define LENGTH_TOLERANCE 1e-3

// Checks that all particles of the selection turn, in a plane about z.
static weft_result check_turning(const weft__attribute_write* write) {
  const weft__selection* at = &write->at;
  WEFT__TRY(weft__check_array_magnitude(&write->array, at->count));
  for (uint32_t n = 0; n < at->count; ++n) {
    if (!weft__selects(at, n)) continue;
    const uint32_t i = weft__selected(at, n);
    if (!weft__particle_turns(&write->world->stepper.particles, i))
      return weft__fail_at_selected(write, WEFT_ERROR_RANGE, n);
    const float* element = weft__array_at(&write->array, n);
    if (write->world->def.plane && (element[0] != 0.0f || element[1] != 0.0f))
      return weft__fail_at(WEFT_ERROR_RANGE, "values", n);
  }
  return weft__ok();
}

// ---- orientations ----

static void get_orientation(const weft__attribute_read* read, uint32_t i, void* value) {
  const weft__particles* p = &read->world->stepper.particles;
  const bool turns = weft__particle_turns(p, i);
  float* orientation = value;
  for (int k = 0; k < 4; ++k) orientation[k] = turns ? p->turn[k][i] : k < 3 ? 0.0f : 1.0f;
}

static weft_result prepare_orientations(const weft__attribute_write* write) {
  WEFT__TRY(check_turning(write));
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    const float* turn = weft__array_at(&write->array, n);
    double sum = 0.0;
    for (int k = 0; k < 4; ++k) sum += (double)turn[k] * (double)turn[k];
    if (fabs(sqrt(sum) - 1.0) <= LENGTH_TOLERANCE) continue;
    return weft__fail_at(WEFT_ERROR_RANGE, "values", n);
  }
  return weft__ok();
}

static void set_orientations(weft__attribute_write* write) {
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    const float* given = weft__array_at(&write->array, n);
    double turn[4] = {(double)given[0], (double)given[1], (double)given[2], (double)given[3]};
    weft__rotation_normalise(turn);
    weft__particles_set_orientation(&write->world->stepper.particles, weft__selected(&write->at, n),
                                    turn);
  }
}

// ---- angular velocities ----

static void get_spin(const weft__attribute_read* read, uint32_t i, void* value) {
  const weft__particles* p = &read->world->stepper.particles;
  memset(value, 0, sizeof(float[3]));
  if (weft__particle_turns(p, i)) weft__load3(p->spin, i, value);
}

static void spin_after(const weft__attribute_write* write, uint32_t n, float spin[3]) {
  const float* given = weft__array_at(&write->array, n);
  weft__load3(write->world->stepper.particles.spin, weft__selected(&write->at, n), spin);
  for (int axis = 0; axis < 3; ++axis)
    spin[axis] = write->is_sum ? spin[axis] + given[axis] : given[axis];
}

static bool is_in_range(const float spin[3]) {
  return fabsf(spin[0]) <= MAX_SPIN && fabsf(spin[1]) <= MAX_SPIN && fabsf(spin[2]) <= MAX_SPIN;
}

static weft_result prepare_spins(const weft__attribute_write* write) {
  WEFT__TRY(check_turning(write));
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    float spin[3];
    spin_after(write, n, spin);
    if (!is_in_range(spin)) return weft__fail_at(WEFT_ERROR_RANGE, "values", n);
  }
  return weft__ok();
}

static void set_spins(weft__attribute_write* write) {
  weft__rouse_selected(write->world, &write->at, weft__wake_range);
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    float spin[3];
    spin_after(write, n, spin);
    weft__store3(write->world->stepper.particles.spin, weft__selected(&write->at, n), spin);
  }
}

const weft__attribute weft__rotation_attributes[] = {
    {
        .id = WEFT_ATTRIBUTE_ORIENTATION,
        .size = sizeof(float[4]),
        .item = sizeof(float),
        .get = get_orientation,
        .is_set = true,
        .prepare = prepare_orientations,
        .apply = set_orientations,
    },
    {
        .id = WEFT_ATTRIBUTE_ANGULAR_VELOCITY,
        .size = sizeof(float[3]),
        .item = sizeof(float),
        .get = get_spin,
        .is_set = true,
        .is_added = true,
        .prepare = prepare_spins,
        .apply = set_spins,
    },
    {.size = 0},
};
