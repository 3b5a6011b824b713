/* Membrane elements of a scene: triangles that resist strain in their plane, in the bodies' order.
 *
 * F = [a b] is the deformation gradient of a triangle, its columns the images of unit vectors along
 * warp and weft. With S = sqrt(F^T F), the stretch tensor, the strain is S - I (Biot), and with the
 * compliance matrix K^-1 of a material, in metres per newton, and the area A the energy is
 *
 *     A e^T K e / 2        e = (S_uu - 1, S_vv - 1, 2 S_uv) */
#ifndef WEFT_TABLES_MEMBRANES_H
#define WEFT_TABLES_MEMBRANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WEFT__WARP, WEFT__WEFT, WEFT__POISSON, WEFT__SHEAR, WEFT__MEMBRANE_COMPLIANCES };

typedef struct weft__membrane {
  uint32_t particle[3];
  /* 1/metres: a = sum of gradient_u x_i over particles 1 and 2, relative to 0; b so of gradient_v
   */
  float gradient_u[2];
  float gradient_v[2];
  float compliance[WEFT__MEMBRANE_COMPLIANCES]; /* K^-1 / A, 1/joules */
} weft__membrane;

typedef struct weft__membranes {
  uint32_t count;
  size_t capacity;
  weft__membrane* list; /* [count] */
} weft__membranes;

#endif
