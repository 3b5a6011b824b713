/* NaN gives the other number, equality b: fmin() and fmax() of C libraries differ in +0, -0. */
#ifndef WEFT_BASE_MIN_MAX_H
#define WEFT_BASE_MIN_MAX_H

static inline double weft__min(double a, double b) {
  return a < b || b != b ? a : b;
}

static inline double weft__max(double a, double b) {
  return a > b || b != b ? a : b;
}

static inline float weft__minf(float a, float b) {
  return a < b || b != b ? a : b;
}

static inline float weft__maxf(float a, float b) {
  return a > b || b != b ? a : b;
}

/* 0 to 1; 0 if NaN. */
static inline double weft__clamp_unit(double value) {
  if (!(value > 0.0)) return 0.0;
  return value < 1.0 ? value : 1.0;
}

/* -bound to bound; bound if NaN. */
static inline float weft__clampf(float value, float bound) {
  const float below = value < bound ? value : bound;
  return below > -bound ? below : -bound;
}

#endif
