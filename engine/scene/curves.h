/* Curves of force against strain, for springs.
 *
 * Piecewise linear; outer pieces go on beyond the ends. All curves' points are in one array. Work
 * is the force's integral from the first point: a spring's energy is a difference of two values.
 *
 *     points      0 1 2   3 4   5 6 7 8      first   0 3 5 9
 *     curve       1 1 1   2 2   3 3 3 3 */
#ifndef WEFT_SCENE_CURVES_H
#define WEFT_SCENE_CURVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct weft__force_point {
  double strain; /* length / rest_length - 1 */
  double force;  /* newtons, tension above 0 */
  double work;   /* newtons: integral over the strain since the curve's first point */
} weft__force_point;

typedef struct weft__force_curves {
  uint32_t count;
  size_t first_capacity, point_capacity;
  uint32_t* first; /* a curve's first point, and the end [count + 1]; unset if there is none */
  weft__force_point* points; /* [first[count]] */
} weft__force_curves;

/* Checked curve. Nothing is lost if it fails. */
bool weft__force_curves_push(weft__force_curves* curves, const float* strains, const float* forces,
                             uint32_t count);

bool weft__force_curves_copy(weft__force_curves* copy, const weft__force_curves* curves);

/* Writes the number of each curve of `other`, added if missing, from 1 [other count + 1]. Some may
 * be added if it fails. */
bool weft__force_curves_merge(weft__force_curves* curves, const weft__force_curves* other,
                              uint32_t* curve_of);

size_t weft__force_curves_bytes(const weft__force_curves* curves);
void weft__force_curves_destroy(weft__force_curves* curves);

#endif
