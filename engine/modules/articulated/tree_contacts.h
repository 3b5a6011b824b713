/* Contacts of trees with walls and colliders. Their stages project each particle by itself: a leg
 * solved without the floor would push its light foot far below it and hardly raise the heavy body,
 * and a rope would cut into a cylinder. So the direct solver has contacts of its own, planes that a
 * node stays in front of:
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
 * Each solve starts from the initial positions, as a tree that satisfies its lengths has nothing to
 * solve. If 2 or 3 does not converge, as for a rod held at both ends, the result of 1 stands.
 * Bounds and colliders come last: they get each contact's depth, for its restitution and friction.
 *
 * A contact's impulse is the node's gain of momentum beyond its links' forces. These cancel in
 * pairs: the sum over a tree is its change of momentum. Planes of a node share it in proportion to
 * their normal forces.
 *
 * A collider's plane touches it at the point nearest to the node, found once before the solves.
 * Colliders that deform, or turn by much in a substep, have none: only their stage acts. */
#ifndef WEFT_MODULES_ARTICULATED_TREE_CONTACTS_H
#define WEFT_MODULES_ARTICULATED_TREE_CONTACTS_H

#include "base/vec3.h"
#include "modules/articulated/trees.h"
#include "parallel/step_context.h"

/* a node's: colliders, at most; a wall along each axis */
#define WEFT__TREE_NEAR 2
#define WEFT__TREE_WALLS 3
#define WEFT__TREE_CONTACTS (WEFT__TREE_NEAR + WEFT__TREE_WALLS)

/* normal . x = offset */
typedef struct weft__tree_plane {
  weft__vec3 normal;       /* unit, towards the permitted side */
  double offset;           /* metres, by the particle's size in front of the surface */
  weft__vec3 surface_move; /* metres in the substep */
  double static_friction, dynamic_friction;
  uint32_t source; /* axis of a wall, or 3 + index among the near colliders */
  uint32_t collider;
  double outside; /* metres, of a contact: normal . x before the projection */
} weft__tree_plane;

struct weft__tree_node_contacts {
  uint32_t near_count;
  uint32_t count;
  weft__tree_plane near[WEFT__TREE_NEAR];
  weft__tree_plane at[WEFT__TREE_CONTACTS];
  uint32_t sources;   /* sources of contacts, a bit each */
  bool is_stuck;      /* held along its planes, too */
  double stickiness;  /* penalty along the planes, over the node's mass */
  bool slides;        /* no longer */
  double stopping;    /* impulse that held it, over its mass, metres */
  weft__vec3 held_at; /* metres */

  weft__vec3 friction;     /* kinetic: impulse over the node's mass, metres */
  double last_friction[2]; /* lengths after the last solves [friction_count] */
  uint32_t friction_count;
  weft__vec3 slip;         /* along the planes without friction */
  weft__vec3 frictionless; /* solved without friction */
  double frictionless_multiplier;
};

/* Colliders near a tree's nodes, whose joints have positions. joints, nodes: [count] */
typedef void (*weft__tree_find_planes)(weft__step_context* step, uint32_t worker,
                                       const uint32_t* particle, uint32_t count,
                                       const weft__tree_joint* joints,
                                       weft__tree_node_contacts* nodes);

/* newton seconds of a collider's plane on a particle */
typedef void (*weft__tree_record)(const weft__step_context* step, uint32_t worker,
                                  uint32_t particle, const weft__tree_plane* plane,
                                  weft__vec3 impulse);

typedef struct weft__tree_in_contact {
  const weft__bounds* bounds;
  const weft__particles* particles;
  const uint32_t* particle; /* [count] */
  uint32_t count;
  weft__tree_joint* joints;        /* [count] */
  weft__tree_node_contacts* nodes; /* [count] */
} weft__tree_in_contact;

void weft__tree_clear_contacts(const weft__tree_in_contact* tree);

/* Nodes on a plane or behind it. True if any is new. */
bool weft__tree_add_contacts(const weft__tree_in_contact* tree);

/* Contacts that would have to pull. True if any. */
bool weft__tree_drop_contacts(const weft__tree_in_contact* tree);

/* Holds nodes along their planes; stores the frictionless result. False without friction. */
bool weft__tree_stick(const weft__tree_in_contact* tree);

bool weft__tree_overloads(const weft__tree_in_contact* tree);

/* Divides the load among nodes that stick by their normal forces, so that all reach their limits
 * together: the tension around a cylinder is then exponential. False if there are not two. */
bool weft__tree_balance(const weft__tree_in_contact* tree);

/* Coulomb's law: releases nodes beyond the limit, and sets the kinetic friction of all that slide.
 * True if another solve is needed. */
bool weft__tree_slip(const weft__tree_in_contact* tree);

void weft__tree_restore_frictionless(const weft__tree_in_contact* tree);

void weft__tree_restart(const weft__tree_in_contact* tree);

void weft__tree_add_penalties(const weft__tree_node_contacts* node, weft__tree_joint* j);

weft__vec3 weft__tree_impulse_share(const weft__tree_node_contacts* node, const weft__tree_joint* j,
                                    weft__vec3 all, uint32_t k);

/* With the depth of each contact, for the stages of bounds and colliders. */
weft__vec3 weft__tree_with_depth(const weft__tree_node_contacts* node, weft__vec3 position);

#endif
