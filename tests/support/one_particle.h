#ifndef TESTS_SUPPORT_ONE_PARTICLE_H
#define TESTS_SUPPORT_ONE_PARTICLE_H

#include "support/suite.h"

/* Sets position and velocity, [3] each; NULL = velocity 0. */
static inline void place_particle(weft_world* world, uint32_t particle, const float* position,
                                  const float* velocity) {
  static const float still[3];
  expect_set(world, WEFT_ATTRIBUTE_POSITION, particle, 1, position, 0);
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, particle, 1, velocity != NULL ? velocity : still, 0);
}

static inline void set_inverse_mass(weft_world* world, uint32_t particle, float inverse_mass) {
  expect_set(world, WEFT_ATTRIBUTE_INVERSE_MASS, particle, 1, &inverse_mass, 0);
}

static inline void pin_particles(weft_world* world, uint32_t first, uint32_t count) {
  const float pinned = 0.0f;
  expect_set(world, WEFT_ATTRIBUTE_INVERSE_MASS, first, count, &pinned, WEFT_SAME);
}

#endif
