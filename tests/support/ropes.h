/* Ropes to test the direct solve on. */
#ifndef TESTS_SUPPORT_ROPES_H
#define TESTS_SUPPORT_ROPES_H

#include "support/worlds.h"

typedef struct rope {
  uint32_t first; /* particle; the others follow */
  uint32_t link_count;
} rope;

typedef struct rope_def {
  uint32_t link_count;
  float length;     /* metres */
  float mass;       /* kilograms, of all but the load */
  float load;       /* kilograms at the end; 0 = pinned */
  float from[3];    /* where the first particle is, which is pinned */
  float towards[3]; /* unit vector */
  float compliance; /* metres per newton, of each link */
  bool is_free;     /* the first particle is not pinned */
} rope_def;

/* 2 metres and 0.1 kilograms, straight down, with so many times its mass at its end. */
rope_def hanging_rope(uint32_t link_count, float load_ratio);

/* Adds the particles and links one by one. */
rope add_rope(weft_scene* scene, rope_def def);

double distance(const float* a, const float* b);

/* How far the worst link is from its rest length, as a share of it: now, or in any of the next
 * steps. */
double worst_strain(const weft_world* world, rope r, double rest_length);
double worst_strain_in(weft_world* world, rope r, double rest_length, uint32_t steps);

/* By the default def but for these two. Lets go of the scene. */
weft_world* new_direct_world(weft_scene* scene, uint32_t direct_iterations, float damping);

#endif
