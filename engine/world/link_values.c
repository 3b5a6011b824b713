/* Rest lengths and compliances of links, and the pressure of gas, at run time. */
#include <float.h>

#include "base/float_mode.h"
#include "base/memory.h"
#include "edit/link_values.h"
#include "scene/scene.h"
#include "solvers/multigrid/torn_coarse_links.h"
#include "step/tear.h"
#include "world/ranges.h"
#include "world/world.h"

#define MAX_PRESSURE 1e12f

// Links of a call.
typedef struct link_range {
  weft_world* world;
  uint32_t first, count;
  weft__array array;
  uint32_t* node_of; /* NULL if the world has no trees */
} link_range;

static weft__lane lane_at(const weft_world* world, uint32_t link) {
  const weft__schedule* schedule = &world->stepper.schedule;
  return weft__schedule_lane(schedule, schedule->slot_of_link[link]);
}

// Node of the direct solver; WEFT__NONE = none.
static uint32_t node_at(const link_range* range, const weft__lane* lane) {
  return range->node_of == NULL ? WEFT__NONE : range->node_of[weft__lane_slot(lane)];
}

// Checks the array against a field of weft_link_def.
static weft_result check_values(const link_range* range, size_t field) {
  WEFT__FAIL_IF(range->world == NULL, WEFT_ERROR_NULL, "world");
  const uint32_t total = range->world->stepper.schedule.link_count;
  WEFT__TRY(weft__check_array_of(range->world, range->first, range->count, total, &range->array));
  for (uint32_t n = 0; n < range->count; ++n) {
    const weft_result result = weft__check_as(&weft__link_fields, field,
                                              weft__array_at(&range->array, n), range->array.field);
    if (result.error != WEFT_OK) return weft__fail_at(result.error, range->array.field, n);
  }
  return weft__ok();
}

// Segments of rods have bend elements by their lengths.
static weft_result check_rods(const link_range* range) {
  const weft__rods* rods = &range->world->stepper.rods;
  for (uint32_t n = 0; n < range->count && rods->rod_count > 0; ++n) {
    if (weft__rods_find_segment(rods, range->first + n) == WEFT__NONE) continue;
    return weft__fail_at(WEFT_ERROR_UNSUPPORTED, "first", n);
  }
  return weft__ok();
}

static weft_result prepare(link_range* range, weft__link_value value) {
  weft__stepper* stepper = &range->world->stepper;
  WEFT__TRY(check_rods(range));
  if (stepper->trees.tree_count > 0) {
    range->node_of = weft__trees_list_nodes(&stepper->trees, &stepper->schedule);
    WEFT__FAIL_IF(range->node_of == NULL, WEFT_ERROR_OUT_OF_MEMORY, "world");
  }
  const bool good =
      weft__link_values_spread(&stepper->schedule, value) && weft__tear_prepare(stepper);
  if (good) return weft__ok();
  weft__free(range->node_of);
  return weft__fail(WEFT_ERROR_OUT_OF_MEMORY, "world");
}

// ---- rest lengths ----

static void set_rest_length(const link_range* range, uint32_t n) {
  weft__stepper* stepper = &range->world->stepper;
  const weft__lane lane = lane_at(range->world, range->first + n);
  const float length = *weft__array_at(&range->array, n);
  const float former = weft__link_values_get(&stepper->schedule, WEFT__VALUE_REST_LENGTH, &lane);
  weft__link_values_set(&stepper->schedule, WEFT__VALUE_REST_LENGTH, &lane, length);
  const weft__spring_ends ends = weft__springs_find(&stepper->integrators.springs, &lane);
  weft__spring* const springs[2] = {ends.a, ends.b};
  for (int k = 0; k < 2 && springs[k] != NULL; ++k) {
    const weft__spring was = *springs[k];
    springs[k]->shortest = length - (former - was.shortest);
    springs[k]->longest = length + (was.longest - former);
  }
  const uint32_t node = node_at(range, &lane);
  if (node != WEFT__NONE) stepper->trees.rest_length[node] = length;
  if (!(length > former)) return;
  weft__levels_tear(&stepper->levels, &stepper->schedule, lane.a, lane.b);
  weft__attachments_tear(&stepper->attachments, lane.a, lane.b);
}

