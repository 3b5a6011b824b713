#include "solvers/joints/joints.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/grain_size.h"
#include "base/min_max.h"

// smaller colours are solved after all others
#define MIN_PARALLEL_JOINTS WEFT__GRAIN(256u, 2u)
#define JOINT_GRAIN WEFT__GRAIN(128u, 1u)

typedef struct joint_error {
  double offset[3]; /* metres from the point to the particle */
  double inv_mass;  /* 1/kilograms: effective W */
} joint_error;

static joint_error measure_error(const weft__joint* joint, const weft__particles* p) {
  joint_error h = {.inv_mass = (double)p->inv_mass[joint->particle[0]]};
  weft__joint_offset(joint, p, h.offset);
  for (uint32_t e = 1; e < joint->end_count; ++e) {
    const double weight = (double)joint->weight[e];
    h.inv_mass += weight * weight * (double)p->inv_mass[joint->particle[e]];
  }
  return h;
}

// A pinned particle stays, also if the impulse is infinite.
static void apply_impulse(weft__particles* p, uint32_t i, double share, const double impulse[3]) {
  const double inv_mass = (double)p->inv_mass[i];
  if (inv_mass == 0.0) return;
  for (int axis = 0; axis < 3; ++axis)
    p->pos[axis][i] = (float)((double)p->pos[axis][i] + share * inv_mass * impulse[axis]);
}

// By axis.
static void solve_weld(weft__joint* joint, const joint_error* h, double scaled_compliance,
                       double impulse[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    const double error = h->offset[axis] - scaled_compliance * joint->multiplier[axis];
    impulse[axis] = error / (h->inv_mass + scaled_compliance);
    joint->multiplier[axis] += impulse[axis];
  }
}

static void solve_distance(weft__joint* joint, const joint_error* h, double scaled_compliance,
                           double impulse[3]) {
  const double* offset = h->offset;
  const double length = sqrt(offset[0] * offset[0] + offset[1] * offset[1] + offset[2] * offset[2]);
  const double rest_length = (double)joint->rest_length + (double)joint->excess;
  double error = length - rest_length + h->inv_mass * joint->multiplier[0];
  if (joint->mode == WEFT_LINK_MODE_STRETCH) error = weft__max(error, 0.0);
  if (joint->mode == WEFT_LINK_MODE_COMPRESS) error = weft__min(error, 0.0);
  if (!(length > 0.0)) return;
  const double change = error / (h->inv_mass + scaled_compliance) - joint->multiplier[0];
  joint->multiplier[0] += change;
  for (int axis = 0; axis < 3; ++axis) impulse[axis] = change * offset[axis] / length;
}

static void solve_joint(weft__joint* joint, weft__particles* particles, double inv_step_sq) {
  const joint_error h = measure_error(joint, particles);
  const double scaled_compliance = (double)joint->compliance * inv_step_sq;
  double impulse[3] = {0.0, 0.0, 0.0};
  if (!(h.inv_mass > 0.0)) return;
  if (joint->rest_length + joint->excess > 0.0f) {
    solve_distance(joint, &h, scaled_compliance, impulse);
  } else if (joint->mode != WEFT_LINK_MODE_COMPRESS) {
    solve_weld(joint, &h, scaled_compliance, impulse);
  }
  apply_impulse(particles, joint->particle[0], -1.0, impulse);
  for (uint32_t e = 1; e < joint->end_count; ++e) {
    apply_impulse(particles, joint->particle[e], (double)joint->weight[e], impulse);
  }
}

static void start_joint(weft__joint* joint, double h) {
  memset(joint->multiplier, 0, sizeof(joint->multiplier));
  if (joint->excess == 0.0f) return;
  const double closed = (double)joint->closing_speed * h;
  joint->excess = (float)weft__max((double)joint->excess - closed, 0.0);
}

// True if the joint breaks.
static bool record_force(weft__joint* joint, double inv_step_sq) {
  const double* u = joint->multiplier;
  joint->force = (float)(sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) * inv_step_sq);
  if (!(joint->break_force > 0.0f && joint->force >= joint->break_force)) return false;
  joint->state = WEFT__JOINT_BROKEN;
  return true;
}

typedef struct color_pass {
  const weft__joints* joints;
  weft__particles* particles;
  weft__joint_pass pass;
  uint32_t first;         /* in order */
  const uint8_t* solves;  /* see weft__joints; NULL: all */
  _Atomic bool any_broke; /* relaxed: read after the loop */
} color_pass;

static void solve_range(void* context, weft__range range, uint32_t worker) {
  (void)worker;
  color_pass* c = context;
  const weft__joint_pass pass = c->pass;
  for (uint32_t i = c->first + range.begin; i < c->first + range.end; ++i) {
    const uint32_t index = c->joints->order[i];
    weft__joint* joint = &c->joints->joints[index];
    if (joint->state != WEFT__JOINT_WHOLE) continue;
    if (c->solves != NULL && c->solves[index] == 0) continue;
    if (pass.takes != NULL && !pass.takes(pass.context, joint)) continue;
    if (pass.first) start_joint(joint, pass.h);
    solve_joint(joint, c->particles, pass.inv_step_sq);
    if (pass.last && record_force(joint, pass.inv_step_sq))
      atomic_store_explicit(&c->any_broke, true, memory_order_relaxed);
  }
}

static uint32_t count_joints(const void* table) {
  return ((const weft__joints*)table)->end;
}

static weft__particle_set list_ends(const void* table, uint32_t index) {
  const weft__joint* joint = &((const weft__joints*)table)->joints[index];
  return (weft__particle_set){joint->particle,
                              joint->state == WEFT__JOINT_FREE ? 0 : joint->end_count};
}

const weft__halo_rows weft__joint_rows = {
    .set_count = count_joints, .set = list_ends, .solves = offsetof(weft__joints, solves)};

static const weft__halo_read ends = {&weft__joint_rows, &weft__particle_positions};

// Small colours come last, or first in a backward pass, for any number of workers.
void weft__joints_solve(weft__joints* joints, weft__joint_pass pass, weft__step_context* step) {
  weft__domain_read(step->domain, &ends, step->particles);
  for (int turn = 0; turn < 2; ++turn) {
    const int is_small = pass.is_backward ? 1 - turn : turn;
    for (uint32_t k = 0; k < joints->color_count; ++k) {
      const uint32_t c = pass.is_backward ? joints->color_count - 1 - k : k;
      color_pass color = {.joints = joints,
                          .particles = step->particles,
                          .pass = pass,
                          .first = joints->color_first[c],
                          .solves = step->domain != NULL ? joints->solves : NULL};
      const uint32_t count = joints->color_first[c + 1] - color.first;
      if ((count < MIN_PARALLEL_JOINTS) != is_small) continue;
      weft__step_for(step, count, JOINT_GRAIN, solve_range, &color);
      joints->any_broke |= color.any_broke;
    }
  }
}
