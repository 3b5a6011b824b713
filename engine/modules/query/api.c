#include <float.h>
#include <math.h>

#include "base/float_mode.h"
#include "modules/query/index.h"
#include "step/stage.h"
#include "world/world.h"

static weft__query_index* index_of(const weft_world* world) {
  return world->stepper.stages.of[WEFT__STAGE_INDEX];
}

static void destroy(void* state) {
  weft__query_index_destroy(state);
}

const weft__stage weft__index_stage = {.name = "index",
                                       .size = sizeof(weft__query_index),
                                       .bytes = offsetof(weft__query_index, bytes),
                                       .destroy = destroy};

static weft__elements elements_of(const weft_world* world) {
  const weft__stepper* stepper = &world->stepper;
  return (weft__elements){
      .particles = &stepper->particles,
      .schedule = &stepper->schedule,
      .materials = &stepper->contacts.materials,
      .faces = &stepper->forces.faces,
      .colliders = &stepper->contacts.colliders,
      .ends = (const uint32_t(*)[2])index_of(world)->ends,
  };
}

static bool is_indexed(const weft_world* world) {
  const weft__query_index* index = index_of(world);
  return index->is_built && index->changes == world->changes &&
         index->materials == world->stepper.contacts.materials.version;
}

static weft_result index_world(weft_world* world) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  const weft__elements elements = elements_of(world);
  for (int kind = 0; kind < WEFT__TREE_KINDS; ++kind) {
    WEFT__FAIL_IF(weft__element_count(&elements, (weft_element_kind)kind) > WEFT__BVH_ITEMS,
                  WEFT_ERROR_TOO_MANY, "world");
  }
  weft__query_index* index = index_of(world);
  WEFT__FAIL_IF(!index->is_made && !weft__query_index_create(index, &elements),
                WEFT_ERROR_OUT_OF_MEMORY, "world");
  if (!is_indexed(world)) weft__query_index_update(index, &elements, world->stepper.pool);
  index->changes = world->changes;
  index->materials = world->stepper.contacts.materials.version;
  return weft__ok();
}

weft_result weft_world_build_index(weft_world* world) {
  WEFT__RETURN_COMPUTED(index_world, world);
}

static weft_result check_point(const float* point, const char* field) {
  WEFT__FAIL_IF(point == NULL, WEFT_ERROR_NULL, field);
  return weft__check_finite(point, 3, 1, field);
}

static weft_result check_reach(float value, const char* field) {
  WEFT__FAIL_IF(isnan(value), WEFT_ERROR_NOT_FINITE, field);
  WEFT__FAIL_IF(value < 0.0f, WEFT_ERROR_RANGE, field);
  return weft__ok();
}

static weft_result check_filter(const weft_query_filter_def* filter) {
  return filter == NULL ? weft__ok() : weft__check_def(&weft__query_filter_fields, filter);
}

static weft_result check_one(const weft_query_filter_def* filter, const weft_query_hit* hit,
                             const bool* found) {
  WEFT__TRY(check_filter(filter));
  WEFT__FAIL_IF(hit == NULL, WEFT_ERROR_NULL, "hit");
  WEFT__FAIL_IF(found == NULL, WEFT_ERROR_NULL, "found");
  return weft__ok();
}

static weft_result check_many(const weft_query_filter_def* filter, uint32_t capacity,
                              const weft_query_hit* hits, const uint32_t* count) {
  WEFT__TRY(check_filter(filter));
  WEFT__FAIL_IF(hits == NULL && capacity > 0, WEFT_ERROR_NULL, "hits");
  WEFT__FAIL_IF(count == NULL, WEFT_ERROR_NULL, "count");
  return weft__ok();
}

static weft__query_scope asked_of(const weft_world* world, const weft_query_filter_def* filter) {
  return (weft__query_scope){
      .elements = elements_of(world),
      .trees = is_indexed(world) ? index_of(world)->trees : NULL,
      .filter = filter != NULL ? *filter : weft_default_query_filter_def(),
  };
}

static weft_result cast_ray(const weft_world* world, const float* origin, const float* direction,
                            float length, const weft_query_filter_def* filter, weft_query_hit* hit,
                            bool* found) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(check_point(origin, "origin"));
  WEFT__TRY(check_point(direction, "direction"));
  const weft__vec3 along = weft__vec3_of(direction);
  const double size = sqrt(weft__dot(along, along));
  WEFT__FAIL_IF(!(size > 0.0), WEFT_ERROR_RANGE, "direction");
  WEFT__TRY(check_reach(length, "length"));
  WEFT__FAIL_IF(length == 0.0f, WEFT_ERROR_RANGE, "length");
  WEFT__TRY(check_one(filter, hit, found));
  const weft__query_path path = {.from = weft__vec3_of(origin),
                                 .direction = weft__scaled(1.0 / size, along),
                                 .length = (double)length};
  const weft__query_scope asked = asked_of(world, filter);
  *found = weft__query_cast(&asked, &path, hit);
  return weft__ok();
}

weft_result weft_world_cast_ray(const weft_world* world, const float* origin,
                                const float* direction, float length,
                                const weft_query_filter_def* filter, weft_query_hit* hit,
                                bool* found) {
  WEFT__RETURN_COMPUTED(cast_ray, world, origin, direction, length, filter, hit, found);
}

