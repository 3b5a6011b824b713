/* Contacts of trees with walls and colliders. The stages of walls and colliders project each
 * particle by itself after the trees. A leg solved without the floor pushes its light foot far
 * below it and hardly raises the heavy body; projecting the foot back leaves the leg too short. A
 * rope over a cylinder cuts into it, and its weights fall. The direct solver therefore has contacts
 * of its own, each a plane that a node stays in front of:
 *
 *   1  Normal contact: a node on a plane or behind it is placed on it and held by a penalty mass,
 *      1e10 times its own. The remaining displacement measures the contact force. Contacts that
 *      would pull are dropped, new ones are added, and the tree is solved again.
 *   2  Static friction: nodes in contact are held along their planes as well, at their position at
 *      the start of the substep, moved along with the surface, and the tree is solved again. The
 *      result stands where Coulomb's law allows the tangential force.
 *   3  Sliding: all other nodes in contact are released along their planes and get the kinetic
 *      friction as an impulse against their slip in 1; the tree is solved a last time.
 *
 * Each solve starts from the initial positions, as a tree that satisfies its lengths already has
 * nothing to solve. If 2 or 3 does not converge, as for a rod held at both ends, the result of 1
 * stands. Bounds and colliders come last, as for all particles: they receive the depth of each
 * contact, and apply the restitution and friction that belong to it.
 *
 * A contact's impulse is the node's gain of momentum beyond the forces of its links. Link forces
 * cancel in pairs, so that the sum over a tree is its change of momentum. It is shared among the
 * planes of a node in proportion to their normal forces.
 *
 * The plane of a collider touches it at the point nearest to the node, found once before the
 * solves. Colliders that deform, or turn by much in a substep, have none: only their stage acts.
 */
#ifndef WEFT_MODULES_ARTICULATED_TREE_CONTACTS_H
#define WEFT_MODULES_ARTICULATED_TREE_CONTACTS_H

#include "base/vec3.h"
#include "modules/articulated/trees.h"
#include "parallel/step_context.h"

/* Colliders near a node that are taken into account; with a wall along each axis. */
#define WEFT__TREE_NEAR 2
#define WEFT__TREE_WALLS 3
#define WEFT__TREE_CONTACTS (WEFT__TREE_NEAR + WEFT__TREE_WALLS)

/* A plane with normal . x = offset, and its surface. */
typedef struct weft__tree_plane {
  weft__vec3 normal;       /* unit, towards the permitted side */
  double offset;           /* metres, by the size of the particle in front of the surface */
  weft__vec3 surface_move; /* metres: displacement of the surface in the substep */
  double static_friction, dynamic_friction;
  uint32_t source; /* axis of a wall, or 3 + index among the colliders near the node */
  uint32_t collider;
  double outside; /* metres, of a contact: normal . x before the projection */
} weft__tree_plane;

struct weft__tree_node_contacts {
  uint32_t near_count; /* colliders near the node */
  uint32_t count;      /* contacts */
  weft__tree_plane near[WEFT__TREE_NEAR];
  weft__tree_plane at[WEFT__TREE_CONTACTS];
  uint32_t sources;   /* sources of the contacts, one bit each */
  bool is_stuck;      /* held along its planes, too */
  double stickiness;  /* penalty along the planes, in masses of the node */
  bool slides;        /* no longer */
  double stopping;    /* the impulse that held it then, over its mass, metres */
  weft__vec3 held_at; /* metres: where it is held */

  weft__vec3 friction;     /* kinetic: impulse over the node's mass, metres */
  double last_friction[2]; /* its lengths after the last solves [friction_count] */
  uint32_t friction_count;
  weft__vec3 slip;         /* displacement along the planes without friction */
  weft__vec3 frictionless; /* position of the solve without friction */
  double frictionless_multiplier;
};

/* Finds the colliders near the nodes of a tree, whose joints have positions; `joints` and `nodes`
 * have `count` elements each. */
typedef void (*weft__tree_find_planes)(const weft__step_context* step, uint32_t worker,
                                       const uint32_t* particle, uint32_t count,
                                       const weft__tree_joint* joints,
                                       weft__tree_node_contacts* nodes);

/* Records the impulse of a collider's plane on a particle, newton seconds. */
typedef void (*weft__tree_record)(const weft__step_context* step, uint32_t worker,
                                  uint32_t particle, const weft__tree_plane* plane,
                                  weft__vec3 impulse);

/* A tree during its solve, with all that it may touch. */
typedef struct weft__tree_in_contact {
  const weft__bounds* bounds;
  const weft__particles* particles;
  const uint32_t* particle; /* particle of each node [count] */
  uint32_t count;
  weft__tree_joint* joints;        /* [count] */
  weft__tree_node_contacts* nodes; /* [count] */
} weft__tree_in_contact;

/* Forgets all contacts and colliders. */
void weft__tree_clear_contacts(const weft__tree_in_contact* tree);

/* Adds contacts for nodes on a plane or behind it. True if there are new ones. */
bool weft__tree_add_contacts(const weft__tree_in_contact* tree);

/* Drops contacts whose plane would have to pull. True if there were any. */
bool weft__tree_drop_contacts(const weft__tree_in_contact* tree);

/* Static friction: holds nodes in contact along their planes, after storing the frictionless
 * result. False if no contact has friction. */
bool weft__tree_stick(const weft__tree_in_contact* tree);

/* True if a node that sticks bears more than Coulomb's law allows. */
bool weft__tree_overloads(const weft__tree_in_contact* tree);

/* Divides the load among the nodes that stick in proportion to their normal forces, so that all
 * reach their limits together: the tension around a cylinder is then exponential. False if there
 * are not two. */
bool weft__tree_balance(const weft__tree_in_contact* tree);

/* Coulomb's law: releases the nodes whose tangential force exceeds the friction limit, and sets the
 * kinetic friction of all that slide. True if another solve is needed. */
bool weft__tree_slip(const weft__tree_in_contact* tree);

/* Restores the result that weft__tree_stick() has stored. */
void weft__tree_restore_frictionless(const weft__tree_in_contact* tree);

/* Resets all nodes to their start, on their planes. */
void weft__tree_restart(const weft__tree_in_contact* tree);

/* Adds the penalties of a node to its system and right-hand side. */
void weft__tree_add_penalties(const weft__tree_node_contacts* node, weft__tree_joint* j);

/* Share of contact k of a node in the impulse of all its contacts. */
weft__vec3 weft__tree_impulse_share(const weft__tree_node_contacts* node, const weft__tree_joint* j,
                                    weft__vec3 all, uint32_t k);

/* Position with the depth of each contact, for the stages of bounds and colliders. */
weft__vec3 weft__tree_with_depth(const weft__tree_node_contacts* node, weft__vec3 position);

#endif
