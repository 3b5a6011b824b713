#include <float.h>

#include "base/float_mode.h"
#include "edit/link_values.h"
#include "scene/scene.h"
#include "solvers/multigrid/torn_coarse_links.h"
#include "step/tear.h"
#include "world/ranges.h"
#include "world/world.h"

#define MAX_PRESSURE 1e12f

typedef struct link_range {
  weft_world* world;
  uint32_t first, count;
  weft__array array;
} link_range;

static weft__lane lane_at(const weft_world* world, uint32_t link) {
  const weft__schedule* schedule = &world->stepper.schedule;
  return weft__schedule_lane(schedule, schedule->links.slot_of_link[link]);
}

static weft__link_edit edit_at(const link_range* range, weft__link_value value, uint32_t n,
                               const weft__lane* lane) {
  return (weft__link_edit){
      .value = value,
      .link = range->first + n,
      .lane = lane,
      .former = weft__link_values_get(&range->world->stepper.schedule.links, value, lane),
      .number = *weft__array_at(&range->array, n),
  };
}

// Checks the array against a field of weft_link_def.
static weft_result check_values(const link_range* range, size_t field) {
  WEFT__FAIL_IF(range->world == NULL, WEFT_ERROR_NULL, "world");
  const uint32_t total = range->world->stepper.schedule.links.link_count;
  WEFT__TRY(weft__check_array_of(range->world, range->first, range->count, total, &range->array));
  for (uint32_t n = 0; n < range->count; ++n) {
    const weft_result result = weft__check_as(&weft__link_fields, field,
                                              weft__array_at(&range->array, n), range->array.field);
    if (result.error != WEFT_OK) return weft__fail_at(result.error, range->array.field, n);
  }
  return weft__ok();
}

