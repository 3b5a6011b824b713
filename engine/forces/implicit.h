/* Implicit Euler: the change of velocities dv over a substep of h seconds, by the forces at its end, as far
 * as forces are linear in positions x and velocities v:
 *
 *     (M - h D - h^2 K) dv = h (f + h K v)        K = df / dx,  D = df / dv,  M the masses
 *
 * (Baraff, Witkin 1998, "Large steps in cloth simulation", equation 6.) A spring of stiffness k and damping
 * c along u puts the same 3 x 3 block, with opposite signs, between its two ends and on each of them:
 *
 *     -K:  k u u^T + k max(0, 1 - rest / length) (I - u u^T)          -D:  c u u^T
 *
 * A spring that is too short would have a negative second part, and is taken to have none, so that the
 * matrix stays positive definite (Choi, Ko 2002, "Stable but responsive cloth", section 3). Pins have dv = 0.
 *
 * The matrix is never put together: each particle adds the blocks at its springs' ends times the vector, in
 * their order. The system is solved by conjugate gradients, preconditioned by the diagonal, in double
 * precision. Sums over all particles are made of the sums of patches, in their order, by every worker for
 * itself. Stopped early it still has no more energy than the whole solution. */
#ifndef WEFT_FORCES_IMPLICIT_H
#define WEFT_FORCES_IMPLICIT_H

#include "forces/springs.h"
#include "forces/substep.h"

/* One end of a spring in this substep: what its block does along u and across it, in kilograms. */
typedef struct weft__tangent {
  double u[3];
  double along, across;
} weft__tangent;

typedef struct weft__implicit {
  const weft__springs* springs;
  weft__tangent* tangents; /* as springs->ends */
  double (*change)[3];     /* of velocities, metres per second [particle_count] */
  double (*residual)[3];   /* kilogram metres per second */
  double (*search)[3];     /* metres per second */
  double (*image)[3];      /* of the search: the matrix times it */
  double (*diagonal)[3];   /* one over it, 1/kilograms */
  double* residual_sums;   /* [patch_count] */
  double* search_sums;     /* [patch_count] */
  void* block;             /* the one allocation behind all columns; NULL = there are none */
  size_t bytes;
} weft__implicit;

/* False when memory cannot be had; the caller destroys it either way. */
bool weft__implicit_create(weft__implicit* implicit, const weft__springs* springs,
                           const weft__schedule* schedule);
void weft__implicit_destroy(weft__implicit* implicit);

/* Lets the velocities of all free particles fade and adds their change. Called by all workers, which have to
 * meet afterwards. */
void weft__implicit_solve(const weft__implicit* implicit, const weft__substep* substep,
                          uint32_t worker);

#endif
