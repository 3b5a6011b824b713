/* Ropes for tests of the direct solver. */
#ifndef TESTS_SUPPORT_ROPES_H
#define TESTS_SUPPORT_ROPES_H

#include "support/worlds.h"

typedef struct rope {
  uint32_t first; /* first particle; the rest follow */
  uint32_t link_count;
} rope;

typedef struct rope_def {
  uint32_t link_count;
  float length;     /* metres */
  float mass;       /* kilograms, all particles but the load */
  float load;       /* kilograms at the end; 0 = pinned */
  float from[3];    /* position of the first particle, which is pinned */
  float towards[3]; /* unit vector */
  float compliance; /* metres per newton, per link */
  bool is_free;     /* no pin at the first particle */
} rope_def;

/* Rope of 2 metres and 0.1 kilograms, straight down, with load_ratio times its mass at its end. */
rope_def hanging_rope(uint32_t link_count, float load_ratio);

rope add_rope(weft_scene* scene, rope_def def);

double distance(const float* a, const float* b);

/* Largest strain of a link, as a share of its rest length: now, or over the next steps. */
double worst_strain(const weft_world* world, rope r, double rest_length);
double worst_strain_in(weft_world* world, rope r, double rest_length, uint32_t steps);

/* World of the plain def with symmetric sweeps and these two settings. Destroys the scene. */
weft_world* new_direct_world(weft_scene* scene, uint32_t direct_iterations, float damping);

#endif
