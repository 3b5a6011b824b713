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

  void* block; /* the one allocation behind all columns, but for forces */
  void* force_block;
  size_t bytes;
} weft__particles;

/* Allocates the columns, zeroed. False when memory cannot be had. */
bool weft__particles_create(weft__particles* particles, uint32_t count);

/* Makes the force columns, zeroed, unless they are there. False when memory cannot be had. */
bool weft__particles_need_forces(weft__particles* particles);

void weft__particles_destroy(weft__particles* particles);

#endif
