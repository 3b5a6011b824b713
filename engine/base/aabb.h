/* Boxes along the axes, in single precision: what a broad phase looks at first. */
#ifndef WEFT_BASE_AABB_H
#define WEFT_BASE_AABB_H

#include <math.h>
#include <stdbool.h>

#include "base/vec3.h"

typedef struct weft__box {
  float least[3], most[3]; /* metres; may be infinite */
} weft__box;

/* The box of nothing: no finite box overlaps it, and it adds nothing to another. */
static inline weft__box weft__empty_aabb(void) {
  return (weft__box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

/* Makes a box hold another one, too. What is NaN is left out. */
static inline void weft__aabb_add(weft__box* box, const weft__box* other) {
  for (int axis = 0; axis < 3; ++axis) {
    if (other->least[axis] < box->least[axis]) box->least[axis] = other->least[axis];
    if (other->most[axis] > box->most[axis]) box->most[axis] = other->most[axis];
  }
}

static inline void weft__aabb_add_point(weft__box* box, const float* point) {
  for (int axis = 0; axis < 3; ++axis) {
    if (point[axis] < box->least[axis]) box->least[axis] = point[axis];
    if (point[axis] > box->most[axis]) box->most[axis] = point[axis];
  }
}

/* Touching is overlapping. */
static inline bool weft__aabbs_overlap(const weft__box* a, const weft__box* b) {
  return a->least[0] <= b->most[0] && b->least[0] <= a->most[0] && a->least[1] <= b->most[1] &&
         b->least[1] <= a->most[1] && a->least[2] <= b->most[2] && b->least[2] <= a->most[2];
}

/* A float at most, or at least, as large. */
static inline float weft__float_below(double value) {
  const float nearest = (float)value;
  return (double)nearest > value ? nextafterf(nearest, -INFINITY) : nearest;
}

static inline float weft__float_above(double value) {
  const float nearest = (float)value;
  return (double)nearest < value ? nextafterf(nearest, INFINITY) : nearest;
}

/* The smallest box around what lies between two corners. */
static inline weft__box weft__aabb_around(weft__vec3 least, weft__vec3 most) {
  return (weft__box){
      {weft__float_below(least.x), weft__float_below(least.y), weft__float_below(least.z)},
      {weft__float_above(most.x), weft__float_above(most.y), weft__float_above(most.z)}};
}

#endif
