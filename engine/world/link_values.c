#include <float.h>

#include "edit/link_values.h"
#include "scene/scene.h"
#include "solvers/multigrid/torn_coarse_links.h"
#include "step/tear.h"
#include "world/attributes.h"

#define MAX_PRESSURE 1e12f

static weft__lane lane_at(const weft_world* world, uint32_t link) {
  const weft__schedule* schedule = &world->stepper.schedule;
  return weft__schedule_lane(schedule, schedule->links.slot_of_link[link]);
}

static weft__link_edit edit_at(const weft__attribute_write* write, weft__link_value value,
                               uint32_t n, const weft__lane* lane) {
  return (weft__link_edit){
      .value = value,
      .link = weft__selected(&write->at, n),
      .lane = lane,
      .former = weft__link_values_get(&write->world->stepper.schedule.links, value, lane),
      .number = *weft__array_at(&write->array, n),
  };
}

// Refuses values that are not a field's of weft_link_def, and links that a solver cannot take, and
// then allocates: snapshots save the columns.
static weft_result prepare(const weft__attribute_write* write, weft__link_value value,
                           size_t field) {
  weft__stepper* stepper = &write->world->stepper;
  const weft__selection* at = &write->at;
  for (uint32_t n = 0; n < at->count; ++n) {
    if (!weft__selects(at, n)) continue;
    const weft_error error =
        weft__check_as(&weft__link_fields, field, weft__array_at(&write->array, n), "values").error;
    if (error != WEFT_OK) return weft__fail_at(error, "values", n);
  }
  WEFT__FAIL_IF(!weft__stages_prepare_edits(&stepper->stages, &stepper->schedule),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  for (uint32_t n = 0; n < at->count; ++n) {
    if (!weft__selects(at, n)) continue;
    const weft__lane lane = lane_at(write->world, weft__selected(at, n));
    const weft__link_edit edit = edit_at(write, value, n, &lane);
    const weft_error error = weft__stages_check_edit(&stepper->stages, &edit);
    if (error == WEFT_ERROR_UNSUPPORTED) return weft__fail_at_selected(write, error, n);
    if (error != WEFT_OK) return weft__fail_at(error, "values", n);
  }
  WEFT__FAIL_IF(!weft__link_values_spread(&stepper->schedule, value) ||
                    !weft__levels_make_tearable(&stepper->levels),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  return weft__ok();
}

// ---- rest lengths ----

static void get_rest_length(const weft__attribute_read* read, uint32_t link, void* value) {
  const weft__lane lane = lane_at(read->world, link);
  *(float*)value =
      weft__link_values_get(&read->world->stepper.schedule.links, WEFT__VALUE_REST_LENGTH, &lane);
}

static weft_result prepare_rest_lengths(const weft__attribute_write* write) {
  return prepare(write, WEFT__VALUE_REST_LENGTH, offsetof(weft_link_def, rest_length));
}

static void set_rest_length(const weft__attribute_write* write, uint32_t n) {
  weft__stepper* stepper = &write->world->stepper;
  const weft__lane lane = lane_at(write->world, weft__selected(&write->at, n));
  const weft__link_edit edit = edit_at(write, WEFT__VALUE_REST_LENGTH, n, &lane);
  weft__link_values_set(&stepper->schedule, WEFT__VALUE_REST_LENGTH, &lane, edit.number);
  (void)weft__stages_edit(&stepper->stages, &edit);
  if (!(edit.number > edit.former)) return;
  weft__levels_tear(&stepper->levels, &stepper->schedule, lane.a, lane.b);
  weft__attachments_tear(&stepper->attachments, lane.a, lane.b);
}

static void set_rest_lengths(weft__attribute_write* write) {
  weft__wake_all(&write->world->stepper.stages);
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (weft__selects(&write->at, n)) set_rest_length(write, n);
  }
}

const weft__attribute weft__link_rest_length_attribute = {
    .id = WEFT_ATTRIBUTE_LINK_REST_LENGTH,
    .size = sizeof(float),
    .item = sizeof(float),
    .of = WEFT__OF_LINKS,
    .get = get_rest_length,
    .is_set = true,
    .prepare = prepare_rest_lengths,
    .apply = set_rest_lengths,
};

// ---- compliances ----

static void get_compliance(const weft__attribute_read* read, uint32_t link, void* value) {
  const weft__stepper* stepper = &read->world->stepper;
  const weft__lane lane = lane_at(read->world, link);
  weft__link_state state = {.particles = &stepper->particles, .lane = &lane};
  *(float*)value =
      weft__stages_read_link(&stepper->stages, &state)
          ? state.compliance
          : weft__link_values_get(&stepper->schedule.links, WEFT__VALUE_COMPLIANCE, &lane);
}

static weft_result prepare_compliances(const weft__attribute_write* write) {
  return prepare(write, WEFT__VALUE_COMPLIANCE, offsetof(weft_link_def, compliance));
}

static void set_compliances(weft__attribute_write* write) {
  weft__stepper* stepper = &write->world->stepper;
  weft__wake_all(&stepper->stages);
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    const weft__lane lane = lane_at(write->world, weft__selected(&write->at, n));
    const weft__link_edit edit = edit_at(write, WEFT__VALUE_COMPLIANCE, n, &lane);
    if (weft__stages_edit(&stepper->stages, &edit)) continue;
    weft__link_values_set(&stepper->schedule, WEFT__VALUE_COMPLIANCE, &lane, edit.number);
  }
}

const weft__attribute weft__link_compliance_attribute = {
    .id = WEFT_ATTRIBUTE_LINK_COMPLIANCE,
    .size = sizeof(float),
    .item = sizeof(float),
    .of = WEFT__OF_LINKS,
    .get = get_compliance,
    .is_set = true,
    .prepare = prepare_compliances,
    .apply = set_compliances,
};

// ---- gas ----

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
