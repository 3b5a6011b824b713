/* Particles of a frozen world, as columns in solver order. */
#ifndef WEFT_TABLES_PARTICLES_H
#define WEFT_TABLES_PARTICLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"
#include "tables/reserve.h"

/* Padding rows that a whole lane group may read, and write back unchanged. Their inverse mass is
 * 0. */
#define WEFT__PARTICLE_PADDING 32u

typedef struct weft__particles {
  uint32_t count;
  /* written by integrate and solve */
  float* pos_x; /* metres [count + padding] */
  float* pos_y;
  float* pos_z;
  /* written by integrate: position one step ago */
  float* prev_x; /* metres [count + padding] */
  float* prev_y;
  float* prev_z;
  /* part of the last displacement that the rounding of pos has dropped: see
   * weft__displacement() and integrate.inl */
  float* carried_x; /* metres [count + padding] */
  float* carried_y;
  float* carried_z;
  /* displacement of a substep by constraints, averaged: see average.inl. NULL unless forces of
   * constraints are averaged */
  float* pull_x; /* metres [count + padding] */
  float* pull_y;
  float* pull_z;
  /* constant during a step */
  float* inv_mass; /* 1/kilograms, 0 = pinned [count + padding] */
  /* external forces of this step besides gravity; NULL until there are any */
  float* force_x; /* newtons [count + padding] */
  float* force_y;
  float* force_z;
  /* Worlds that store velocities, NULL in others: see weft__particles_add_velocities(). Changes of
   * pos and prev by links, walls etc. after the integration of a substep are added to them. */
  float* vel_x; /* metres per second: displacement over substep [count + padding] */
  float* vel_y;
  float* vel_z;
  float* vel_lag_x; /* metres per second: velocity at the time of pos minus vel */
  float* vel_lag_y;
  float* vel_lag_z;
  float* spring_x; /* newtons: spring forces */
  float* spring_y;
  float* spring_z;
  float* kick_share; /* share of its acceleration due in the next substep: see `opening` */
  /* that share in the first substep after a particle was placed: a half if vel lags by half a
   * step */
  float opening;

  /* rotation, NULL until a particle turns */
  float* spin_x; /* radians per second: angular velocity [count + padding] */
  float* spin_y;
  float* spin_z;
  float* turn_x; /* orientation: unit quaternion; 0 if it does not turn */
  float* turn_y;
  float* turn_z;
  float* turn_w;
  float* roll_radius; /* metres from the centre to a contact */
  float* roll_factor; /* m r^2 / I: mass, radius and moment of inertia; 0 = it does not turn */

  /* body was removed, or the slot of a reserved particle is free; NULL without any [count] */
  bool* removed;
  weft__reserve reserve;

  void* block; /* the single allocation of all columns that are made at creation */
  void* pull_block;
  void* force_block;
  void* velocity_block;
  void* rotation_block;
  size_t bytes;
} weft__particles;

/* Columns of one axis; NULL where the particles have none. */
typedef struct weft__axis {
  float *pos, *prev, *carried, *pull, *force;
  float *vel, *vel_lag, *spring;
  float *spin, *turn;
} weft__axis;

#define WEFT__AXIS(p, axis)                                                                      \
  (weft__axis) {                                                                                 \
    (p)->pos_##axis, (p)->prev_##axis, (p)->carried_##axis, (p)->pull_##axis, (p)->force_##axis, \
        (p)->vel_##axis, (p)->vel_lag_##axis, (p)->spring_##axis, (p)->spin_##axis,              \
        (p)->turn_##axis                                                                         \
  }

/* Axis 0, 1 or 2. */
static inline weft__axis weft__particles_axis(const weft__particles* p, int axis) {
  return axis == 0 ? WEFT__AXIS(p, x) : axis == 1 ? WEFT__AXIS(p, y) : WEFT__AXIS(p, z);
}

#undef WEFT__AXIS