static weft_result set_rest_lengths(weft_world* world, uint32_t first, uint32_t count,
                                    const float* rest_lengths, size_t stride) {
  link_range range = {world, first, count, {rest_lengths, stride, 1, "rest_lengths"}, NULL};
  WEFT__TRY(check_values(&range, offsetof(weft_link_def, rest_length)));
  if (count == 0) return weft__ok();
  WEFT__TRY(prepare(&range, WEFT__VALUE_REST_LENGTH));
  weft__sleep_wake_all(&world->stepper);
  for (uint32_t n = 0; n < count; ++n) set_rest_length(&range, n);
  weft__free(range.node_of);
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
        weft__link_values_get(&world->stepper.schedule, WEFT__VALUE_REST_LENGTH, &lane);
  }
  return weft__ok();
}

// ---- compliances ----

// True if the link keeps its solver with this compliance.
static bool keeps_solver(const link_range* range, const weft__lane* lane, float compliance) {
  const weft__stepper* stepper = &range->world->stepper;
  const weft__spring* spring = weft__springs_find(&stepper->integrators.springs, lane).a;
  if (spring != NULL) return compliance > 0.0f && spring->curve == 0;
  const uint32_t node = node_at(range, lane);
  return node == WEFT__NONE || (compliance > 0.0f) == (stepper->trees.compliance[node] > 0.0f);
}

static void set_compliance(const link_range* range, uint32_t n) {
  weft__stepper* stepper = &range->world->stepper;
  const weft__lane lane = lane_at(range->world, range->first + n);
  const float compliance = *weft__array_at(&range->array, n);
  const weft__spring_ends ends = weft__springs_find(&stepper->integrators.springs, &lane);
  if (ends.a != NULL) {
    ends.a->stiffness = ends.b->stiffness = 1.0 / (double)compliance;
    return;
  }
  weft__link_values_set(&stepper->schedule, WEFT__VALUE_COMPLIANCE, &lane, compliance);
  const uint32_t node = node_at(range, &lane);
  if (node != WEFT__NONE) stepper->trees.compliance[node] = compliance;
}

static weft_result set_compliances(weft_world* world, uint32_t first, uint32_t count,
                                   const float* compliances, size_t stride) {
  link_range range = {world, first, count, {compliances, stride, 1, "compliances"}, NULL};
  WEFT__TRY(check_values(&range, offsetof(weft_link_def, compliance)));
  if (count == 0) return weft__ok();
  WEFT__TRY(prepare(&range, WEFT__VALUE_COMPLIANCE));
  weft_result result = weft__ok();
  for (uint32_t n = 0; n < count && result.error == WEFT_OK; ++n) {
    const weft__lane lane = lane_at(world, first + n);
    if (keeps_solver(&range, &lane, *weft__array_at(&range.array, n))) continue;
    result = weft__fail_at(WEFT_ERROR_RANGE, "compliances", n);
  }
  if (result.error == WEFT_OK) weft__sleep_wake_all(&world->stepper);
  for (uint32_t n = 0; n < count && result.error == WEFT_OK; ++n) set_compliance(&range, n);
  weft__free(range.node_of);
  return result;
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
    const weft__spring* spring = weft__springs_find(&stepper->integrators.springs, &lane).a;
    compliances[n] = spring != NULL
                         ? (float)(1.0 / spring->stiffness)
                         : weft__link_values_get(&stepper->schedule, WEFT__VALUE_COMPLIANCE, &lane);
  }
  return weft__ok();
}

weft_result weft_world_get_compliances(const weft_world* world, uint32_t first, uint32_t count,
                                       float* compliances) {
  WEFT__RETURN_COMPUTED(get_compliances, world, first, count, compliances);
}

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
  weft__sleep_wake_all(&world->stepper);
  return weft__ok();
}

weft_result weft_world_get_pressure(const weft_world* world, uint32_t particle, float* pressure) {
  weft__pressure* body = NULL;
  WEFT__TRY(find_gas(world, particle, &body));
  WEFT__FAIL_IF(pressure == NULL, WEFT_ERROR_NULL, "pressure");
  *pressure = body->has_leaked ? 0.0f : (float)body->pressure;
  return weft__ok();
}
