/* Wall contacts of trees. The bounds project each particle by itself at the end of a substep. A leg
 * solved without regard to the floor pushes its light foot far below it and raises the heavy body
 * by next to nothing; projected back onto the floor, the foot leaves the leg as short as it was.
 * With bounds on, the direct solver therefore treats walls as contacts:
 *
 *   1  Normal contact: a node at a wall or beyond is placed on it and held by a penalty mass, 1e8
 *      times its own. The remaining displacement measures the contact force. Contacts that would
 *      pull are dropped, new ones are added, and the tree is solved again.
 *   2  Static friction: nodes in contact are held along the wall as well, at their position at the
 *      start of the substep, and the tree is solved again. The result stands where Coulomb's law
 *      allows the tangential force.
 *   3  Sliding: all other nodes in contact are released along the wall and get the kinetic friction
 *      as an impulse against their slip in 1; the tree is solved a last time.
 *
 * Each solve starts from the initial positions, as a tree that satisfies its lengths already has
 * nothing to solve. If 2 or 3 does not converge, as for a rod held at both ends, the result of 1
 * stands. The bounds come last, as for all particles: they receive the depth of each contact, and
 * apply the restitution and friction that belong to it. */
#ifndef WEFT_SOLVERS_DIRECT_WALL_CONTACTS_H
#define WEFT_SOLVERS_DIRECT_WALL_CONTACTS_H

#include "solvers/direct/solve.h"
#include "tables/bounds.h"

/* A tree during its solve, with the bounds. */
typedef struct weft__tree_in_bounds {
  const weft__bounds* bounds;
  const weft__particles* particles;
  const uint32_t* particle; /* particle of each node [count] */
  uint32_t count;
  weft__tree_joint* joints; /* [count] */
} weft__tree_in_bounds;

/* Adds contacts for nodes at or beyond a wall. True if there are new ones. */
bool weft__tree_add_contacts(const weft__tree_in_bounds* tree);

/* Drops contacts whose wall would have to pull. True if there were any. */
bool weft__tree_drop_contacts(const weft__tree_in_bounds* tree);

/* Static friction: holds nodes in contact along their walls, after storing the frictionless result.
 * False if no node is in contact. */
bool weft__tree_stick(const weft__tree_in_bounds* tree);

/* Coulomb's law: releases the nodes whose tangential force exceeds the friction limit. True if
 * there are any. */
bool weft__tree_slip(const weft__tree_in_bounds* tree);

/* Restores the result that weft__tree_stick() has stored. */
void weft__tree_restore_frictionless(const weft__tree_in_bounds* tree);

/* Resets all nodes to their start, or to the target of their penalty. */
void weft__tree_restart(const weft__tree_in_bounds* tree);

#endif
