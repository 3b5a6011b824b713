/* Queries of one kind each. `filter` selects elements; NULL = all. */
#ifndef TESTS_SUPPORT_ASK_H
#define TESTS_SUPPORT_ASK_H

#include "weft/weft.h"

/* A query with the elements of `filter`; NULL points are 0 0 0. */
static inline weft_query_def query_of(weft_query_kind kind, const float* from, const float* to,
                                      const weft_query_def* filter) {
  weft_query_def def = filter != NULL ? *filter : weft_default_query_def();
  def.kind = kind;
  for (int axis = 0; axis < 3; ++axis) {
    def.point[axis] = from[axis];
    def.to[axis] = to != NULL ? to[axis] : 0.0f;
  }
  return def;
}

static inline weft_result ask_one(const weft_world* world, const weft_query_def* def,
                                  weft_query_hit* hit, bool* found) {
  uint32_t count = 0;
  const weft_result result = weft_world_query(world, def, 1, hit, &count);
  if (result.error == WEFT_OK) *found = count > 0;
  return result;
}

static inline weft_result ask_ray(const weft_world* world, const float* from,
                                  const float* direction, float length,
                                  const weft_query_def* filter, weft_query_hit* hit, bool* found) {
  weft_query_def def = query_of(WEFT_QUERY_RAY, from, direction, filter);
  def.length = length;
  return ask_one(world, &def, hit, found);
}

static inline weft_result ask_cast(const weft_world* world, const float* from, const float* to,
                                   float radius, const weft_query_def* filter, weft_query_hit* hit,
                                   bool* found) {
  weft_query_def def = query_of(WEFT_QUERY_CAST, from, to, filter);
  def.radius = radius;
  return ask_one(world, &def, hit, found);
}

static inline weft_result ask_segment(const weft_world* world, const float* from, const float* to,
                                      const weft_query_def* filter, weft_query_hit* hit,
                                      bool* found) {
  return ask_cast(world, from, to, 0.0f, filter, hit, found);
}

static inline weft_result ask_sphere(const weft_world* world, const float* point, float radius,
                                     const weft_query_def* filter, uint32_t capacity,
                                     weft_query_hit* hits, uint32_t* count) {
  weft_query_def def = query_of(WEFT_QUERY_SPHERE, point, NULL, filter);
  def.radius = radius;
  return weft_world_query(world, &def, capacity, hits, count);
}

static inline weft_result ask_box(const weft_world* world, const float* lower, const float* upper,
                                  const weft_query_def* filter, uint32_t capacity,
                                  weft_query_hit* hits, uint32_t* count) {
  const weft_query_def def = query_of(WEFT_QUERY_BOX, lower, upper, filter);
  return weft_world_query(world, &def, capacity, hits, count);
}

static inline weft_result ask_closest(const weft_world* world, const float* point, float length,
                                      const weft_query_def* filter, weft_query_hit* hit,
                                      bool* found) {
  weft_query_def def = query_of(WEFT_QUERY_CLOSEST, point, NULL, filter);
  def.length = length;
  return ask_one(world, &def, hit, found);
}

static inline weft_result ask_nearest(const weft_world* world, const float* point, float length,
                                      const weft_query_def* filter, uint32_t capacity,
                                      weft_query_hit* hits, uint32_t* count) {
  weft_query_def def = query_of(WEFT_QUERY_NEAREST, point, NULL, filter);
  def.length = length;
  return weft_world_query(world, &def, capacity, hits, count);
}

#endif
