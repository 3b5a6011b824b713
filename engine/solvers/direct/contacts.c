#include "solvers/direct/contacts.h"

#include <math.h>

#include "base/min_max.h"
#include "solvers/direct/solve.h"

// penalty mass in masses of the node: the penetration under a load of its weight is negligible
#define PENALTY 1e8

typedef weft__vec3 vector;
typedef weft__tree_joint joint;
typedef weft__tree_plane plane;
typedef weft__tree_node_contacts node_contacts;

static double beyond(const plane* p, vector position) {
  return weft__dot(p->normal, position) - p->offset;
}

// Position on all planes of the node, in front of one after the other.
static vector on_planes(const node_contacts* node, vector position) {
  for (uint32_t k = 0; k < node->count; ++k) {
    const plane* p = &node->at[k];
    position = weft__minus(position, weft__scaled(beyond(p, position), p->normal));
  }
  return position;
}

// Component of a vector along all planes of the node.
static vector along_planes(const node_contacts* node, vector v) {
  for (uint32_t k = 0; k < node->count; ++k) v = weft__across(node->at[k].normal, v);
  return v;
}

// ---- penalties ----

void weft__tree_add_penalties(const node_contacts* node, joint* j) {
  const double m = PENALTY * j->mass;
  if (node->is_stuck) {
    j->system.xx += m;
    j->system.yy += m;
    j->system.zz += m;
    j->rhs = weft__minus(j->rhs, weft__scaled(m, weft__minus(j->position, node->held_at)));
    return;
  }
  for (uint32_t k = 0; k < node->count; ++k) {
    const plane* p = &node->at[k];
    weft__add_square(&j->system, m, p->normal);
    j->rhs = weft__minus(j->rhs, weft__scaled(m * beyond(p, j->position), p->normal));
  }
}

// Impulse of a contact over the node's mass, in metres: the displacement towards the surface that
// it prevents.
static double normal_impulse(const node_contacts* node, const plane* p, const joint* j) {
  const double moved = node->is_stuck
                           ? weft__dot(p->normal, weft__minus(j->position, node->held_at))
                           : beyond(p, j->position);
  return -moved * PENALTY;
}

// ---- normal contacts ----

void weft__tree_clear_contacts(const weft__tree_in_contact* tree) {
  for (uint32_t n = 0; n < tree->count; ++n) {
    node_contacts* node = &tree->nodes[n];
    node->near_count = node->count = node->sources = 0;
    node->is_stuck = false;
  }
}

static void add_contact(node_contacts* node, const plane* p, joint* j) {
  plane* contact = &node->at[node->count++];
  *contact = *p;
  node->sources |= 1u << p->source;
  contact->outside = weft__dot(p->normal, j->position);
  j->position = on_planes(node, j->position);
}

// Plane of a wall that a position is at or beyond.
static bool find_wall(const weft__bounds* bounds, uint32_t particle, int axis, vector position,
                      plane* wall) {
  float lower, upper;
  if (bounds->lower[axis] == -INFINITY && bounds->upper[axis] == INFINITY) return false;
  weft__bounds_around(bounds, particle, axis, &lower, &upper);
  const double along[3] = {position.x, position.y, position.z};
  if (along[axis] > (double)lower && along[axis] < (double)upper) return false;
  const bool is_upper = along[axis] >= (double)upper;
  double normal[3] = {0.0, 0.0, 0.0};
  normal[axis] = is_upper ? -1.0 : 1.0;
  *wall = (plane){.normal = {normal[0], normal[1], normal[2]},
                  .offset = is_upper ? -(double)upper : (double)lower,
                  .static_friction = (double)bounds->static_friction,
                  .dynamic_friction = (double)bounds->dynamic_friction,
                  .source = (uint32_t)axis};
  return true;
}

static bool add_walls(node_contacts* node, joint* j, uint32_t particle,
                      const weft__bounds* bounds) {
  const uint32_t before = node->count;
  for (int axis = 0; axis < 3; ++axis) {
    plane wall;
    if ((node->sources >> axis & 1) != 0) continue;
    if (find_wall(bounds, particle, axis, j->position, &wall)) add_contact(node, &wall, j);
  }
  return node->count > before;
}

static bool add_colliders(node_contacts* node, joint* j) {
  const uint32_t before = node->count;
  for (uint32_t k = 0; k < node->near_count; ++k) {
    const plane* p = &node->near[k];
    if ((node->sources >> p->source & 1) == 0 && beyond(p, j->position) <= 0.0)
      add_contact(node, p, j);
  }
  return node->count > before;
}

bool weft__tree_add_contacts(const weft__tree_in_contact* tree) {
  bool added = false;
  for (uint32_t n = 0; n < tree->count; ++n) {
    joint* j = &tree->joints[n];
    if (!(j->inv_mass > 0.0)) continue;
    if (tree->bounds->on)
      added |= add_walls(&tree->nodes[n], j, tree->particle[n], tree->bounds);
    added |= add_colliders(&tree->nodes[n], j);
  }
  return added;
}

