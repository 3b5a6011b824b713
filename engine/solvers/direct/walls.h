/* Trees that stand on walls. The bounds come last in a substep and move each particle by itself: a leg that is
 * solved as if there were no floor pushes its foot, which is light, far below it and the body, which is heavy, up
 * by next to nothing. Put back on the floor, the foot leaves the leg as much too short as it was. So where the
 * bounds are on, the solve of a tree knows them.
 *
 *   1  What is at a wall or beyond is put on it and held there by a mass that is HOLD times its own. How far
 *      that yet moves says how hard the wall presses. What a wall would have to pull is let go, what has come to
 *      one since is held, and the tree solved again.
 *   2  With friction, what is held is held along the wall as well, where it was when the substep began, and
 *      the tree solved again. That is how things stand where Coulomb's law lets the wall bear so much.
 *   3  What it does not let slips, and gets the friction there is as a blow against the way it went in 1; the tree
 *      is solved a last time.
 *
 * Each solve starts anew, as a tree that has its lengths already is none to solve. Where 2 or 3 find no solution,
 * as when a rod is held at both ends, what 1 has found stays. Then the bounds have the last word, as they have
 * with all particles: they are left the depth at which a wall was met, with the bounce and the friction of that. */
#ifndef WEFT_SOLVERS_DIRECT_WALLS_H
#define WEFT_SOLVERS_DIRECT_WALLS_H

#include "solvers/direct/solve.h"
#include "tables/bounds.h"

/* A tree that is being solved, and what is around it. */
typedef struct weft__tree_in_bounds {
  const weft__bounds* bounds;
  const weft__particles* particles;
  const uint32_t* particle; /* of each node [count] */
  uint32_t count;
  weft__tree_joint* joints; /* [count] */
} weft__tree_in_bounds;

/* Holds what is at a wall. True if anything has come to one. */
bool weft__tree_meet_walls(const weft__tree_in_bounds* tree);

/* Lets go what a wall would have to pull. True if anything was. */
bool weft__tree_leave_walls(const weft__tree_in_bounds* tree);

/* Holds along walls what is held by them, and keeps what was found without. False where nothing is held. */
bool weft__tree_stick(const weft__tree_in_bounds* tree);

/* Lets slip what friction does not hold. True if anything does. */
bool weft__tree_slip(const weft__tree_in_bounds* tree);

/* Back to what weft__tree_stick() has kept. */
void weft__tree_go_back(const weft__tree_in_bounds* tree);

/* All nodes are where they were, but for what is held. */
void weft__tree_start_anew(const weft__tree_in_bounds* tree);

#endif
