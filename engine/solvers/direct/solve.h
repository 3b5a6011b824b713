/* The direct solve of one tree: of all moves that give its links their lengths the least one, in
 * masses times squares, by Newton's method for all links together.
 *
 * Link q joins node q to its parent p in direction n. It is C too long, pulls with mu (its tension times
 * h^2) and gives way a mu, a = compliance / h^2. Node q has mass m and started from x*. An iteration looks
 * for moves dx and new multipliers mu' such that
 *
 *     m (x + dx - x*) = sum of the pulls of its links           for each node
 *     C + n . (dx_q - dx_p) = a mu'                             for each link
 *
 * where a link pulls at q with f = -n mu' - s P (dx_q - dx_p), and at p with the opposite. P = I - n n^T
 * and s = mu / length is what keeps a taut link from turning; without it, ropes that bear a load are
 * never solved: a move across would cost next to nothing, as their particles are light, and spoil the
 * lengths of the next iteration. Pushing links have s = 0, so that there is always a solution.
 *
 * On the way to the root nodes are eliminated, leaves first. A and b are the sums of what is left of
 * the children of q, and its own m and -m (x - x*):
 *
 *     B = A + s P       u = B^-1 n     v = B^-1 b     t = s P u - n
 *     r = C + n . v     1/k = n . u + a               mu' = k (r + t . dx_p)
 *     A_p += k t t^T + s P - s^2 P B^-1 P             b_p += s P v - k r t
 *
 * and on the way back dx_q = v - mu' u + s B^-1 P dx_p; the root moves by A^-1 b. What is pinned has
 * B^-1 = 0. Time and memory grow with the number of links.
 *
 * The multipliers of the last step are the first guess, so that two or three iterations do for a rope
 * in motion. Where there are none, those of an iteration that is not made serve.
 *
 * A taut rope between two pins has one link too many, and the system no solution. So the link of a pin
 * that is not the root gives way to what its multiplier changes by, a millionth of what its other end
 * would: what cannot be mended then moves nothing, and the rest is solved in the next iteration.
 *
 * Far from a solution Newton's moves are too long. They are cut until no link's ends move relative to
 * each other by more than half of its length, then halved until the sum of the squared errors falls, and
 * not made at all where it does not. So a solve leaves no tree worse than it found it.
 *
 * Where the tree stands on walls, it is solved several times: see walls.h.
 *
 * (Baraff 1996, "Linear-time dynamics using Lagrange multipliers"; the stiffness s: Andrews, Teichmann
 * and Kry 2017, "Geometric stiffness for real-time constrained multibody dynamics"; compliance: Macklin,
 * Mueller and Chentanez 2016, "XPBD") */
#ifndef WEFT_SOLVERS_DIRECT_SOLVE_H
#define WEFT_SOLVERS_DIRECT_SOLVE_H

#include "solvers/direct/symmetric.h"
#include "solvers/direct/trees.h"
#include "tables/bounds.h"

/* What the solve keeps of a node and of its link to its parent. */
struct weft__tree_joint {
  weft__vec3 position;
  weft__vec3 start; /* x* */
  double mass;      /* kilograms, where inv_mass is not 0 */
  double inv_mass;
  double rest_length; /* metres */
  double give;        /* a */
  double multiplier;  /* mu */
  uint32_t parent;
  bool is_linked; /* false: nothing binds it to its parent */

  /* of walls: see walls.h */
  bool is_held;
  int8_t wall[3];       /* 1 where it is held at the most, -1 at the least, else 0 */
  weft__vec3 held_mass; /* kilograms, of what holds it along each axis; 0 = nothing does */
  weft__vec3 held_at;
  weft__vec3 met_at; /* where it was beyond a wall */
  weft__vec3 slips;  /* its way along walls without friction */
  weft__vec3 found;  /* its position without friction */
  double found_multiplier;
  double depth;    /* metres that it was beyond walls */
  double approach; /* metres that it came towards them in the substep before it met them */

  weft__vec3 along; /* n; 0 where both ends lie in one place */
  bool acts;        /* it is linked, and there is a direction to act in */
  double error;     /* C */
  double stiffness; /* s */

  weft__symmetric sum;     /* A, then B */
  weft__vec3 drag;         /* b */
  weft__symmetric inverse; /* B^-1 */
  weft__vec3 yield;        /* u */
  weft__vec3 pull;         /* v */
  weft__vec3 lead;         /* t */
  double residual;         /* r */
  double softness;         /* 1/k */

  weft__vec3 move; /* dx */
  double change;   /* mu' - mu */
};

/* Takes at most `iterations` iterations for one tree, in `joints`, room for all of its nodes; where it stands on
 * walls of the bounds, that many for each time it is solved. */
void weft__tree_solve(const weft__trees* trees, uint32_t tree, const weft__particles* particles,
                      const weft__bounds* bounds, uint32_t iterations, weft__tree_joint* joints);

/* The same for all trees of a worker. */
void weft__trees_solve(const weft__trees* trees, const weft__particles* particles,
                       const weft__bounds* bounds, uint32_t iterations, uint32_t worker);

#endif
