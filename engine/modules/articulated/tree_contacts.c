#include "modules/articulated/tree_contacts.h"

#include <math.h>

#include "base/min_max.h"
#include "modules/articulated/tree_solve.h"

// over the node's mass: penetration under its weight is negligible
#define PENALTY 1e10
// along a surface: so soft that sticking nodes share a load evenly, whatever their penetrations,
// and hard enough for loads of a thousand times the node
#define STICK_PENALTY 1e6
// share of a node in the load, over the mean, at least
#define LEAST_SHARE 0.01
// relative change of friction that is worth another solve
#define SMALL_CHANGE 0.02

typedef weft__vec3 vector;
typedef weft__tree_joint joint;
typedef weft__tree_plane plane;
typedef weft__tree_node_contacts node_contacts;

static double beyond(const plane* p, vector position) {
  return weft__dot(p->normal, position) - p->offset;
}

static vector on_planes(const node_contacts* node, vector position) {
  for (uint32_t k = 0; k < node->count; ++k) {
    const plane* p = &node->at[k];
    position = weft__minus(position, weft__scaled(beyond(p, position), p->normal));
  }
  return position;
}

static vector along_planes(const node_contacts* node, vector v) {
  for (uint32_t k = 0; k < node->count; ++k) v = weft__across(node->at[k].normal, v);
  return v;
}

void weft__tree_add_penalties(const node_contacts* node, joint* j) {
  const double m = PENALTY * j->mass;
  for (uint32_t k = 0; k < node->count; ++k) {
    const plane* p = &node->at[k];
    weft__add_square(&j->system, m, p->normal);
    j->rhs = weft__minus(j->rhs, weft__scaled(m * beyond(p, j->position), p->normal));
  }
  j->rhs = weft__plus(j->rhs, weft__scaled(j->mass, node->friction));
  if (!node->is_stuck) return;
  const double stick = node->stickiness * j->mass;
  j->system.xx += stick;
  j->system.yy += stick;
  j->system.zz += stick;
  j->rhs = weft__minus(j->rhs, weft__scaled(stick, weft__minus(j->position, node->held_at)));
}

// Over the node's mass, metres: the displacement towards the surface that the contact prevents.
static double normal_impulse(const plane* p, const joint* j) {
  return -PENALTY * beyond(p, j->position);
}

void weft__tree_clear_contacts(const weft__tree_in_contact* tree) {
  for (uint32_t n = 0; n < tree->count; ++n) {
    node_contacts* node = &tree->nodes[n];
    node->near_count = node->count = node->sources = 0;
    node->is_stuck = node->slides = false;
    node->friction = (vector){0.0, 0.0, 0.0};
  }
}

static void add_contact(node_contacts* node, const plane* p, joint* j) {
  plane* contact = &node->at[node->count++];
  *contact = *p;
  node->sources |= 1u << p->source;
  contact->outside = weft__dot(p->normal, j->position);
  j->position = on_planes(node, j->position);
}

