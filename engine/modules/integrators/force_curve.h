#ifndef WEFT_MODULES_INTEGRATORS_FORCE_CURVE_H
#define WEFT_MODULES_INTEGRATORS_FORCE_CURVE_H

#include "scene/curves.h"

/* Curve number, from 1, at a strain. */
typedef struct weft__force_value {
  double force; /* newtons */
  double slope; /* newtons per unit of strain */
  double work;  /* newtons: integral over the strain since strain 0 */
} weft__force_value;

weft__force_value weft__force_curve_at(const weft__force_curves* curves, uint32_t curve,
                                       double strain);

#endif
