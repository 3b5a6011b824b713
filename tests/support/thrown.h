/* A single particle with an initial velocity. */
#ifndef TESTS_SUPPORT_THROWN_H
#define TESTS_SUPPORT_THROWN_H

#include "support/one_particle.h"
#include "support/worlds.h"

static inline weft_world* new_lone_particle(const weft_world_def* def) {
  const float position[3] = {0};
  const float inverse_mass = 2.0f;
  weft_scene* scene = new_points_scene(position, &inverse_mass, 1);
  return new_world(def, scene);
}

static inline weft_world_def def_without_damping(uint32_t substeps) {
  return plain_def(.undamped = true, .substeps = substeps);
}

/* Moves the particle to the origin with this velocity. */
static inline void throw_it(weft_world* world, const float velocity[3]) {
  const float origin[3] = {0};
  place_particle(world, 0, origin, velocity);
}

#endif