// Wall that a position is at or beyond.
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
    if (tree->bounds->on) added |= add_walls(&tree->nodes[n], j, tree->particle[n], tree->bounds);
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
      if (normal_impulse(&p, &tree->joints[n]) >= 0.0) {
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

// Start of the substep, moved along with the surfaces.
static vector carried_start(const node_contacts* node, uint32_t particle,
                            const weft__particles* particles) {
  vector start = weft__vec3_at(particles->prev, particle);
  for (uint32_t k = 0; k < node->count; ++k) start = weft__plus(start, node->at[k].surface_move);
  return start;
}

static bool has_friction(const node_contacts* node) {
  for (uint32_t k = 0; k < node->count; ++k) {
    if (node->at[k].static_friction > 0.0) return true;
  }
  return false;
}

static void stick(node_contacts* node, joint* j, uint32_t particle,
                  const weft__particles* particles) {
  const vector start = carried_start(node, particle, particles);
  node->slip = along_planes(node, weft__minus(j->position, start));
  node->held_at = on_planes(node, start);
  node->is_stuck = true;
  node->stickiness = STICK_PENALTY;
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

static double normal_of(const node_contacts* node, const joint* j) {
  double normal = 0.0;
  for (uint32_t k = 0; k < node->count; ++k)
    normal += weft__max(normal_impulse(&node->at[k], j), 0.0);
  return normal;
}

vector weft__tree_impulse_share(const node_contacts* node, const joint* j, vector all, uint32_t k) {
  const double sum = normal_of(node, j);
  vector rest = all;
  vector own = {0.0, 0.0, 0.0};
  for (uint32_t other = 0; other < node->count; ++other) {
    const plane* p = &node->at[other];
    const vector along = weft__scaled(j->mass * weft__max(normal_impulse(p, j), 0.0), p->normal);
    rest = weft__minus(rest, along);
    if (other == k) own = along;
  }
  const double share =
      sum > 0.0 ? weft__max(normal_impulse(&node->at[k], j), 0.0) / sum : 1.0 / (double)node->count;
  return weft__plus(own, weft__scaled(share, rest));
}

bool weft__tree_balance(const weft__tree_in_contact* tree) {
  uint32_t stuck = 0;
  double sum = 0.0;
  for (uint32_t n = 0; n < tree->count; ++n) {
    if (!tree->nodes[n].is_stuck) continue;
    sum += tree->joints[n].mass * normal_of(&tree->nodes[n], &tree->joints[n]);
    ++stuck;
  }
  if (stuck < 2 || !(sum > 0.0)) return false;
  for (uint32_t n = 0; n < tree->count; ++n) {
    node_contacts* node = &tree->nodes[n];
    const joint* j = &tree->joints[n];
    if (!node->is_stuck) continue;
    const double share = j->mass * normal_of(node, j) * (double)stuck / sum;
    node->stickiness = STICK_PENALTY * weft__min(weft__max(share, LEAST_SHARE), 1.0 / LEAST_SHARE);
  }
  return true;
}

// Coulomb's limits by normal impulses; friction that belongs to the depth is the bounds' and
// colliders'.
static void find_limits(const node_contacts* node, const joint* j, vector start,
                        double* static_limit, double* kinetic) {
  *static_limit = *kinetic = 0.0;
  for (uint32_t k = 0; k < node->count; ++k) {
    const plane* p = &node->at[k];
    const double normal = weft__max(normal_impulse(p, j), 0.0);
    // includes the momentum of the approach
    *static_limit += p->static_friction * (normal + fabs(beyond(p, start)));
    *kinetic += p->dynamic_friction * weft__max(normal - fabs(p->outside - p->offset), 0.0);
  }
}

// Limit of a sequence by Aitken's delta-squared process.
static double extrapolated(double first, double second, double third) {
  const double bend = third - 2.0 * second + first;
  const double change = third - second;
  return fabs(bend) > SMALL_CHANGE * fabs(change) ? third - change * change / bend : third;
}

// Kinetic friction, at most the impulse that would stop the node; true if much changed. A light
// foot under a heavy load takes off its own normal force as it slides, by a share each solve: hence
// the extrapolation, each third time.
static bool set_friction(node_contacts* node, double kinetic) {
  const double slip_length = weft__length(node->slip);
  double after = slip_length > 0.0 ? weft__min(kinetic, node->stopping) : 0.0;
  if (node->friction_count == 2) {
    after = extrapolated(node->last_friction[0], node->last_friction[1], after);
    after = weft__min(weft__max(after, 0.0), node->stopping);
    node->friction_count = 0;
  }
  const double before = weft__length(node->friction);
  node->last_friction[node->friction_count++] = after;
  node->friction = weft__scaled(after > 0.0 ? -after / slip_length : 0.0, node->slip);
  return fabs(after - before) > SMALL_CHANGE * after;
}

// Over the node's mass, metres.
static double stopping_impulse(const node_contacts* node, const joint* j) {
  const vector off = weft__minus(j->position, node->held_at);
  return node->stickiness * weft__length(along_planes(node, off));
}

bool weft__tree_overloads(const weft__tree_in_contact* tree) {
  for (uint32_t n = 0; n < tree->count; ++n) {
    const node_contacts* node = &tree->nodes[n];
    const joint* j = &tree->joints[n];
    double static_limit, kinetic;
    if (!node->is_stuck) continue;
    find_limits(node, j, carried_start(node, tree->particle[n], tree->particles), &static_limit,
                &kinetic);
    if (stopping_impulse(node, j) > static_limit) return true;
  }
  return false;
}

// Lets a node slide where it must; true if that or its friction is new.
static bool slip(node_contacts* node, const joint* j, vector start) {
  double static_limit, kinetic;
  find_limits(node, j, start, &static_limit, &kinetic);
  const bool was_stuck = node->is_stuck;
  if (was_stuck) {
    node->stopping = stopping_impulse(node, j);
    if (node->stopping <= static_limit) return false;
    node->is_stuck = false;
    node->slides = true;
    node->friction_count = 0;
  }
  const bool is_new = node->slides && set_friction(node, kinetic);
  return was_stuck || is_new;
}

bool weft__tree_slip(const weft__tree_in_contact* tree) {
  bool any = false;
  for (uint32_t n = 0; n < tree->count; ++n) {
    node_contacts* node = &tree->nodes[n];
    if (!node->is_stuck && !node->slides) continue;
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
