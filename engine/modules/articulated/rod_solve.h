/* Direct solver of rods: an implicit step of stretch, bending and twist of a whole rod at once, by
 * Newton's method on positions and frames, with block elimination from the last point to the first.
 *
 * Point k has mass m and started the substep at x*. Segment k joins it to point k - 1, with the
 * frame q_k, its axis t = q_k e3 and the length l. The step minimizes, h being the substep,
 *
 *     sum of m |x - x*|^2 / 2 + I (turn about t - h spin)^2 / 2 + h^2 (energies of rod_strain.h)
 *     with  x_k - x_(k-1) = (l + e) t     for each segment
 *
 * so that the rod has no shear (Kirchhoff), and frames have no inertia but the spin's. Only a
 * compliant segment has a stretch e, of energy e^2 / (2 a), a = compliance / h^2. An iteration
 * solves for moves d of points and turns p of frames. W_k(d, p), quadratic with matrix A and vector
 * b, is the least that point k and all beyond it can reach by moves of their own. From W_k to
 * W_(k-1):
 *
 *     1  stretch   the least over e: a rank-one term off A
 *     2  length    d = d_(k-1) + l p x t - c, c being the error of the segment: A and b in p and
 *                  d_(k-1)
 *     3  bend      + (stiffness and moment of the element at point k - 1, between p and p_(k-1))
 *     4  turn      the least over p: a symmetric 3 x 3 inverse
 *
 *     o---k-1---o----k----o---      W_k gathers all to the right of point k - 1
 *         p_(k-1)   p_k   d_k
 *
 * Geometric stiffness, tension times l across t, resists turns of taut segments, with the tension
 * of the last iteration or substep; compressed segments have none, so that all matrices are
 * positive definite. The residual is exact either way, and buckling loads with it. A pinned point
 * has 1e8 times the mass of the heaviest free one: it takes any infeasible part of the lengths, and
 * stays.
 *
 * Rejected:
 *   - the direct solver of trees with more unknowns a node: its multiplier is a scalar, as a link
 * has one direction; here a segment's force is a vector, and lengths leave no multiplier at all
 *   - discrete elastic rods (Bergou et al. 2008, 2010): blocks of 4 with a bandwidth of two, as
 * dear as these 6 x 6 ones, and an indefinite Hessian
 *   - positions and quaternions (Kugelstadt and Schoemer 2016), swept: a rod is as soft as its
 *     resolution is fine; solved directly (Deul et al. 2018): 12 unknowns and multipliers a segment
 *     in place of 6
 *   - reduced coordinates, only frames: rods held at both ends have a stiff constraint at the far
 *     end, whose curvature spoils Newton's method
 *
 * Branches would cost nothing more, as W of several children adds up. */
#ifndef WEFT_MODULES_ARTICULATED_ROD_SOLVE_H
#define WEFT_MODULES_ARTICULATED_ROD_SOLVE_H

#include "modules/articulated/rod_strain.h"
#include "modules/articulated/rods.h"
#include "parallel/step_context.h"

/* By rows. */
typedef struct weft__rod_matrix {
  weft__vec3 row[3];
} weft__rod_matrix;

/* In a point's move d and its segment's turn p. */
typedef struct weft__rod_quadratic {
  weft__symmetric dd, pp;
  weft__rod_matrix pd; /* rows by p */
  weft__vec3 d, p;     /* minus the gradient */
} weft__rod_quadratic;

struct weft__rod_node {
  weft__vec3 position; /* metres */
  weft__vec3 start;    /* x* */
  double mass;         /* kilograms; pinned: the mass that holds it */
  bool is_free;
  bool is_whole; /* a segment that is not torn */
  double rest_length, compliance, multiplier;
  double inertia; /* I, kg m2 */
  double frame[4], start_frame[4];
  bool is_unmoved;   /* the frame has turned only by spin */
  double spun;       /* radians: h spin */
  weft__vec3 torque; /* from outside, times h^2 */

  double length;                  /* metres: l + e */
  weft__vec3 axis;                /* t */
  weft__vec3 error;               /* c */
  bool has_bend, has_parent_bend; /* element at point k - 1; it joins segment k - 1 */
  weft__rod_bend bend;            /* times h^2 */

  weft__rod_quadratic w;           /* W, after 1 */
  weft__vec3 stretch_d, stretch_p; /* A (t, 0) */
  double stretch_b, stretch_s;
  weft__vec3 turn_b;        /* turn for d = p = 0 of the parent, */
  weft__rod_matrix by_move; /* and its derivatives, with the signs of rod_solve.c */
  weft__rod_matrix by_turn;

  weft__vec3 move, turn;
  double change;
};

void weft__rods_solve(const weft__rods* rods, uint32_t iterations, weft__step_context* step);

void weft__rods_add_multipliers(const weft__rods* rods, float* multiplier);

/* Newton metres in the world, from the part behind point k on the part before. 0 where nothing is
 * held. */
weft__vec3 weft__rod_moment(const weft__rods* rods, uint32_t rod, uint32_t k);

/* joules of bending and twist */
double weft__rods_energy(const weft__rods* rods);

#endif
