#include "solvers/direct/walls.h"

#include <math.h>

// a held node's mass, in its own
#define HOLD 1e8

typedef weft__tree_joint joint;

static double* axis_of(weft__vec3* v, int axis) {
  double* const axes[3] = {&v->x, &v->y, &v->z};
  return axes[axis];
}

static void hold(joint* j, int axis, double place) {
  *axis_of(&j->held_mass, axis) = HOLD * j->mass;
  *axis_of(&j->held_at, axis) = place;
  *axis_of(&j->position, axis) = place;
  j->is_held = true;
}

static void let_go(joint* j, int axis) {
  *axis_of(&j->held_mass, axis) = 0.0;
}

// metres by which what holds a node would move it, were there nothing else
static double held_by(joint* j, int axis) {
  const double moved = *axis_of(&j->position, axis) - *axis_of(&j->held_at, axis);
  return moved * (*axis_of(&j->held_mass, axis) * j->inv_mass);
}

// ---- towards walls ----

static bool meet(joint* j, uint32_t particle, const weft__bounds* bounds) {
  bool met = false;
  for (int axis = 0; axis < 3; ++axis) {
    float least, most;
    const bool is_open = bounds->least[axis] == -INFINITY && bounds->most[axis] == INFINITY;
    if (is_open || j->wall[axis] != 0) continue;
    weft__bounds_around(bounds, particle, axis, &least, &most);
    const double place = *axis_of(&j->position, axis);
    if (place > (double)least && place < (double)most) continue;
    j->wall[axis] = place >= (double)most ? 1 : -1;
    *axis_of(&j->met_at, axis) = place;
    hold(j, axis, place >= (double)most ? (double)most : (double)least);
    met = true;
  }
  return met;
}

bool weft__tree_meet_walls(const weft__tree_in_bounds* tree) {
  bool met = false;
  for (uint32_t n = 0; n < tree->count; ++n) {
    joint* j = &tree->joints[n];
    if (j->inv_mass > 0.0) met |= meet(j, tree->particle[n], tree->bounds);
  }
  return met;
}

bool weft__tree_leave_walls(const weft__tree_in_bounds* tree) {
  bool left = false;
  for (uint32_t n = 0; n < tree->count; ++n) {
    joint* j = &tree->joints[n];
    for (int axis = 0; axis < 3 && j->is_held; ++axis) {
      if (held_by(j, axis) * (double)j->wall[axis] >= 0.0) continue;
      j->wall[axis] = 0;
      let_go(j, axis);
      left = true;
    }
  }
  return left;
}

// ---- along walls ----

static bool is_at_wall(const joint* j) {
  return j->is_held && (j->wall[0] != 0 || j->wall[1] != 0 || j->wall[2] != 0);
}

static double where_it_was(const weft__particles* particles, uint32_t particle, int axis) {
  const float* const columns[3] = {particles->prev_x, particles->prev_y, particles->prev_z};
  return (double)columns[axis][particle];
}

// Notes which way the node slips, and holds it along walls.
static void stick(joint* j, uint32_t particle, const weft__particles* particles) {
  j->depth = 0.0;
  j->approach = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double was = where_it_was(particles, particle, axis);
    if (j->wall[axis] != 0) {
      j->approach += fabs(*axis_of(&j->held_at, axis) - was);
      j->depth += fabs(*axis_of(&j->met_at, axis) - *axis_of(&j->held_at, axis));
      *axis_of(&j->slips, axis) = 0.0;
    } else {
      *axis_of(&j->slips, axis) = *axis_of(&j->position, axis) - was;
      hold(j, axis, was);
    }
  }
}

bool weft__tree_stick(const weft__tree_in_bounds* tree) {
  bool any = false;
  for (uint32_t n = 0; n < tree->count; ++n) {
    joint* j = &tree->joints[n];
    j->found = j->position;
    j->found_multiplier = j->multiplier;
    if (!is_at_wall(j)) continue;
    stick(j, tree->particle[n], tree->particles);
    any = true;
  }
  return any;
}

// True where a node slips. Of the friction that there is the bounds see to what belongs to the depth; and it
// takes no more than the node's way, as the forces that hold a rod at both ends are any.
static bool slip(joint* j, double friction) {
  double sum = 0.0;
  double pressed = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double held = held_by(j, axis);
    if (j->wall[axis] == 0) sum += held * held;
    if (j->wall[axis] != 0) pressed += fmax(held * (double)j->wall[axis], 0.0);
  }
  // a blow is one of all that it stops
  const double most = friction * (pressed + j->approach);
  if (sum <= most * most) return false;
  const double way = sqrt(weft__dot(j->slips, j->slips));
  const double taken = fmin(friction * fmax(pressed - j->depth, 0.0), way);
  const double share = way > 0.0 ? taken / way : 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    if (j->wall[axis] == 0) let_go(j, axis);
  }
  j->start = weft__minus(j->start, weft__scaled(share, j->slips));
  return true;
}

bool weft__tree_slip(const weft__tree_in_bounds* tree) {
  bool any = false;
  for (uint32_t n = 0; n < tree->count; ++n) {
    joint* j = &tree->joints[n];
    if (is_at_wall(j)) any |= slip(j, (double)tree->bounds->friction);
  }
  return any;
}

void weft__tree_go_back(const weft__tree_in_bounds* tree) {
  for (uint32_t n = 0; n < tree->count; ++n) {
    joint* j = &tree->joints[n];
    j->position = j->found;
    j->multiplier = j->found_multiplier;
  }
}

void weft__tree_start_anew(const weft__tree_in_bounds* tree) {
  for (uint32_t n = 0; n < tree->count; ++n) {
    joint* j = &tree->joints[n];
    for (int axis = 0; axis < 3; ++axis) {
      const bool held = j->is_held && *axis_of(&j->held_mass, axis) > 0.0;
      *axis_of(&j->position, axis) = *axis_of(held ? &j->held_at : &j->start, axis);
    }
  }
}
