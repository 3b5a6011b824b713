#ifndef WEFT_BASE_VEC3_H
#define WEFT_BASE_VEC3_H

#include <math.h>
#include <stddef.h>

typedef struct weft__vec3 {
  double x, y, z;
} weft__vec3;

static inline weft__vec3 weft__vec3_of(const float values[3]) {
  return (weft__vec3){(double)values[0], (double)values[1], (double)values[2]};
}

static inline void weft__vec3_store(weft__vec3 a, float to[3]) {
  to[0] = (float)a.x;
  to[1] = (float)a.y;
  to[2] = (float)a.z;
}

static inline weft__vec3 weft__vec3_at(float* const column[3], size_t i) {
  return (weft__vec3){(double)column[0][i], (double)column[1][i], (double)column[2][i]};
}

static inline void weft__vec3_set(float* const column[3], size_t i, weft__vec3 a) {
  column[0][i] = (float)a.x;
  column[1][i] = (float)a.y;
  column[2][i] = (float)a.z;
}

static inline void weft__load3(float* const column[3], size_t i, float to[3]) {
  for (int axis = 0; axis < 3; ++axis) to[axis] = column[axis][i];
}

static inline void weft__store3(float* const column[3], size_t i, const float from[3]) {
  for (int axis = 0; axis < 3; ++axis) column[axis][i] = from[axis];
}

static inline weft__vec3 weft__scaled(double s, weft__vec3 a) {
  return (weft__vec3){s * a.x, s * a.y, s * a.z};
}

static inline weft__vec3 weft__plus(weft__vec3 a, weft__vec3 b) {
  return (weft__vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline weft__vec3 weft__minus(weft__vec3 a, weft__vec3 b) {
  return (weft__vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline double weft__dot(weft__vec3 a, weft__vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline weft__vec3 weft__cross(weft__vec3 a, weft__vec3 b) {
  return (weft__vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double weft__length(weft__vec3 a) {
  return sqrt(weft__dot(a, a));
}

static inline weft__vec3 weft__lower_of(weft__vec3 a, weft__vec3 b) {
  return (weft__vec3){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}

static inline weft__vec3 weft__upper_of(weft__vec3 a, weft__vec3 b) {
  return (weft__vec3){a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

static inline double weft__largest_component(weft__vec3 a) {
  const double x = fabs(a.x);
  const double y = fabs(a.y);
  const double z = fabs(a.z);
  const double larger = x > y ? x : y;
  return larger > z ? larger : z;
}

static inline float weft__dot3(const float a[3], const float b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double weft__triple(const double a[3], const double b[3], const double c[3]) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

#endif
