#ifndef WEFT_TABLES_PARTICLES_H
#define WEFT_TABLES_PARTICLES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/archive.h"
#include "tables/reserve.h"

/* Rows that whole lane groups may read and write back unchanged; inverse mass 0. */
#define WEFT__PARTICLE_PADDING 32u

typedef struct weft__particles {
  uint32_t count;
  WEFT__VECTOR_COLUMNS(pos);  /* metres; integrate and solve */
  WEFT__VECTOR_COLUMNS(prev); /* metres, one step ago; integrate */
  /* metres of the last displacement that rounding of pos has dropped (integrate.inl) */
  WEFT__VECTOR_COLUMNS(carried);
  float* inv_mass; /* 1/kilograms, 0: pinned; constant in a step */
  /* newtons of this step besides gravity; NULL until there are any */
  WEFT__VECTOR_COLUMNS(force);
  /* NULL unless the world stores velocities; later changes of pos and prev are added to them */
  WEFT__VECTOR_COLUMNS(vel);     /* metres per second: displacement over substep */
  WEFT__VECTOR_COLUMNS(vel_lag); /* metres per second: velocity at the time of pos minus vel */
  WEFT__VECTOR_COLUMNS(spring);  /* newtons: spring forces */
  float* kick_share; /* share of the acceleration due in the next substep: see `opening` */
  /* kick_share in the first substep after a placement: a half if vel lags by half a step */
  float opening;

  /* NULL until a particle turns */
  WEFT__VECTOR_COLUMNS(spin);
  float* turn[4];     /* unit quaternion; 0 if it does not turn */
  float* roll_radius; /* metres from the centre to a contact */
  float* roll_factor; /* m r^2 / I; 0: it does not turn */

  /* removed with its body, or a free reserved slot; NULL without any [count] */
  bool* removed;
  weft__reserve reserve;

  void* block;
  void* force_block;
  void* velocity_block;
  void* rotation_block;
  void* removed_block;
  size_t bytes;

  /* Particles that a module holds at rest, by inverse mass 0, and what theirs is; NULL: none. */
  const bool* asleep;
  const float* asleep_inv_mass; /* 1/kilograms [count] */
} weft__particles;

static inline bool weft__particles_is_asleep(const weft__particles* particles, uint32_t i) {
  return particles->asleep != NULL && particles->asleep[i];
}

/* Inverse mass of a particle, asleep or awake, 1/kilograms. */
static inline float weft__particles_own_inverse_mass(const weft__particles* particles, uint32_t i) {
  return weft__particles_is_asleep(particles, i) ? particles->asleep_inv_mass[i]
                                                 : particles->inv_mass[i];
}

/* Columns by their place in weft__particle_table, and masks of them. */
enum {
  WEFT__INV_MASS,
  WEFT__POS,
  WEFT__PREV,
  WEFT__CARRIED,
  WEFT__FORCE,
  WEFT__VEL,
  WEFT__VEL_LAG,
  WEFT__SPRING,
  WEFT__KICK_SHARE,
  WEFT__SPIN,
  WEFT__TURN,
};
#define WEFT__WRITES(column) (1u << WEFT__##column)
#define WEFT__WRITES_MOVES (WEFT__WRITES(POS) | WEFT__WRITES(PREV))

extern const weft__table weft__particle_table;

/* Some of its columns: pos; with prev; with carried. */
extern const weft__table weft__particle_positions, weft__particle_moves, weft__particle_carried;

#define WEFT__PARTICLE_ROTATION WEFT__GROUP(3)

static inline void weft__particles_orientation(const weft__particles* p, uint32_t i,
                                               double turn[4]) {
  for (int k = 0; k < 4; ++k) turn[k] = (double)p->turn[k][i];
}

static inline void weft__particles_set_orientation(weft__particles* p, uint32_t i,
                                                   const double turn[4]) {
  for (int k = 0; k < 4; ++k) p->turn[k][i] = (float)turn[k];
}

/* Keeps the displacement per substep, up to rounding. */
static inline void weft__particles_move(weft__particles* p, int axis, uint32_t i, float position) {
  const float moved = p->pos[axis][i] - p->prev[axis][i];
  p->pos[axis][i] = position;
  p->prev[axis][i] = position - moved;
}

/* Zeroed. */
bool weft__particles_create(weft__particles* particles, uint32_t count);

bool weft__particles_add_forces(weft__particles* particles);

/* Zeroed, with this opening; the others unless they exist. */
bool weft__particles_add_velocities(weft__particles* particles, float opening);

bool weft__particles_add_rotation(weft__particles* particles);

/* By contacts or by itself; in solver order. */
static inline bool weft__particle_turns(const weft__particles* particles, uint32_t particle) {
  return particles->rotation_block != NULL && particles->roll_factor[particle] > 0.0f;
}

/* Particle in solver order. Factor 0 ends its rotation: spin 0, no orientation. */
void weft__particles_set_roll(weft__particles* particles, uint32_t particle, float radius,
                              float factor);

bool weft__particles_add_removed(weft__particles* particles);

static inline bool weft__particles_is_removed(const weft__particles* particles, uint32_t particle) {
  return particles->removed != NULL && particles->removed[particle];
}

/* h: seconds of a substep */
void weft__particles_set_state(weft__particles* particles, uint32_t particle,
                               const float position[3], const float velocity[3], float h);

void weft__particles_stop(weft__particles* particles, uint32_t particle);

/* Metres a substep: 0 if the position is the same to the bit. */
static inline float weft__displacement(float pos, float prev, float carried) {
  return pos == prev ? 0.0f : pos - prev + carried;
}

/* More than the rounding of a few operations on the position. */
static inline bool weft__is_more_than_rounding(float displacement, float position) {
  return fabsf(displacement) > 0x1p-22f * fabsf(position);
}

/* Metres per second; rate: 1 / seconds of a substep. */
static inline void weft__particles_velocity(const weft__particles* p, uint32_t i, float rate,
                                            float velocity[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    velocity[axis] =
        p->velocity_block == NULL
            ? weft__displacement(p->pos[axis][i], p->prev[axis][i], p->carried[axis][i]) * rate
            : p->vel[axis][i] + p->vel_lag[axis][i];
  }
}

void weft__particles_destroy(weft__particles* particles);

#endif
