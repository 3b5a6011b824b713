/* How far a point is from a box or an ellipsoid around 0, whose axes are those of the world.
 *
 * Of an ellipsoid that is the first-order distance k (k - 1) / |grad k|, where k is 1 on the surface: exact there and
 * on spheres, and too short by less than the ellipsoid is flat elsewhere. What is moved by it is moved again. */
#ifndef WEFT_COLLISION_SELF_SHAPE_DISTANCE_H
#define WEFT_COLLISION_SELF_SHAPE_DISTANCE_H

#include <math.h>

#include "collision/materials.h"

typedef struct weft__gap {
  float distance;  /* metres, negative inside */
  float normal[3]; /* outwards */
} weft__gap;

static inline uint32_t weft__least_axis(const float v[3]) {
  const uint32_t least = v[1] < v[0] ? 1 : 0;
  return v[2] < v[least] ? 2 : least;
}

static inline weft__gap weft__gap_along(uint32_t axis, float sign, float distance) {
  weft__gap gap = {.distance = distance};
  gap.normal[axis] = sign;
  return gap;
}

static inline weft__gap weft__gap_to_box(const float half[3], const float o[3]) {
  float out[3];
  float inside[3];
  float sum = 0.0f;
  for (int k = 0; k < 3; ++k) {
    const float nearest = o[k] > half[k] ? half[k] : o[k] < -half[k] ? -half[k] : o[k];
    out[k] = o[k] - nearest;
    inside[k] = half[k] - fabsf(o[k]);
    sum += out[k] * out[k];
  }
  if (!(sum > 0.0f)) {
    const uint32_t axis = weft__least_axis(inside);
    return weft__gap_along(axis, o[axis] < 0.0f ? -1.0f : 1.0f, -inside[axis]);
  }
  const float distance = sqrtf(sum);
  return (weft__gap){distance, {out[0] / distance, out[1] / distance, out[2] / distance}};
}

static inline weft__gap weft__gap_to_ellipsoid(const float half[3], const float o[3]) {
  float slope[3];
  float k_squared = 0.0f;
  float slope_squared = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    const float part = o[axis] / half[axis];
    slope[axis] = part / half[axis];
    k_squared += part * part;
    slope_squared += slope[axis] * slope[axis];
  }
  const float k = sqrtf(k_squared);
  const float steep = sqrtf(slope_squared);
  // so near its middle there is no way out but the shortest
  if (!(k > 1e-6f) || !(steep > 0.0f)) {
    const uint32_t axis = weft__least_axis(half);
    return weft__gap_along(axis, o[axis] < 0.0f ? -1.0f : 1.0f, -half[axis]);
  }
  return (weft__gap){k * (k - 1.0f) / steep,
                     {slope[0] / steep, slope[1] / steep, slope[2] / steep}};
}

/* The gap between a body and a point that is `o` away from its middle. */
static inline weft__gap weft__gap_to_body(const weft__material* body, const float o[3]) {
  return body->shape == WEFT_CONTACT_BOX ? weft__gap_to_box(body->half_size, o)
                                         : weft__gap_to_ellipsoid(body->half_size, o);
}

#endif