// Refuses links that a solver cannot take, and then allocates: snapshots save the columns.
static weft_result prepare(const link_range* range, weft__link_value value) {
  weft__stepper* stepper = &range->world->stepper;
  WEFT__FAIL_IF(!weft__stages_prepare_edits(&stepper->stages, &stepper->schedule),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  for (uint32_t n = 0; n < range->count; ++n) {
    const weft__lane lane = lane_at(range->world, range->first + n);
    const weft__link_edit edit = edit_at(range, value, n, &lane);
    const weft_error error = weft__stages_check_edit(&stepper->stages, &edit);
    if (error == WEFT_ERROR_UNSUPPORTED) return weft__fail_at(error, "first", n);
    if (error != WEFT_OK) return weft__fail_at(error, range->array.field, n);
  }
  WEFT__FAIL_IF(!weft__link_values_spread(&stepper->schedule, value) ||
                    !weft__levels_make_tearable(&stepper->levels),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  return weft__ok();
}

static void set_rest_length(const link_range* range, uint32_t n) {
  weft__stepper* stepper = &range->world->stepper;
  const weft__lane lane = lane_at(range->world, range->first + n);
  const float length = *weft__array_at(&range->array, n);
  const float former =
      weft__link_values_get(&stepper->schedule.links, WEFT__VALUE_REST_LENGTH, &lane);
  weft__link_values_set(&stepper->schedule, WEFT__VALUE_REST_LENGTH, &lane, length);
  const weft__link_edit edit = {WEFT__VALUE_REST_LENGTH, range->first + n, &lane, former, length};
  (void)weft__stages_edit(&stepper->stages, &edit);
  if (!(length > former)) return;
  weft__levels_tear(&stepper->levels, &stepper->schedule, lane.a, lane.b);
  weft__attachments_tear(&stepper->attachments, lane.a, lane.b);
}

static weft_result set_rest_lengths(weft_world* world, uint32_t first, uint32_t count,
                                    const float* rest_lengths, size_t stride) {
  link_range range = {world, first, count, {rest_lengths, stride, 1, "rest_lengths"}};
  WEFT__TRY(check_values(&range, offsetof(weft_link_def, rest_length)));
  if (count == 0) return weft__ok();
  WEFT__TRY(prepare(&range, WEFT__VALUE_REST_LENGTH));
  weft__wake_all(&world->stepper.stages);
  for (uint32_t n = 0; n < count; ++n) set_rest_length(&range, n);
  return weft__ok();
}

weft_result weft_world_set_rest_lengths(weft_world* world, uint32_t first, uint32_t count,
                                        const float* rest_lengths, size_t stride) {
  WEFT__RETURN_COMPUTED(set_rest_lengths, world, first, count, rest_lengths, stride);
}

weft_result weft_world_get_rest_lengths(const weft_world* world, uint32_t first, uint32_t count,
                                        float* rest_lengths) {
  WEFT__TRY(weft__check_links_read(world, first, count, rest_lengths, "rest_lengths"));
  for (uint32_t n = 0; n < count; ++n) {
    const weft__lane lane = lane_at(world, first + n);
    rest_lengths[n] =
        weft__link_values_get(&world->stepper.schedule.links, WEFT__VALUE_REST_LENGTH, &lane);
  }
  return weft__ok();
}

static void set_compliance(const link_range* range, uint32_t n) {
  weft__stepper* stepper = &range->world->stepper;
  const weft__lane lane = lane_at(range->world, range->first + n);
  const weft__link_edit edit = edit_at(range, WEFT__VALUE_COMPLIANCE, n, &lane);
  if (weft__stages_edit(&stepper->stages, &edit)) return;
  weft__link_values_set(&stepper->schedule, WEFT__VALUE_COMPLIANCE, &lane, edit.number);
}

static weft_result set_compliances(weft_world* world, uint32_t first, uint32_t count,
                                   const float* compliances, size_t stride) {
  link_range range = {world, first, count, {compliances, stride, 1, "compliances"}};
  WEFT__TRY(check_values(&range, offsetof(weft_link_def, compliance)));
  if (count == 0) return weft__ok();
  WEFT__TRY(prepare(&range, WEFT__VALUE_COMPLIANCE));
  weft__wake_all(&world->stepper.stages);
  for (uint32_t n = 0; n < count; ++n) set_compliance(&range, n);
  return weft__ok();
}

weft_result weft_world_set_compliances(weft_world* world, uint32_t first, uint32_t count,
                                       const float* compliances, size_t stride) {
  WEFT__RETURN_COMPUTED(set_compliances, world, first, count, compliances, stride);
}

static weft_result get_compliances(const weft_world* world, uint32_t first, uint32_t count,
                                   float* compliances) {
  WEFT__TRY(weft__check_links_read(world, first, count, compliances, "compliances"));
  const weft__stepper* stepper = &world->stepper;
  for (uint32_t n = 0; n < count; ++n) {
    const weft__lane lane = lane_at(world, first + n);
    weft__link_state link = {.particles = &stepper->particles, .lane = &lane};
    compliances[n] =
        weft__stages_read_link(&stepper->stages, &link)
            ? link.compliance
            : weft__link_values_get(&stepper->schedule.links, WEFT__VALUE_COMPLIANCE, &lane);
  }
  return weft__ok();
}

weft_result weft_world_get_compliances(const weft_world* world, uint32_t first, uint32_t count,
                                       float* compliances) {
  WEFT__RETURN_COMPUTED(get_compliances, world, first, count, compliances);
}

static weft_result find_gas(const weft_world* world, uint32_t particle, weft__pressure** body) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(particle >= world->stepper.particles.count, WEFT_ERROR_INDEX, "particle");
  const weft__pressures* pressures = &world->stepper.forces.pressures;
  const uint32_t i = world->stepper.schedule.solver_of[particle];
  for (uint32_t b = 0; b < pressures->count; ++b) {
    *body = &pressures->pressures[b];
    for (uint32_t k = (*body)->first_particle; k < (*body)->end_particle; ++k) {
      if (pressures->particles[k] == i) return weft__ok();
    }
  }
  return weft__fail(WEFT_ERROR_DISABLED, "particle");
}

weft_result weft_world_set_pressure(weft_world* world, uint32_t particle, float pressure) {
  weft__pressure* body = NULL;
  WEFT__TRY(find_gas(world, particle, &body));
  WEFT__TRY(weft__check_range(pressure, 0.0f, MAX_PRESSURE, "pressure"));
  body->pressure = (double)pressure;
  weft__wake_all(&world->stepper.stages);
  return weft__ok();
}

weft_result weft_world_get_pressure(const weft_world* world, uint32_t particle, float* pressure) {
  weft__pressure* body = NULL;
  WEFT__TRY(find_gas(world, particle, &body));
  WEFT__FAIL_IF(pressure == NULL, WEFT_ERROR_NULL, "pressure");
  *pressure = body->has_leaked ? 0.0f : (float)body->pressure;
  return weft__ok();
}
