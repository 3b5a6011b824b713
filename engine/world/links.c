#include <math.h>

#include "base/float_mode.h"
#include "base/min_max.h"
#include "edit/blade.h"
#include "edit/capsule.h"
#include "solvers/multigrid/torn_coarse_links.h"
#include "step/link_query.h"
#include "step/tear.h"
#include "world/attributes.h"

static weft_result prepare_removal(const weft__attribute_write* write) {
  WEFT__FAIL_IF(!weft__levels_make_tearable(&write->world->stepper.levels),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  return weft__ok();
}

// ---- enabled ----

static void get_enabled(const weft__attribute_read* read, uint32_t link, void* value) {
  *(bool*)value = !weft__link_is_gone(&read->world->stepper.schedule.links, link);
}

static weft_result prepare_enabled(const weft__attribute_write* write) {
  bool removes = false;
  for (uint32_t n = 0; n < write->at.count; ++n)
    removes |= weft__selects(&write->at, n) && !weft__flag_at(&write->array, n);
  return removes ? prepare_removal(write) : weft__ok();
}

static void set_enabled(weft__attribute_write* write) {
  weft__constraint_tables tables = weft__stepper_constraints(&write->world->stepper);
  const uint32_t* slot_of_link = tables.schedule->links.slot_of_link;
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n)) continue;
    weft__enable_slot(&tables, slot_of_link[weft__selected(&write->at, n)],
                      weft__flag_at(&write->array, n));
  }
  write->world->changes += 1;
}

const weft__attribute weft__link_enabled_attribute = {
    .id = WEFT_ATTRIBUTE_LINK_ENABLED,
    .size = sizeof(bool),
    .item = sizeof(bool),
    .of = WEFT__OF_LINKS,
    .get = get_enabled,
    .is_set = true,
    .prepare = prepare_enabled,
    .apply = set_enabled,
};

// ---- torn ----

static void get_torn(const weft__attribute_read* read, uint32_t link, void* value) {
  const weft__link_schedule* links = &read->world->stepper.schedule.links;
  const uint32_t slot = links->slot_of_link[link];
  *(bool*)value =
      !weft__is_marked(links->lane_mask, slot) && !weft__is_marked(links->disabled, slot);
}

static void set_torn(weft__attribute_write* write) {
  weft__constraint_tables tables = weft__stepper_constraints(&write->world->stepper);
  const uint32_t* slot_of_link = tables.schedule->links.slot_of_link;
  for (uint32_t n = 0; n < write->at.count; ++n) {
    if (!weft__selects(&write->at, n) || !weft__flag_at(&write->array, n)) continue;
    weft__tear_slot(&tables, slot_of_link[weft__selected(&write->at, n)]);
  }
  weft__torn_events_close_batch(&tables.torn->events);
}

const weft__attribute weft__link_torn_attribute = {
    .id = WEFT_ATTRIBUTE_LINK_TORN,
    .size = sizeof(bool),
    .item = sizeof(bool),
    .of = WEFT__OF_LINKS,
    .get = get_torn,
    .is_set = true,
    .prepare = prepare_removal,
    .apply = set_torn,
};

// ---- tearing by place ----

static weft_result check_points(const float* points, uint64_t count, const char* field) {
  WEFT__FAIL_IF(points == NULL, WEFT_ERROR_NULL, field);
  for (uint64_t i = 0; i < count; ++i) {
    if (!isfinite(points[i])) return weft__fail_at(WEFT_ERROR_NOT_FINITE, field, i);
  }
  return weft__ok();
}

// Sets the query's AABB to the points', enlarged by `radius` metres.
static void set_box(weft__link_query* query, const float* const* points, int count, double radius) {
  for (int k = 0; k < 3; ++k) {
    double lower = (double)points[0][k];
    double upper = lower;
    for (int i = 1; i < count; ++i) {
      lower = weft__min(lower, (double)points[i][k]);
      upper = weft__max(upper, (double)points[i][k]);
    }
    // conservative rounding
    query->lower[k] = nextafter(lower - radius, -INFINITY);
    query->upper[k] = nextafter(upper + radius, INFINITY);
  }
}

static weft_result tear_overlapping(weft_world* world, const weft__link_query* query,
                                    uint32_t* torn) {
  weft__stepper* stepper = &world->stepper;
  WEFT__FAIL_IF(!weft__levels_make_tearable(&stepper->levels), WEFT_ERROR_OUT_OF_MEMORY, "world");
  weft__constraint_tables tables = weft__stepper_constraints(stepper);
  const uint32_t before = stepper->torn.count;
  weft__mark_links(&tables, stepper->relaxation.records, stepper->pool, query);
  weft__tear_marked(&tables, WEFT__TEAR_ALL);
  weft__torn_events_close_batch(&stepper->torn.events);
  if (torn != NULL) *torn = stepper->torn.count - before;
  return weft__ok();
}

static weft_result tear_near(weft_world* world, const float* from, const float* to, float radius,
                             uint32_t* torn) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(check_points(from, 3, "from"));
  WEFT__TRY(check_points(to, 3, "to"));
  WEFT__TRY(weft__check_positive(radius, "radius"));
  const weft__capsule capsule = {weft__vec3_of(from), weft__vec3_of(to), (double)radius};
  weft__link_query query = {.touches = weft__capsule_touches, .shape = &capsule};
  set_box(&query, (const float*[]){from, to}, 2, capsule.radius);
  return tear_overlapping(world, &query, torn);
}

weft_result weft_world_tear_near(weft_world* world, const float* from, const float* to,
                                 float radius, uint32_t* torn) {
  WEFT__RETURN_COMPUTED(tear_near, world, from, to, radius, torn);
}

static weft_result cut(weft_world* world, const float* triangle, uint32_t* torn) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(check_points(triangle, 9, "triangle"));
  const weft__blade blade = {
      {weft__vec3_of(triangle), weft__vec3_of(triangle + 3), weft__vec3_of(triangle + 6)}};
  weft__link_query query = {.touches = weft__blade_touches, .shape = &blade};
  set_box(&query, (const float*[]){triangle, triangle + 3, triangle + 6}, 3, 0.0);
  return tear_overlapping(world, &query, torn);
}

weft_result weft_world_cut(weft_world* world, const float* triangle, uint32_t* torn) {
  WEFT__RETURN_COMPUTED(cut, world, triangle, torn);
}

weft_result weft_world_take_torn(weft_world* world, uint32_t capacity, uint32_t* links,
                                 uint32_t* count) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__FAIL_IF(links == NULL && capacity > 0, WEFT_ERROR_NULL, "links");
  WEFT__FAIL_IF(count == NULL, WEFT_ERROR_NULL, "count");
  *count = weft__torn_events_take(&world->stepper.torn.events, &world->stepper.schedule, capacity,
                                  links);
  return weft__ok();
}
