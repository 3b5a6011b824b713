/* Implicit Euler for spring forces: the change of velocities dv over a substep of h seconds by the
 * forces at its end, linearized in positions x and velocities v:
 *
 *     (M - h D - h^2 K) dv = h (f + h K v)        K = df / dx,  D = df / dv,  M the masses
 *
 * (Baraff, Witkin 1998, "Large steps in cloth simulation", equation 6.) A spring of stiffness k and
 * damping c along u contributes the same 3 x 3 block, with opposite signs, between its two ends and
 * on each of them:
 *
 *     -K:  k u u^T + k max(0, 1 - rest / length) (I - u u^T)          -D:  c u u^T
 *
 * The second term is clamped at 0: a compressed spring would make it negative, and the matrix must
 * stay positive definite (Choi, Ko 2002, "Stable but responsive cloth", section 3). Pinned
 * particles have dv = 0.
 *
 * The solver is the conjugate gradient method with a diagonal (Jacobi) preconditioner, in double
 * precision, on a matrix that is never assembled. Sums over all particles are sums of patch sums in
 * patch order. Stopped early, the solution has no more energy than the converged one. */
#ifndef WEFT_MODULES_INTEGRATORS_IMPLICIT_H
#define WEFT_MODULES_INTEGRATORS_IMPLICIT_H

#include "modules/integrators/springs.h"
#include "parallel/step_context.h"

/* Eigenvalues of a spring end's block along and across u, kilograms. */
typedef struct weft__tangent {
  double u[3];
  double along, across;
} weft__tangent;

typedef struct weft__implicit {
  const weft__springs* springs;
  weft__tangent* tangents; /* as springs->ends */
  double (*change)[3];     /* dv, metres per second [particle_count] */
  double (*residual)[3];   /* kilogram metres per second */
  double (*search)[3];     /* direction, metres per second */
  double (*product)[3];
  double (*diagonal)[3]; /* inverse, 1/kilograms */
  double* residual_sums; /* [patch_count] */
  double* search_sums;   /* [patch_count] */
  void* block;           /* all columns; NULL: none */
  size_t bytes;
} weft__implicit;

bool weft__implicit_create(weft__implicit* implicit, const weft__springs* springs,
                           const weft__schedule* schedule);
void weft__implicit_destroy(weft__implicit* implicit);

void weft__implicit_solve(const weft__implicit* implicit, weft__step_context* step);

#endif
