#include <string.h>

#include "base/float_mode.h"
#include "world/ranges.h"
#include "world/world.h"

uint32_t weft_world_environment_count(const weft_world* world) {
  return world == NULL ? 0 : world->stepper.schedule.environment_count;
}

static weft_result check_range(const weft_world* world, uint32_t first, uint32_t count) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  return weft__check_elements(first, count, world->stepper.schedule.environment_count);
}

static weft_result check_values(const weft_world* world, uint32_t first, uint32_t count,
                                const weft__array* array) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  return weft__check_array_of(world, first, count, world->stepper.schedule.environment_count,
                              array);
}

// Steps that an environment has taken, from its clock and back.
static uint64_t switch_clock(const weft_world* world, const weft__environment* environment,
                             uint64_t clock) {
  return environment->is_paused ? clock : world->step_count - clock;
}

weft_result weft_world_get_environments(const weft_world* world, uint32_t first, uint32_t count,
                                        weft_environment* environments) {
  WEFT__TRY(check_range(world, first, count));
  WEFT__FAIL_IF(environments == NULL && count > 0, WEFT_ERROR_NULL, "environments");
  for (uint32_t n = 0; n < count; ++n) {
    const weft__environment* from = &world->stepper.environments[first + n];
    environments[n] = (weft_environment){
        .damping = from->damping,
        .is_paused = from->is_paused,
        .step_count = switch_clock(world, from, from->clock),
    };
    memcpy(environments[n].gravity, from->gravity, sizeof(from->gravity));
  }
  return weft__ok();
}

static weft_result set_gravity(weft_world* world, uint32_t first, uint32_t count,
                               const float* gravity, size_t stride) {
  const weft__array array = weft__array_of(gravity, stride, 3, "gravity");
  WEFT__TRY(check_values(world, first, count, &array));
  WEFT__TRY(weft__check_array_magnitude(&array, count));
  for (uint32_t n = 0; n < count; ++n) {
    const weft_result result = weft__check_plane(world, weft__array_at(&array, n), "gravity");
    if (result.error != WEFT_OK) return weft__fail_at(result.error, "gravity", n);
  }
  weft__stepper* stepper = &world->stepper;
  for (uint32_t n = 0; n < count; ++n) {
    memcpy(stepper->environments[first + n].gravity, weft__array_at(&array, n), sizeof(float[3]));
  }
  if (count > 0 && stepper->schedule.environment_count == 1) {
    memcpy(stepper->physics.gravity, gravity, sizeof(float[3]));
  }
  weft__update_motion(world);
  return weft__ok();
}

weft_result weft_world_set_environment_gravity(weft_world* world, uint32_t first, uint32_t count,
                                               const float* gravity, size_t stride) {
  WEFT__RETURN_COMPUTED(set_gravity, world, first, count, gravity, stride);
}

static weft_result set_damping(weft_world* world, uint32_t first, uint32_t count,
                               const float* damping, size_t stride) {
  const weft__array array = weft__array_of(damping, stride, 1, "damping");
  WEFT__TRY(check_values(world, first, count, &array));
  for (uint32_t n = 0; n < count; ++n) {
    const weft_result result = WEFT__CHECK_AS(world, damping, weft__array_at(&array, n), "damping");
    if (result.error != WEFT_OK) return weft__fail_at(result.error, "damping", n);
  }
  weft__stepper* stepper = &world->stepper;
  for (uint32_t n = 0; n < count; ++n) {
    stepper->environments[first + n].damping = *weft__array_at(&array, n);
  }
  if (count > 0 && stepper->schedule.environment_count == 1) stepper->physics.damping = *damping;
  weft__update_motion(world);
  return weft__ok();
}

weft_result weft_world_set_environment_damping(weft_world* world, uint32_t first, uint32_t count,
                                               const float* damping, size_t stride) {
  WEFT__RETURN_COMPUTED(set_damping, world, first, count, damping, stride);
}

static weft_result set_wind(weft_world* world, uint32_t first, uint32_t count,
                            const weft_wind_def* wind) {
  WEFT__TRY(check_range(world, first, count));
  return weft__set_winds(world, first, count, wind);
}

weft_result weft_world_set_environment_wind(weft_world* world, uint32_t first, uint32_t count,
                                            const weft_wind_def* wind) {
  WEFT__RETURN_COMPUTED(set_wind, world, first, count, wind);
}

weft_result weft_world_get_environment_wind(const weft_world* world, uint32_t environment,
                                            weft_wind_def* wind, bool* is_set) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(wind == NULL, WEFT_ERROR_NULL, "wind");
  WEFT__FAIL_IF(is_set == NULL, WEFT_ERROR_NULL, "is_set");
  WEFT__FAIL_IF(environment >= world->stepper.schedule.environment_count, WEFT_ERROR_INDEX,
                "environment");
  const weft__forces* forces = &world->stepper.forces;
  const weft__wind* air = forces->airs != NULL ? &forces->airs[environment] : &forces->air;
  *is_set = air->is_there;
  *wind = air->is_there ? air->wind : weft_default_wind_def();
  return weft__ok();
}

weft_result weft_world_pause_environments(weft_world* world, uint32_t first, uint32_t count,
                                          bool is_paused) {
  WEFT__TRY(check_range(world, first, count));
  weft__stepper* stepper = &world->stepper;
  WEFT__FAIL_IF(is_paused && stepper->settings.sleep_speed > 0.0f, WEFT_ERROR_DISABLED,
                "weft_world_def.sleep_speed");
  WEFT__FAIL_IF(
      is_paused && count > 0 && !weft__pause_prepare(&stepper->pause, stepper->particles.count),
      WEFT_ERROR_OUT_OF_MEMORY, "world");
  for (uint32_t n = 0; n < count; ++n) {
    weft__environment* own = &stepper->environments[first + n];
    if (own->is_paused == is_paused) continue;
    const uint64_t steps = switch_clock(world, own, own->clock);
    own->is_paused = is_paused;
    own->clock = switch_clock(world, own, steps);
    stepper->pause.count += is_paused ? 1u : UINT32_MAX;
    // a pause changes masses, and pairs of pinned bodies are not listed
    stepper->weighed = false;
    weft__stages_changed(&stepper->stages, &(weft__change){.kind = WEFT__CHANGE_PAIRS});
  }
  return weft__ok();
}

weft_result weft_world_set_environment_step_count(weft_world* world, uint32_t first, uint32_t count,
                                                  uint64_t step_count) {
  WEFT__TRY(check_range(world, first, count));
  for (uint32_t n = 0; n < count; ++n) {
    weft__environment* own = &world->stepper.environments[first + n];
    own->clock = switch_clock(world, own, step_count);
  }
  return weft__ok();
}
