#ifndef WEFT_BASE_AABB_H
#define WEFT_BASE_AABB_H

#include <math.h>
#include <stdbool.h>

#include "base/vec3.h"

typedef struct weft__aabb {
  float lower[3], upper[3];
} weft__aabb;

/* Empty box: the identity of weft__aabb_add(). */
static inline weft__aabb weft__aabb_empty(void) {
  return (weft__aabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

/* NaN is ignored. */
static inline void weft__aabb_add(weft__aabb* box, const weft__aabb* other) {
  for (int axis = 0; axis < 3; ++axis) {
    if (other->lower[axis] < box->lower[axis]) box->lower[axis] = other->lower[axis];
    if (other->upper[axis] > box->upper[axis]) box->upper[axis] = other->upper[axis];
  }
}

static inline void weft__aabb_add_point(weft__aabb* box, const float* point) {
  for (int axis = 0; axis < 3; ++axis) {
    if (point[axis] < box->lower[axis]) box->lower[axis] = point[axis];
    if (point[axis] > box->upper[axis]) box->upper[axis] = point[axis];
  }
}

static inline void weft__aabb_inflate(weft__aabb* box, float by) {
  for (int axis = 0; axis < 3; ++axis) {
    box->lower[axis] -= by;
    box->upper[axis] += by;
  }
}

static inline bool weft__aabb_contains(const weft__aabb* outer, const weft__aabb* inner) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!(outer->lower[axis] <= inner->lower[axis] && outer->upper[axis] >= inner->upper[axis]))
      return false;
  }
  return true;
}

/* Touching counts as overlap. */
static inline bool weft__aabb_overlaps(const weft__aabb* a, const weft__aabb* b) {
  return a->lower[0] <= b->upper[0] && b->lower[0] <= a->upper[0] && a->lower[1] <= b->upper[1] &&
         b->lower[1] <= a->upper[1] && a->lower[2] <= b->upper[2] && b->lower[2] <= a->upper[2];
}

/* Slab test of one axis: clips a line's range `enter` to `leave`, in units of its displacement, to
 * the slab from `lower` to `upper`, relative to the line's start. False if parallel to the slab and
 * outside it. (Kay, Kajiya 1986, "Ray tracing complex scenes") */
static inline bool weft__clip_to_slab(double lower, double upper, double displacement,
                                      double* enter, double* leave) {
  if (displacement == 0.0) return lower <= 0.0 && upper >= 0.0;
  const double first = (displacement > 0.0 ? lower : upper) / displacement;
  const double last = (displacement > 0.0 ? upper : lower) / displacement;
  if (first > *enter) *enter = first;
  if (last < *leave) *leave = last;
  return true;
}

static inline float weft__float_below(double value) {
  const float nearest = (float)value;
  return (double)nearest > value ? nextafterf(nearest, -INFINITY) : nearest;
}

static inline float weft__float_above(double value) {
  const float nearest = (float)value;
  return (double)nearest < value ? nextafterf(nearest, INFINITY) : nearest;
}

/* Rounded outwards. */
static inline weft__aabb weft__aabb_around(weft__vec3 lower, weft__vec3 upper) {
  return (weft__aabb){
      {weft__float_below(lower.x), weft__float_below(lower.y), weft__float_below(lower.z)},
      {weft__float_above(upper.x), weft__float_above(upper.y), weft__float_above(upper.z)}};
}

/* Points within `reach` of the segment from a to b, and more. */
static inline weft__aabb weft__aabb_around_path(weft__vec3 a, weft__vec3 b, double reach) {
  const weft__vec3 grown = {reach, reach, reach};
  return weft__aabb_around(weft__minus(weft__lower_of(a, b), grown),
                           weft__plus(weft__upper_of(a, b), grown));
}

#endif
