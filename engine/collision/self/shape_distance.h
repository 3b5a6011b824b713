/* Signed distance from a point to a box or an ellipsoid at the origin, aligned with the axes.
 *
 * An ellipsoid's is first-order, (k - 1) / |grad k|, k = |x / h|: exact on the surface and for
 * spheres, elsewhere too small, by less than the aspect ratio. Contacts are corrected in rounds. */
#ifndef WEFT_COLLISION_SELF_SHAPE_DISTANCE_H
#define WEFT_COLLISION_SELF_SHAPE_DISTANCE_H

#include <math.h>

#include "collision/materials.h"

typedef struct weft__shape_distance {
  float distance;  /* metres, negative inside */
  float normal[3]; /* outwards, unit */
} weft__shape_distance;

static inline uint32_t weft__smallest_axis(const float v[3]) {
  const uint32_t smallest = v[1] < v[0] ? 1 : 0;
  return v[2] < v[smallest] ? 2 : smallest;
}

static inline weft__shape_distance weft__shape_distance_along(uint32_t axis, float sign,
                                                              float distance) {
  weft__shape_distance result = {.distance = distance};
  result.normal[axis] = sign;
  return result;
}

static inline weft__shape_distance weft__shape_distance_box(const float half[3], const float o[3]) {
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
    const uint32_t axis = weft__smallest_axis(inside);
    return weft__shape_distance_along(axis, o[axis] < 0.0f ? -1.0f : 1.0f, -inside[axis]);
  }
  const float distance = sqrtf(sum);
  return (weft__shape_distance){distance,
                                {out[0] / distance, out[1] / distance, out[2] / distance}};
}

static inline weft__shape_distance weft__shape_distance_ellipsoid(const float half[3],
                                                                  const float o[3]) {
  float gradient[3];
  float k_sq = 0.0f;
  float gradient_sq = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    const float scaled = o[axis] / half[axis];
    gradient[axis] = scaled / half[axis];
    k_sq += scaled * scaled;
    gradient_sq += gradient[axis] * gradient[axis];
  }
  const float k = sqrtf(k_sq);
  const float length = sqrtf(gradient_sq);
  // the gradient vanishes at the centre; the shortest axis leads out
  if (!(k > 1e-6f) || !(length > 0.0f)) {
    const uint32_t axis = weft__smallest_axis(half);
    return weft__shape_distance_along(axis, o[axis] < 0.0f ? -1.0f : 1.0f, -half[axis]);
  }
  return (weft__shape_distance){k * (k - 1.0f) / length,
                                {gradient[0] / length, gradient[1] / length, gradient[2] / length}};
}

static inline weft__shape_distance weft__shape_distance_body(const weft__material* body,
                                                             const float o[3]) {
  return body->shape == WEFT_PARTICLE_SHAPE_BOX
             ? weft__shape_distance_box(body->half_size, o)
             : weft__shape_distance_ellipsoid(body->half_size, o);
}

#endif
