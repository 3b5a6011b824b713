/* Minimum and maximum of numbers: the other one if one is NaN, and b if they are equal. C leaves
 * open which of +0 and -0 fmin() and fmax() return, and the C libraries differ. */
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

#endif
