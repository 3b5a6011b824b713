/* Joints: XPBD constraints between a particle and a point, solved after every sweep over the links
 * and after the direct solver. (Macklin, Mueller, Chentanez 2016, "XPBD")
 *
 * A particle x0 is held at a distance r from the point q = c1 x1 + c2 x2 + c3 x3. With inverse
 * masses wi, d = x0 - q, compliance a, multiplier u and W = w0 + c1^2 w1 + c2^2 w2 + c3^2 w3:
 *
 *     u' = (|d| - r + W u) / (W + a / h^2),      clamped to >= 0 if it only resists stretch, and to
 *                                                <= 0 if it only resists compression
 *     x0 -= w0 (u' - u) d / |d|,   xi += ci wi (u' - u) d / |d|
 *
 * For r = 0 the two are welded along each axis: u is a vector, and d / |d| drops out. Joints
 * conserve momentum. The force is |u| / h^2. */
#ifndef WEFT_SOLVERS_JOINTS_JOINTS_H
#define WEFT_SOLVERS_JOINTS_JOINTS_H

#include "parallel/step_context.h"
#include "tables/joints.h"

typedef struct weft__joint_pass {
  double inv_step_sq; /* force over multiplier, 1/seconds^2 */
  double h;           /* seconds of a substep */
  bool first;         /* clears multipliers */
  bool last;          /* evaluates forces, at which joints may break */
  bool is_backward;
  /* Joints to be solved, NULL: all */
  bool (*takes)(const void* context, const weft__joint* joint);
  const void* context;
} weft__joint_pass;

/* Joints that share a particle are one set. */
extern const weft__halo_rows weft__joint_rows;

void weft__joints_solve(weft__joints* joints, weft__joint_pass pass, weft__step_context* step);

#endif
