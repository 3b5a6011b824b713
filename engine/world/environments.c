#include <string.h>

#include "base/float_mode.h"
#include "world/attributes.h"
#include "world/ranges.h"

uint32_t weft_world_environment_count(const weft_world* world) {
  return world == NULL ? 0 : world->stepper.schedule.environment_count;
}

static weft__environment* environment_at(const weft__attribute_write* write, uint32_t n) {
  return &write->world->stepper.environments[weft__selected(&write->at, n)];
}

// A world of one environment has its motion in the physics, too.
static void update_motion(weft_world* world) {
  weft__stepper* stepper = &world->stepper;
  if (stepper->schedule.environment_count == 1) {
    memcpy(stepper->physics.gravity, stepper->environments[0].gravity, sizeof(float[3]));
    stepper->physics.damping = stepper->environments[0].damping;
  }
  weft__update_motion(world);
}

// ---- gravity and damping ----

static void get_gravity(const weft__attribute_read* read, uint32_t e, void* value) {
  memcpy(value, read->world->stepper.environments[e].gravity, sizeof(float[3]));
}

static weft_result prepare_gravity(const weft__attribute_write* write) {
  return weft__check_vectors(write->world, &write->array, write->at.count);
}

static void set_gravity(weft__attribute_write* write) {
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    memcpy(environment_at(write, n)->gravity, weft__array_at(&write->array, n), sizeof(float[3]));
  }
  update_motion(write->world);
}

static void get_damping(const weft__attribute_read* read, uint32_t e, void* value) {
  memcpy(value, &read->world->stepper.environments[e].damping, sizeof(float));
}

static weft_result prepare_damping(const weft__attribute_write* write) {
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    const float* damping = weft__array_at(&write->array, n);
    const weft_result result = WEFT__CHECK_AS(world, damping, damping, "values");
    if (result.error != WEFT_OK) return weft__fail_at(result.error, "values", n);
  }
  return weft__ok();
}

static void set_damping(weft__attribute_write* write) {
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    environment_at(write, n)->damping = *weft__array_at(&write->array, n);
  }
  update_motion(write->world);
}

// ---- pauses and clocks ----

// Steps that an environment has taken, from its clock and back.
static uint64_t switch_clock(const weft_world* world, const weft__environment* environment,
                             uint64_t clock) {
  return environment->is_paused ? clock : world->step_count - clock;
}

static void get_paused(const weft__attribute_read* read, uint32_t e, void* value) {
  memcpy(value, &read->world->stepper.environments[e].is_paused, sizeof(bool));
}

static weft_result prepare_pauses(const weft__attribute_write* write) {
  weft__stepper* stepper = &write->world->stepper;
  bool pauses = false;
  for (uint32_t n = 0; n < write->at.count && !pauses; ++n)
    pauses = weft__selects(&write->at, n) && weft__flag_at(&write->array, n);
  WEFT__FAIL_IF(pauses && stepper->settings.sleep_speed > 0.0f, WEFT_ERROR_DISABLED,
                "weft_world_def.sleep_speed");
  WEFT__FAIL_IF(pauses && !weft__pause_prepare(&stepper->pause, stepper->particles.count),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  return weft__ok();
}

static void pause(weft__attribute_write* write) {
  weft_world* world = write->world;
  weft__stepper* stepper = &world->stepper;
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    weft__environment* own = environment_at(write, n);
    const bool is_paused = weft__flag_at(&write->array, n);
    if (own->is_paused == is_paused) continue;
    const uint64_t steps = switch_clock(world, own, own->clock);
    own->is_paused = is_paused;
    own->clock = switch_clock(world, own, steps);
    stepper->pause.count += is_paused ? 1u : UINT32_MAX;
    // a pause changes masses, and pairs of pinned bodies are not listed
    stepper->weighed = false;
    weft__stages_changed(&stepper->stages, &(weft__change){.kind = WEFT__CHANGE_PAIRS});
  }
}

static void get_step_count(const weft__attribute_read* read, uint32_t e, void* value) {
  const weft__environment* own = &read->world->stepper.environments[e];
  const uint64_t steps = switch_clock(read->world, own, own->clock);
  memcpy(value, &steps, sizeof(steps));
}

static weft_result prepare_step_count(const weft__attribute_write* write) {
  (void)write;
  return weft__ok();
}

static void set_step_count(weft__attribute_write* write) {
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    uint64_t steps;
    memcpy(&steps, weft__array_at(&write->array, n), sizeof(steps));
    weft__environment* own = environment_at(write, n);
    own->clock = switch_clock(write->world, own, steps);
  }
}

#define ROW(name, id_, type, number, read, check, write)         \
  const weft__attribute weft__environment_##name##_attribute = { \
      .id = WEFT_ATTRIBUTE_ENVIRONMENT_##id_,                    \
      .size = sizeof(type),                                      \
      .item = sizeof(number),                                    \
      .of = WEFT__OF_ENVIRONMENTS,                               \
      .get = read,                                               \
      .is_set = true,                                            \
      .prepare = check,                                          \
      .apply = write};
ROW(gravity, GRAVITY, float[3], float, get_gravity, prepare_gravity, set_gravity)
ROW(damping, DAMPING, float, float, get_damping, prepare_damping, set_damping)
ROW(paused, PAUSED, bool, bool, get_paused, prepare_pauses, pause)
ROW(step_count, STEP_COUNT, uint64_t, uint64_t, get_step_count, prepare_step_count, set_step_count)

// ---- wind ----

static weft_result set_wind(weft_world* world, const weft_selection* environments,
                            const weft_wind_def* wind) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  weft__selection at;
  WEFT__TRY(weft__check_selected(world, WEFT__OF_ENVIRONMENTS, environments, &at));
  return weft__set_winds(world, &at, wind);
}

weft_result weft_world_set_environment_wind(weft_world* world, weft_selection environments,
                                            const weft_wind_def* wind) {
  WEFT__RETURN_COMPUTED(set_wind, world, &environments, wind);
}