static weft_result cast_sphere(const weft_world* world, const float* from, const float* to,
                               float radius, const weft_query_filter_def* filter,
                               weft_query_hit* hit, bool* found) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(check_point(from, "from"));
  WEFT__TRY(check_point(to, "to"));
  WEFT__TRY(weft__check_range(radius, 0.0f, FLT_MAX, "radius"));
  WEFT__TRY(check_one(filter, hit, found));
  const weft__vec3 along = weft__minus(weft__vec3_of(to), weft__vec3_of(from));
  const double length = sqrt(weft__dot(along, along));
  weft__query_path path = {.from = weft__vec3_of(from), .length = length, .radius = (double)radius};
  if (length > 0.0) path.direction = weft__scaled(1.0 / length, along);
  const weft__query_scope asked = asked_of(world, filter);
  *found = weft__query_cast(&asked, &path, hit);
  return weft__ok();
}

weft_result weft_world_cast_sphere(const weft_world* world, const float* from, const float* to,
                                   float radius, const weft_query_filter_def* filter,
                                   weft_query_hit* hit, bool* found) {
  WEFT__RETURN_COMPUTED(cast_sphere, world, from, to, radius, filter, hit, found);
}

weft_result weft_world_cast_segment(const weft_world* world, const float* from, const float* to,
                                    const weft_query_filter_def* filter, weft_query_hit* hit,
                                    bool* found) {
  return weft_world_cast_sphere(world, from, to, 0.0f, filter, hit, found);
}

static weft_result find_near(const weft_world* world, const float* point, float radius,
                             const weft_query_filter_def* filter, uint32_t capacity,
                             weft_query_hit* hits, uint32_t* count) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(check_point(point, "point"));
  WEFT__TRY(weft__check_range(radius, 0.0f, FLT_MAX, "radius"));
  WEFT__TRY(check_many(filter, capacity, hits, count));
  const weft__query_scope asked = asked_of(world, filter);
  *count = weft__query_within_radius(&asked, weft__vec3_of(point), (double)radius, capacity, hits);
  return weft__ok();
}

weft_result weft_world_overlap_sphere(const weft_world* world, const float* point, float radius,
                                      const weft_query_filter_def* filter, uint32_t capacity,
                                      weft_query_hit* hits, uint32_t* count) {
  WEFT__RETURN_COMPUTED(find_near, world, point, radius, filter, capacity, hits, count);
}

static weft_result find_in_box(const weft_world* world, const float* lower, const float* upper,
                               const weft_query_filter_def* filter, uint32_t capacity,
                               weft_query_hit* hits, uint32_t* count) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(check_point(lower, "lower"));
  WEFT__TRY(check_point(upper, "upper"));
  weft__extent box;
  for (uint64_t axis = 0; axis < 3; ++axis) {
    if (lower[axis] > upper[axis]) return weft__fail_at(WEFT_ERROR_RANGE, "lower", axis);
    box.lower[axis] = (double)lower[axis];
    box.upper[axis] = (double)upper[axis];
  }
  WEFT__TRY(check_many(filter, capacity, hits, count));
  const weft__query_scope asked = asked_of(world, filter);
  *count = weft__query_in_box(&asked, &box, capacity, hits);
  return weft__ok();
}

weft_result weft_world_overlap_box(const weft_world* world, const float* lower, const float* upper,
                                   const weft_query_filter_def* filter, uint32_t capacity,
                                   weft_query_hit* hits, uint32_t* count) {
  WEFT__RETURN_COMPUTED(find_in_box, world, lower, upper, filter, capacity, hits, count);
}

static weft_result find_closest(const weft_world* world, const float* point, float max_distance,
                                const weft_query_filter_def* filter, weft_query_hit* hit,
                                bool* found) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(check_point(point, "point"));
  WEFT__TRY(check_reach(max_distance, "max_distance"));
  WEFT__TRY(check_one(filter, hit, found));
  const weft__query_scope asked = asked_of(world, filter);
  *found = weft__query_closest(&asked, weft__vec3_of(point), (double)max_distance, hit);
  return weft__ok();
}

weft_result weft_world_find_closest(const weft_world* world, const float* point, float max_distance,
                                    const weft_query_filter_def* filter, weft_query_hit* hit,
                                    bool* found) {
  WEFT__RETURN_COMPUTED(find_closest, world, point, max_distance, filter, hit, found);
}

static weft_result find_nearest(const weft_world* world, const float* point, float max_distance,
                                const weft_query_filter_def* filter, uint32_t capacity,
                                weft_query_hit* hits, uint32_t* count) {
  WEFT__FAIL_IF(world == NULL, WEFT_ERROR_NULL, "world");
  WEFT__TRY(check_point(point, "point"));
  WEFT__TRY(check_reach(max_distance, "max_distance"));
  WEFT__TRY(check_many(filter, capacity, hits, count));
  const weft__query_scope asked = asked_of(world, filter);
  *count = weft__query_nearest_particles(&asked, weft__vec3_of(point), (double)max_distance,
                                         capacity, hits);
  return weft__ok();
}

weft_result weft_world_find_nearest(const weft_world* world, const float* point, float max_distance,
                                    const weft_query_filter_def* filter, uint32_t capacity,
                                    weft_query_hit* hits, uint32_t* count) {
  WEFT__RETURN_COMPUTED(find_nearest, world, point, max_distance, filter, capacity, hits, count);
}
