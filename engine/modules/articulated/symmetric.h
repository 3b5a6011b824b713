#ifndef WEFT_MODULES_ARTICULATED_SYMMETRIC_H
#define WEFT_MODULES_ARTICULATED_SYMMETRIC_H

#include "base/vec3.h"

typedef struct weft__symmetric {
  double xx, xy, xz, yy, yz, zz;
} weft__symmetric;

/* (I - n n^T) v, n a unit vector. */
static inline weft__vec3 weft__across(weft__vec3 n, weft__vec3 v) {
  return weft__minus(v, weft__scaled(weft__dot(n, v), n));
}

static inline weft__vec3 weft__times(const weft__symmetric* a, weft__vec3 v) {
  return (weft__vec3){a->xx * v.x + a->xy * v.y + a->xz * v.z,
                      a->xy * v.x + a->yy * v.y + a->yz * v.z,
                      a->xz * v.x + a->yz * v.y + a->zz * v.z};
}

static inline void weft__add_square(weft__symmetric* a, double s, weft__vec3 v) {
  const weft__vec3 sv = weft__scaled(s, v);
  a->xx += sv.x * v.x;
  a->xy += sv.x * v.y;
  a->xz += sv.x * v.z;
  a->yy += sv.y * v.y;
  a->yz += sv.y * v.z;
  a->zz += sv.z * v.z;
}

/* a += s (I - n n^T), n a unit vector. */
static inline void weft__add_across(weft__symmetric* a, double s, weft__vec3 n) {
  weft__add_square(a, -s, n);
  a->xx += s;
  a->yy += s;
  a->zz += s;
}

/* Inverse by L D L^T; eigenvalues, and elements of D but for rounding, are >= min_eigenvalue > 0.
 */
static inline weft__symmetric weft__inverse(const weft__symmetric* a, double min_eigenvalue) {
  const double d0 = 1.0 / (a->xx > min_eigenvalue ? a->xx : min_eigenvalue);
  const double l10 = a->xy * d0;
  const double l20 = a->xz * d0;
  const double yy = a->yy - l10 * a->xy;
  const double yz = a->yz - l10 * a->xz;
  const double d1 = 1.0 / (yy > min_eigenvalue ? yy : min_eigenvalue);
  const double l21 = yz * d1;
  const double zz = a->zz - l20 * a->xz - l21 * yz;
  const double d2 = 1.0 / (zz > min_eigenvalue ? zz : min_eigenvalue);
  // L^-1 has the rows (1 0 0), (-l10 1 0), (m20 -l21 1)
  const double m20 = l10 * l21 - l20;
  weft__symmetric inverse;
  inverse.zz = d2;
  inverse.yz = -l21 * d2;
  inverse.xz = m20 * d2;
  inverse.yy = d1 - l21 * inverse.yz;
  inverse.xy = -l10 * d1 - l21 * inverse.xz;
  inverse.xx = d0 + l10 * l10 * d1 + m20 * inverse.xz;
  return inverse;
}

#endif
