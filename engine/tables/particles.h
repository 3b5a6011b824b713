/* The particles of a frozen world, as columns in solver order. */
#ifndef WEFT_TABLES_PARTICLES_H
#define WEFT_TABLES_PARTICLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows past the last particle that a whole lane group may read, and write back unchanged. Their
 * inverse mass is 0. */
#define WEFT__PARTICLE_PADDING 32u

typedef struct weft__particles {
  uint32_t count;
  /* written by integrate and solve */
  float* pos_x; /* metres [count + padding] */
  float* pos_y;
  float* pos_z;
  /* written by integrate: where the particle was one step ago */
  float* prev_x; /* metres [count + padding] */
  float* prev_y;
  float* prev_z;
  /* read only while stepping */
  float* inv_mass; /* 1/kilograms, 0 = pinned [count + padding] */
  /* what pushes a particle in this step besides gravity: NULL until something does */
  float* force_x; /* newtons [count + padding] */
  float* force_y;
  float* force_z;
  /* In worlds that keep velocities, NULL in others: see weft__particles_need_velocities(). What links, walls
   * and the like do to pos and prev after a substep has integrated ends up in them as well. */
  float* vel_x; /* metres per second: what takes a particle from one place to the next [..] */
  float* vel_y;
  float* vel_z;
  float* lead_x; /* metres per second: by how much vel is behind the velocity at the time of pos */
  float* lead_y;
  float* lead_z;
  float* spring_x; /* newtons: what springs pull with */
  float* spring_y;
  float* spring_z;
  float* first_kick; /* share of its acceleration that is due in the next substep: see `opening` */
  /* the share in the first substep after a particle was placed: a half where vel is half a step behind */
  float opening;

  /* of a body that was removed: NULL until one was [count] */
  bool* removed;

  void* block; /* the one allocation behind all columns, but for those made later */
  void* force_block;
  void* velocity_block;
  size_t bytes;
} weft__particles;

/* One axis of where particles are and were. */
typedef struct weft__axis {
  float* pos;
  float* prev;
} weft__axis;

static inline weft__axis weft__particles_axis(const weft__particles* p, int axis) {
  const weft__axis axes[3] = {{p->pos_x, p->prev_x}, {p->pos_y, p->prev_y}, {p->pos_z, p->prev_z}};
  return axes[axis];
}

/* Allocates the columns, zeroed. False when memory cannot be had. */
bool weft__particles_create(weft__particles* particles, uint32_t count);

/* Makes the force columns, zeroed, unless they are there. False when memory cannot be had. */
bool weft__particles_need_forces(weft__particles* particles);

/* Makes the columns of velocities, zeroed, with this opening. False when memory cannot be had. */
bool weft__particles_need_velocities(weft__particles* particles, float opening);

/* Makes the column of what is removed, unless it is there. False when memory cannot be had. */
bool weft__particles_need_removed(weft__particles* particles);

/* By its number in solver order. */
static inline bool weft__particles_is_removed(const weft__particles* particles, uint32_t particle) {
  return particles->removed != NULL && particles->removed[particle];
}

/* Puts a particle, by its number in solver order, somewhere with a velocity, in worlds of either kind; h is
 * the seconds of a substep. */
void weft__particles_place(const weft__particles* particles, uint32_t particle,
                           const float position[3], const float velocity[3], float h);

/* Takes its velocity from a particle. */
void weft__particles_stop(const weft__particles* particles, uint32_t particle);

/* The velocity of a particle, metres per second; rate is one over the seconds of a substep. */
static inline void weft__particles_velocity(const weft__particles* p, uint32_t i, float rate,
                                            float velocity[3]) {
  if (p->velocity_block == NULL) {
    velocity[0] = (p->pos_x[i] - p->prev_x[i]) * rate;
    velocity[1] = (p->pos_y[i] - p->prev_y[i]) * rate;
    velocity[2] = (p->pos_z[i] - p->prev_z[i]) * rate;
    return;
  }
  velocity[0] = p->vel_x[i] + p->lead_x[i];
  velocity[1] = p->vel_y[i] + p->lead_y[i];
  velocity[2] = p->vel_z[i] + p->lead_z[i];
}

void weft__particles_destroy(weft__particles* particles);

#endif
