/* Direct articulated solver for one tree: Newton's method on all links together finds the smallest
 * move, weighted by mass, that restores their lengths. (Baraff 1996, "Linear-time dynamics using
 * Lagrange multipliers"; geometric stiffness: Andrews, Teichmann and Kry 2017, "Geometric stiffness
 * for real-time constrained multibody dynamics"; compliance: Macklin, Mueller, Chentanez 2016)
 *
 * Link q joins node q to its parent p in direction n. It has the error C, the Lagrange multiplier
 * mu (its tension times h^2) and the compliance a = compliance / h^2, and is longer by a mu under
 * load. Node q has mass m and started at x*. An iteration solves for moves dx and new multipliers
 * mu':
 *
 *     m (x + dx - x*) = sum of the forces of its links          for each node
 *     C + n . (dx_q - dx_p) = a mu'                             for each link
 *
 * A link acts on q with f = -n mu' - s P (dx_q - dx_p), and on p with the opposite. P = I - n n^T,
 * and the geometric stiffness s = mu / length resists turning of a taut link: without it moves
 * across a loaded rope cost next to nothing, and spoil the lengths of the next iteration.
 * Compressed links have s = 0, so that a solution always exists.
 *
 * Nodes are eliminated from the leaves to the root. A and b sum the contributions of the children
 * of q, and its own m and -m (x - x*):
 *
 *     B = A + s P       u = B^-1 n     v = B^-1 b     t = s P u - n
 *     r = C + n . v     1/k = n . u + a               mu' = k (r + t . dx_p)
 *     A_p += k t t^T + s P - s^2 P B^-1 P             b_p += s P v - k r t
 *
 * Back substitution gives dx_q = v - mu' u + s B^-1 P dx_p; the root moves by A^-1 b. A pinned node
 * has B^-1 = 0. Time and memory are linear in the number of links.
 *
 * Energy: with symmetric sweeps n is the direction of d1 + b d0, d1 the offset at the end of the
 * substep and d0 the one a substep before its begin. Links of constant length then do no work,
 * however long the substep: (d1 + d0) . (d1 - d0) = |d1|^2 - |d0|^2. Compliant links act by the
 * error C1 + c C0. Motion that a substep does not resolve is damped, or a loaded rope that whips
 * would explode: with x = (w_p + w_q) mu / |d|, the squared phase of a swing in a substep, b = (1 -
 * 0.1 x / (1 + x)) / (1 + x / 400); c = a / (a + w_p + w_q), near 0 for stiff links, which would
 * ring. Links that turn far, and trees in contact or with other links, act along d1 by C1. (Simo,
 * Tarnow, Wong 1992, "Exact energy-momentum conserving algorithms and symplectic schemes for
 * nonlinear dynamics")
 *
 * Warm start: the last step's multipliers, or else a trial iteration's.
 *
 * A taut rope between two pins is overdetermined: the link of a pin that is not the root has a
 * compliance on the change of its multiplier, a millionth of the inverse mass at its other end. An
 * infeasible error moves nothing, and the rest is solved in the next iteration.
 *
 * Damped Newton: moves are scaled until no link's ends move relative to each other by more than
 * half its length, then halved until the sum of squared errors falls, and rejected if it does not.
 */
#ifndef WEFT_MODULES_ARTICULATED_TREE_SOLVE_H
#define WEFT_MODULES_ARTICULATED_TREE_SOLVE_H

#include "modules/articulated/symmetric.h"
#include "modules/articulated/tree_contacts.h"

struct weft__tree_joint {
  weft__vec3 position; /* metres: x */
  weft__vec3 start;    /* x* */
  double mass;         /* kilograms; 0 if inv_mass is 0 */
  double inv_mass;
  double rest_length;      /* metres */
  double compliance;       /* a */
  double multiplier;       /* mu */
  double first_multiplier; /* of the last substep, at this h */
  weft__vec3 before;       /* offset from the parent at the begin of the last substep, or 0 */
  double length_before;
  uint32_t parent;
  bool is_linked; /* false: no constraint to the parent */

  const weft__tree_node_contacts* contacts;

  weft__vec3 direction; /* n; 0 if the ends coincide */
  bool is_active;
  double error;     /* C */
  double stiffness; /* s */

  weft__symmetric system;    /* A, then B */
  weft__vec3 rhs;            /* b */
  weft__symmetric inverse;   /* B^-1 */
  weft__vec3 response;       /* u */
  weft__vec3 free_move;      /* v */
  weft__vec3 coupling;       /* t */
  double residual;           /* r */
  double inv_effective_mass; /* 1/k */

  weft__vec3 move; /* dx */
  double change;   /* mu' - mu */
};

typedef struct weft__tree_solver {
  uint32_t iterations;                /* limit of a solve; a tree in contact has several */
  weft__tree_find_planes find_planes; /* NULL: no colliders */
  weft__tree_record record;           /* NULL: contacts are not recorded */
  weft__step_context* step;
} weft__tree_solver;

/* Positions, before the solve, result from inertia and forces. */
void weft__tree_load(const weft__trees* trees, uint32_t tree, const weft__step_context* step,
                     weft__tree_joint* joints);
void weft__tree_store(const weft__trees* trees, uint32_t tree, const weft__step_context* step,
                      const weft__tree_joint* joints);

void weft__tree_solve(const weft__tree_solver* solver, const weft__trees* trees, uint32_t tree,
                      uint32_t worker, const weft__tree_memory* memory);

void weft__trees_add_multipliers(const weft__trees* trees, float* multiplier);

void weft__trees_solve(const weft__trees* trees, const weft__tree_solver* solver);

#endif
