#include "solvers/joints/joints.h"

#include <math.h>
#include <string.h>

#include "base/grain.h"

// joints of one colour that are worth being shared out: some ten microseconds of solving
#define LEAST_SHARED WEFT__GRAIN(256u, 2u)

// ---- one joint ----

// what a joint holds, as it is now
typedef struct held {
  double away[3];  /* metres: from the point to the particle */
  double mobility; /* 1/kilograms: how far apart the two go for what it pulls */
} held;

static held look_at(const weft__joint* joint, const weft__particles* p) {
  const uint32_t first = joint->particle[0];
  held h = {.away = {(double)p->pos_x[first], (double)p->pos_y[first], (double)p->pos_z[first]},
            .mobility = (double)p->inv_mass[first]};
  for (uint32_t e = 1; e < joint->end_count; ++e) {
    const uint32_t i = joint->particle[e];
    const double weight = (double)joint->weight[e];
    h.away[0] -= weight * (double)p->pos_x[i];
    h.away[1] -= weight * (double)p->pos_y[i];
    h.away[2] -= weight * (double)p->pos_z[i];
    h.mobility += weight * weight * (double)p->inv_mass[i];
  }
  return h;
}

// a pinned particle stays where it is, also where the pull is infinite
static void pull_end(const weft__particles* p, uint32_t i, double share, const double pull[3]) {
  const double inv_mass = (double)p->inv_mass[i];
  if (inv_mass == 0.0) return;
  p->pos_x[i] = (float)((double)p->pos_x[i] + share * inv_mass * pull[0]);
  p->pos_y[i] = (float)((double)p->pos_y[i] + share * inv_mass * pull[1]);
  p->pos_z[i] = (float)((double)p->pos_z[i] + share * inv_mass * pull[2]);
}

// what a weld is still to pull
static void pull_weld(weft__joint* joint, const held* h, double softness, double pull[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    const double error = h->away[axis] - softness * joint->multiplier[axis];
    pull[axis] = error / (h->mobility + softness);
    joint->multiplier[axis] += pull[axis];
  }
}

// the same for a joint that keeps a distance; nothing where there is no direction
static void pull_along(weft__joint* joint, const held* h, double softness, double pull[3]) {
  const double* away = h->away;
  const double length = sqrt(away[0] * away[0] + away[1] * away[1] + away[2] * away[2]);
  double error = length - (double)joint->rest_length + h->mobility * joint->multiplier[0];
  if (joint->mode == WEFT_LINK_STRETCH) error = fmax(error, 0.0);
  if (joint->mode == WEFT_LINK_COMPRESS) error = fmin(error, 0.0);
  if (!(length > 0.0)) return;
  const double change = error / (h->mobility + softness) - joint->multiplier[0];
  joint->multiplier[0] += change;
  for (int axis = 0; axis < 3; ++axis) pull[axis] = change * away[axis] / length;
}

static void solve_joint(weft__joint* joint, const weft__particles* particles, double inv_step_sq) {
  const held h = look_at(joint, particles);
  const double softness = (double)joint->compliance * inv_step_sq;
  double pull[3] = {0.0, 0.0, 0.0};
  if (!(h.mobility > 0.0)) return;
  if (joint->rest_length > 0.0f) {
    pull_along(joint, &h, softness, pull);
  } else if (joint->mode != WEFT_LINK_COMPRESS) {
    // nothing is shorter than 0
    pull_weld(joint, &h, softness, pull);
  }
  pull_end(particles, joint->particle[0], -1.0, pull);
  for (uint32_t e = 1; e < joint->end_count; ++e) {
    pull_end(particles, joint->particle[e], (double)joint->weight[e], pull);
  }
}

static void note_force(weft__joint* joint, double inv_step_sq) {
  const double* u = joint->multiplier;
  joint->force = (float)(sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) * inv_step_sq);
  if (joint->break_force > 0.0f && joint->force >= joint->break_force) {
    joint->state = WEFT__JOINT_BROKEN;
  }
}

// ---- all of them ----

static void solve_range(const weft__joints* joints, const weft__particles* particles,
                        weft__joint_turn turn, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; ++i) {
    weft__joint* joint = &joints->joints[joints->order[i]];
    if (joint->state != WEFT__JOINT_WHOLE) continue;
    if (turn.first) memset(joint->multiplier, 0, sizeof(joint->multiplier));
    solve_joint(joint, particles, turn.inv_step_sq);
    if (turn.last) note_force(joint, turn.inv_step_sq);
  }
}

static uint32_t size_of(const weft__joints* joints, uint32_t color) {
  return joints->color_first[color + 1] - joints->color_first[color];
}

void weft__joints_solve(const weft__joints* joints, const weft__particles* particles,
                        weft__joint_turn turn, weft__worker_pool* pool, uint32_t worker) {
  // large colours first, by all workers: which those are is the same for any number of them
  for (uint32_t c = 0; c < joints->color_count; ++c) {
    const uint32_t size = size_of(joints, c);
    if (size < LEAST_SHARED) continue;
    const weft__range share = weft__share(size, worker, weft__worker_pool_count(pool));
    const uint32_t first = joints->color_first[c];
    solve_range(joints, particles, turn, first + share.begin, first + share.end);
    weft__worker_pool_meet(pool);
  }
  for (uint32_t c = 0; c < joints->color_count && worker == 0; ++c) {
    if (size_of(joints, c) >= LEAST_SHARED) continue;
    solve_range(joints, particles, turn, joints->color_first[c], joints->color_first[c + 1]);
  }
  weft__worker_pool_meet(pool);
}
