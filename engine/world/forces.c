/* External forces on particles, wind, and the faces that it acts on. */
#include <math.h>

#include "base/float_mode.h"
#include "world/ranges.h"
#include "world/world.h"

#define COOKIE 0x317dcafeu
#define MAX_GUST 10.0f

// ---- forces ----

// Checks the sums with earlier forces, which are limited as well.
static weft_result check_sums(const weft__array* forces, const float* const columns[3],
                              const uint32_t* solver_of, uint32_t count) {
  for (uint32_t n = 0; n < count; ++n) {
    for (int axis = 0; axis < 3; ++axis) {
      const float sum = columns[axis][solver_of[n]] + weft__array_at(forces, n)[axis];
      if (fabsf(sum) > WEFT_MAX_MAGNITUDE) return weft__fail_at(WEFT_ERROR_RANGE, forces->field, n);
    }
  }
  return weft__ok();
}

static weft_result add_forces(weft_world* world, uint32_t first, uint32_t count,
                              const float* forces, size_t stride) {
  const weft__array array = {forces, stride, 3, "forces"};
  WEFT__TRY(weft__check_vectors(world, first, count, &array));
  if (count == 0) return weft__ok();
  weft__particles* particles = &world->stepper.particles;
  WEFT__FAIL_IF(!weft__particles_add_forces(particles), WEFT_ERROR_OUT_OF_MEMORY, "world");
  const uint32_t* solver_of = world->stepper.schedule.solver_of + first;
  float* const columns[3] = {particles->force_x, particles->force_y, particles->force_z};
  WEFT__TRY(check_sums(&array, (const float* const*)columns, solver_of, count));
  weft__wake_range(world, first, count);
  for (uint32_t n = 0; n < count; ++n) {
    for (int axis = 0; axis < 3; ++axis) {
      columns[axis][solver_of[n]] += weft__array_at(&array, n)[axis];
    }
  }
  world->stepper.forces.has_added = true;
  return weft__ok();
}

weft_result weft_world_add_forces(weft_world* world, uint32_t first, uint32_t count,
                                  const float* forces, size_t stride) {
  WEFT__RETURN_COMPUTED(add_forces, world, first, count, forces, stride);
}

// ---- wind ----

weft_wind_def weft_default_wind_def(void) {
  return (weft_wind_def){.density = 1.2f,
                         .drag = 1.0f,
                         .gust_period = 1.0f,
                         .gust_size = 5.0f,
                         .seed = 1,
                         .cookie = COOKIE};
}

static weft_result check_above_zero(float value, const char* field) {
  WEFT__FAIL_IF(!isfinite(value), WEFT_ERROR_NOT_FINITE, field);
  WEFT__FAIL_IF(value <= 0.0f, WEFT_ERROR_RANGE, field);
  return weft__ok();
}

static weft_result check_not_below_zero(float value, const char* field) {
  WEFT__FAIL_IF(!isfinite(value), WEFT_ERROR_NOT_FINITE, field);
  WEFT__FAIL_IF(value < 0.0f, WEFT_ERROR_RANGE, field);
  return weft__ok();
}

static weft_result check_wind(const weft_wind_def* wind) {
  WEFT__FAIL_IF(wind->cookie != COOKIE, WEFT_ERROR_DEF, "weft_wind_def");
  WEFT__TRY(weft__check_magnitude(wind->velocity, 3, 1, "weft_wind_def.velocity"));
  WEFT__TRY(check_not_below_zero(wind->density, "weft_wind_def.density"));
  WEFT__TRY(check_not_below_zero(wind->drag, "weft_wind_def.drag"));
  WEFT__TRY(weft__check_range(wind->gust, 0.0f, MAX_GUST, "weft_wind_def.gust"));
  WEFT__TRY(check_above_zero(wind->gust_period, "weft_wind_def.gust_period"));
  return check_above_zero(wind->gust_size, "weft_wind_def.gust_size");
}

static void set_air(weft__wind* air, const weft_wind_def* wind) {
  air->is_there = wind != NULL;
  if (wind != NULL) air->wind = *wind;
}

weft_result weft__set_winds(weft_world* world, uint32_t first, uint32_t count,
                            const weft_wind_def* wind) {
  weft__forces* forces = &world->stepper.forces;
  const bool is_all = count == forces->environment_count;
  if (wind != NULL) {
    WEFT__TRY(check_wind(wind));
    WEFT__FAIL_IF(!forces->has_faces, WEFT_ERROR_DISABLED, "weft_world_def.faces");
    WEFT__FAIL_IF(!weft__particles_add_forces(&world->stepper.particles), WEFT_ERROR_OUT_OF_MEMORY,
                  "world");
  }
  WEFT__FAIL_IF(!is_all && !weft__forces_add_airs(forces), WEFT_ERROR_OUT_OF_MEMORY, "world");
  weft__sleep_wake_all(&world->stepper);
  if (is_all) set_air(&forces->air, wind);
  if (forces->airs == NULL) return weft__ok();
  for (uint32_t e = first; e < first + count; ++e) set_air(&forces->airs[e], wind);
  forces->air.is_there = false;
  for (uint32_t e = 0; e < forces->environment_count; ++e) {
    forces->air.is_there |= forces->airs[e].is_there;
  }
  return weft__ok();
}

static weft_result set_wind(weft_world* world, const weft_wind_def* wind) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  return weft__set_winds(world, 0, world->stepper.schedule.environment_count, wind);
}

weft_result weft_world_set_wind(weft_world* world, const weft_wind_def* wind) {
  WEFT__RETURN_COMPUTED(set_wind, world, wind);
}

// ---- faces ----

weft_result weft_world_get_faces(const weft_world* world, uint32_t capacity, uint32_t* triangles,
                                 uint32_t* count) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(triangles == NULL && capacity > 0, WEFT_ERROR_NULL, "triangles");
  WEFT__FAIL_IF(count == NULL, WEFT_ERROR_NULL, "count");
  const weft__stepper* stepper = &world->stepper;
  WEFT__FAIL_IF(!stepper->forces.has_faces, WEFT_ERROR_DISABLED, "weft_world_def.faces");
  const weft__faces* faces = &stepper->forces.faces;
  uint32_t listed = 0;
  for (uint32_t f = 0; f < faces->count; ++f) {
    if (weft__face_is_torn(faces, &stepper->schedule, f)) continue;
    if (listed < capacity) {
      for (int k = 0; k < 3; ++k) {
        triangles[3 * (size_t)listed + (size_t)k] = stepper->schedule.user_of[faces->corner[f][k]];
      }
    }
    ++listed;
  }
  *count = listed;
  return weft__ok();
}
