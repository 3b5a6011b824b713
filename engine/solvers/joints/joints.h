/* Joints are solved after every sweep over the links, and once more after trees.
 *
 * A joint holds a particle x0 at a distance r from the point q = c1 x1 + c2 x2 + c3 x3. With inverse masses
 * wi, d = x0 - q and a compliance a it has a multiplier u, as a link has, and the mass of both its sides is
 * that of W = w0 + c1^2 w1 + c2^2 w2 + c3^2 w3 (Macklin, Mueller, Chentanez 2016, "XPBD"):
 *
 *     u' = (|d| - r + W u) / (W + a / h^2),      not below 0 if it only resists being longer, and not above
 *                                                if it only resists being shorter
 *     x0 -= w0 (u' - u) d / |d|,   xi += ci wi (u' - u) d / |d|
 *
 * Where r is 0 there is no direction that stays: the two are then welded along each axis, u is a vector, and
 * d / |d| drops out. Whatever a joint moves keeps its momentum, and its force is |u| / h^2. */
#ifndef WEFT_SOLVERS_JOINTS_JOINTS_H
#define WEFT_SOLVERS_JOINTS_JOINTS_H

#include "parallel/worker_pool.h"
#include "tables/joints.h"
#include "tables/particles.h"

/* Which of a substep's turns this is. */
typedef struct weft__joint_turn {
  double inv_step_sq; /* one over the substep squared */
  bool first;         /* nothing has been pulled yet */
  bool last;          /* what has been pulled is the substep's force, at which a joint may break */
} weft__joint_turn;

/* Called by all workers, which meet before it returns: solves all joints once. They must be sorted. */
void weft__joints_solve(const weft__joints* joints, const weft__particles* particles,
                        weft__joint_turn turn, weft__worker_pool* pool, uint32_t worker);

#endif