bool weft__tree_drop_contacts(const weft__tree_in_contact* tree) {
  bool dropped = false;
  for (uint32_t n = 0; n < tree->count; ++n) {
    node_contacts* node = &tree->nodes[n];
    const uint32_t before = node->count;
    node->count = 0;
    for (uint32_t k = 0; k < before; ++k) {
      const plane p = node->at[k];
      if (normal_impulse(node, &p, &tree->joints[n]) >= 0.0) {
        node->at[node->count++] = p;
      } else {
        node->sources &= ~(1u << p.source);
      }
    }
    dropped |= node->count < before;
  }
  return dropped;
}

vector weft__tree_with_depth(const node_contacts* node, vector position) {
  for (uint32_t k = 0; k < node->count; ++k) {
    const plane* p = &node->at[k];
    const double depth = p->outside - weft__dot(p->normal, position);
    position = weft__plus(position, weft__scaled(depth, p->normal));
  }
  return position;
}

// ---- friction ----

// Start of the substep, moved along with the surfaces in contact.
static vector carried_start(const node_contacts* node, uint32_t particle,
                            const weft__particles* particles) {
  vector start = {(double)particles->prev_x[particle], (double)particles->prev_y[particle],
                  (double)particles->prev_z[particle]};
  for (uint32_t k = 0; k < node->count; ++k) start = weft__plus(start, node->at[k].surface_move);
  return start;
}

static bool has_friction(const node_contacts* node) {
  for (uint32_t k = 0; k < node->count; ++k) {
    if (node->at[k].static_friction > 0.0) return true;
  }
  return false;
}

// Stores the slip of a node, and holds it along its planes.
static void stick(node_contacts* node, joint* j, uint32_t particle,
                  const weft__particles* particles) {
  const vector start = carried_start(node, particle, particles);
  node->slip = along_planes(node, weft__minus(j->position, start));
  node->held_at = on_planes(node, start);
  node->is_stuck = true;
}

bool weft__tree_stick(const weft__tree_in_contact* tree) {
  bool any = false;
  for (uint32_t n = 0; n < tree->count; ++n) {
    joint* j = &tree->joints[n];
    node_contacts* node = &tree->nodes[n];
    node->frictionless = j->position;
    node->frictionless_multiplier = j->multiplier;
    if (!has_friction(node)) continue;
    stick(node, j, tree->particle[n], tree->particles);
    any = true;
  }
  return any;
}

// True if the node slides. The stages of bounds and colliders apply the part of the friction that
// belongs to the depth. The friction is limited to the node's slip, as the forces of a rod held at
// both ends are indeterminate.
static bool slip(node_contacts* node, joint* j, vector start) {
  const vector held = weft__scaled(PENALTY, weft__minus(j->position, node->held_at));
  const vector tangential = along_planes(node, held);
  double limit = 0.0, friction = 0.0;
  for (uint32_t k = 0; k < node->count; ++k) {
    const plane* p = &node->at[k];
    const double normal = weft__max(normal_impulse(node, p, j), 0.0);
    // the normal impulse includes the momentum of the approach
    limit += p->static_friction * (normal + fabs(beyond(p, start)));
    friction += p->dynamic_friction * weft__max(normal - fabs(p->outside - p->offset), 0.0);
  }
  if (weft__dot(tangential, tangential) <= limit * limit) return false;
  const double slip_length = weft__length(node->slip);
  const double taken = weft__min(friction, slip_length);
  node->is_stuck = false;
  j->start = weft__minus(j->start, weft__scaled(slip_length > 0.0 ? taken / slip_length : 0.0,
                                                node->slip));
  return true;
}

bool weft__tree_slip(const weft__tree_in_contact* tree) {
  bool any = false;
  for (uint32_t n = 0; n < tree->count; ++n) {
    node_contacts* node = &tree->nodes[n];
    if (!node->is_stuck) continue;
    any |= slip(node, &tree->joints[n], carried_start(node, tree->particle[n], tree->particles));
  }
  return any;
}

void weft__tree_restore_frictionless(const weft__tree_in_contact* tree) {
  for (uint32_t n = 0; n < tree->count; ++n) {
    joint* j = &tree->joints[n];
    j->position = tree->nodes[n].frictionless;
    j->multiplier = tree->nodes[n].frictionless_multiplier;
  }
}

void weft__tree_restart(const weft__tree_in_contact* tree) {
  for (uint32_t n = 0; n < tree->count; ++n) {
    joint* j = &tree->joints[n];
    const node_contacts* node = &tree->nodes[n];
    j->position = node->is_stuck ? node->held_at : on_planes(node, j->start);
  }
}