/* Orientation of a particle that turns: unit quaternion. */
static inline void weft__particles_orientation(const weft__particles* p, uint32_t i,
                                               double turn[4]) {
  turn[0] = (double)p->turn_x[i];
  turn[1] = (double)p->turn_y[i];
  turn[2] = (double)p->turn_z[i];
  turn[3] = (double)p->turn_w[i];
}

static inline void weft__particles_set_orientation(const weft__particles* p, uint32_t i,
                                                   const double turn[4]) {
  p->turn_x[i] = (float)turn[0];
  p->turn_y[i] = (float)turn[1];
  p->turn_z[i] = (float)turn[2];
  p->turn_w[i] = (float)turn[3];
}

/* Moves a particle and preserves its displacement per substep, up to rounding. */
static inline void weft__axis_move(const weft__axis* axis, uint32_t i, float position) {
  const float moved = axis->pos[i] - axis->prev[i];
  axis->pos[i] = position;
  axis->prev[i] = position - moved;
}

/* Allocates the columns, zeroed. False if out of memory. */
bool weft__particles_create(weft__particles* particles, uint32_t count);

/* Allocates the columns of averaged pulls, zeroed. False if out of memory. */
bool weft__particles_add_pulls(weft__particles* particles);

/* Allocates the force columns, zeroed, unless they exist. False if out of memory. */
bool weft__particles_add_forces(weft__particles* particles);

/* Allocates the velocity columns, zeroed, with this opening. False if out of memory. */
bool weft__particles_add_velocities(weft__particles* particles, float opening);

/* Allocates the columns of rotation, zeroed, unless they exist. False if out of memory. */
bool weft__particles_add_rotation(weft__particles* particles);

/* True if contacts turn the particle, or it turns by itself; in solver order. */
static inline bool weft__particle_turns(const weft__particles* particles, uint32_t particle) {
  return particles->rotation_block != NULL && particles->roll_factor[particle] > 0.0f;
}

/* Sets radius and factor of a particle in solver order. Factor 0 ends its rotation: spin 0, no
 * orientation. */
void weft__particles_set_roll(const weft__particles* particles, uint32_t particle, float radius,
                              float factor);

/* Allocates the column of removed particles, unless it exists. False if out of memory. */
bool weft__particles_add_removed(weft__particles* particles);

/* Particle in solver order. */
static inline bool weft__particles_is_removed(const weft__particles* particles, uint32_t particle) {
  return particles->removed != NULL && particles->removed[particle];
}

/* Sets position and velocity of a particle in solver order, in worlds of either kind, and restarts
 * the average of its pulls; h: seconds of a substep. */
void weft__particles_set_state(const weft__particles* particles, uint32_t particle,
                               const float position[3], const float velocity[3], float h);

/* Sets its velocity to 0. */
void weft__particles_stop(const weft__particles* particles, uint32_t particle);

/* Displacement of a substep, metres: 0 if the position is the same to the bit. */
static inline float weft__displacement(float pos, float prev, float carried) {
  return pos == prev ? 0.0f : pos - prev + carried;
}

/* Velocity of a particle in metres per second; rate: 1 / seconds of a substep. */
static inline void weft__particles_velocity(const weft__particles* p, uint32_t i, float rate,
                                            float velocity[3]) {
  if (p->velocity_block == NULL) {
    velocity[0] = weft__displacement(p->pos_x[i], p->prev_x[i], p->carried_x[i]) * rate;
    velocity[1] = weft__displacement(p->pos_y[i], p->prev_y[i], p->carried_y[i]) * rate;
    velocity[2] = weft__displacement(p->pos_z[i], p->prev_z[i], p->carried_z[i]) * rate;
    return;
  }
  velocity[0] = p->vel_x[i] + p->vel_lag_x[i];
  velocity[1] = p->vel_y[i] + p->vel_lag_y[i];
  velocity[2] = p->vel_z[i] + p->vel_lag_z[i];
}

void weft__particles_destroy(weft__particles* particles);

/* Visits the state. `is_as_heavy`: a load finds the inverse masses that were there before. */
void weft__particles_visit(weft__particles* particles, weft__archive* archive, bool* is_as_heavy);

#endif
