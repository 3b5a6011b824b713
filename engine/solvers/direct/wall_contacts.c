#include "solvers/direct/wall_contacts.h"

#include <math.h>

#include "base/min_max.h"

// penalty mass in masses of the node: the penetration under a load of its weight is negligible
#define PENALTY 1e8

typedef weft__tree_joint joint;

static double* axis_of(weft__vec3* v, int axis) {
  double* const axes[3] = {&v->x, &v->y, &v->z};
  return axes[axis];
}

static void add_penalty(joint* j, int axis, double target) {
  *axis_of(&j->penalty_mass, axis) = PENALTY * j->mass;
  *axis_of(&j->penalty_target, axis) = target;
  *axis_of(&j->position, axis) = target;
  j->is_constrained = true;
}

static void remove_penalty(joint* j, int axis) {
  *axis_of(&j->penalty_mass, axis) = 0.0;
}

// Impulse of the penalty over the node's mass, in metres: the displacement it prevents.
static double penalty_impulse(joint* j, int axis) {
  const double moved = *axis_of(&j->position, axis) - *axis_of(&j->penalty_target, axis);
  return moved * (*axis_of(&j->penalty_mass, axis) * j->inv_mass);
}

// ---- normal contacts ----

static bool add_contacts(joint* j, uint32_t particle, const weft__bounds* bounds) {
  bool added = false;
  for (int axis = 0; axis < 3; ++axis) {
    float lower, upper;
    const bool is_open = bounds->lower[axis] == -INFINITY && bounds->upper[axis] == INFINITY;
    if (is_open || j->wall[axis] != 0) continue;
    weft__bounds_around(bounds, particle, axis, &lower, &upper);
    const double position = *axis_of(&j->position, axis);
    if (position > (double)lower && position < (double)upper) continue;
    j->wall[axis] = position >= (double)upper ? 1 : -1;
    *axis_of(&j->outside, axis) = position;
    add_penalty(j, axis, position >= (double)upper ? (double)upper : (double)lower);
    added = true;
  }
  return added;
}

bool weft__tree_add_contacts(const weft__tree_in_bounds* tree) {
  bool added = false;
  for (uint32_t n = 0; n < tree->count; ++n) {
    joint* j = &tree->joints[n];
    if (j->inv_mass > 0.0) added |= add_contacts(j, tree->particle[n], tree->bounds);
  }
  return added;
}

bool weft__tree_drop_contacts(const weft__tree_in_bounds* tree) {
  bool dropped = false;
  for (uint32_t n = 0; n < tree->count; ++n) {
    joint* j = &tree->joints[n];
    for (int axis = 0; axis < 3 && j->is_constrained; ++axis) {
      if (penalty_impulse(j, axis) * (double)j->wall[axis] >= 0.0) continue;
      j->wall[axis] = 0;
      remove_penalty(j, axis);
      dropped = true;
    }
  }
  return dropped;
}

// ---- friction ----

static bool is_at_wall(const joint* j) {
  return j->is_constrained && (j->wall[0] != 0 || j->wall[1] != 0 || j->wall[2] != 0);
}

static double start_of_substep(const weft__particles* particles, uint32_t particle, int axis) {
  const float* const columns[3] = {particles->prev_x, particles->prev_y, particles->prev_z};
  return (double)columns[axis][particle];
}

// Stores the slip of a node, and holds it along its walls.
static void stick(joint* j, uint32_t particle, const weft__particles* particles) {
  j->depth = 0.0;
  j->approach = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double start = start_of_substep(particles, particle, axis);
    if (j->wall[axis] != 0) {
      j->approach += fabs(*axis_of(&j->penalty_target, axis) - start);
      j->depth += fabs(*axis_of(&j->outside, axis) - *axis_of(&j->penalty_target, axis));
      *axis_of(&j->slip, axis) = 0.0;
    } else {
      *axis_of(&j->slip, axis) = *axis_of(&j->position, axis) - start;
      add_penalty(j, axis, start);
    }
  }
}

bool weft__tree_stick(const weft__tree_in_bounds* tree) {
  bool any = false;
  for (uint32_t n = 0; n < tree->count; ++n) {
    joint* j = &tree->joints[n];
    j->frictionless = j->position;
    j->frictionless_multiplier = j->multiplier;
    if (!is_at_wall(j)) continue;
    stick(j, tree->particle[n], tree->particles);
    any = true;
  }
  return any;
}

// True if the node slides. The bounds apply the part of the friction that belongs to the depth. The
// friction is limited to the node's slip, as the forces of a rod held at both ends are
// indeterminate.
static bool slip(joint* j, const weft__bounds* bounds) {
  double tangential_sq = 0.0;
  double normal = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double impulse = penalty_impulse(j, axis);
    if (j->wall[axis] == 0) tangential_sq += impulse * impulse;
    if (j->wall[axis] != 0) normal += weft__max(impulse * (double)j->wall[axis], 0.0);
  }
  // the normal impulse includes the momentum of the approach
  const double limit = (double)bounds->static_friction * (normal + j->approach);
  if (tangential_sq <= limit * limit) return false;
  const double slip_length = sqrt(weft__dot(j->slip, j->slip));
  const double friction = (double)bounds->dynamic_friction * weft__max(normal - j->depth, 0.0);
  const double taken = weft__min(friction, slip_length);
  const double share = slip_length > 0.0 ? taken / slip_length : 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (j->wall[axis] == 0) remove_penalty(j, axis);
  }
  j->start = weft__minus(j->start, weft__scaled(share, j->slip));
  return true;
}

bool weft__tree_slip(const weft__tree_in_bounds* tree) {
  bool any = false;
  for (uint32_t n = 0; n < tree->count; ++n) {
    joint* j = &tree->joints[n];
    if (is_at_wall(j)) any |= slip(j, tree->bounds);
  }
  return any;
}

void weft__tree_restore_frictionless(const weft__tree_in_bounds* tree) {
  for (uint32_t n = 0; n < tree->count; ++n) {
    joint* j = &tree->joints[n];
    j->position = j->frictionless;
    j->multiplier = j->frictionless_multiplier;
  }
}

void weft__tree_restart(const weft__tree_in_bounds* tree) {
  for (uint32_t n = 0; n < tree->count; ++n) {
    joint* j = &tree->joints[n];
    for (int axis = 0; axis < 3; ++axis) {
      const bool penalized = j->is_constrained && *axis_of(&j->penalty_mass, axis) > 0.0;
      *axis_of(&j->position, axis) = *axis_of(penalized ? &j->penalty_target : &j->start, axis);
    }
  }
}
