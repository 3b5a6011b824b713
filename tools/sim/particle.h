/* State of a single particle of a world. */
#ifndef WEFT_TOOLS_SIM_PARTICLE_H
#define WEFT_TOOLS_SIM_PARTICLE_H

#include <weft/weft.h>

/* Sets position and velocity, [3] each. */
static inline weft_result sim_set_particle(weft_world* world, uint32_t particle,
                                           const float* position, const float* velocity) {
  const weft_result result =
      weft_world_set(world, WEFT_ATTRIBUTE_POSITION, weft_range(particle, 1), position, 0);
  if (result.error != WEFT_OK) return result;
  return weft_world_set(world, WEFT_ATTRIBUTE_VELOCITY, weft_range(particle, 1), velocity, 0);
}

/* Sets the radius for the bounds, metres; the particle collides with nothing else. */
static inline weft_result sim_set_radius(weft_world* world, uint32_t particle, float radius) {
  weft_particle_shape_def shape = weft_default_particle_shape_def();
  shape.half_size[0] = radius;
  shape.mask = 0;
  return weft_world_set_particle_shape(world, weft_range(particle, 1), &shape);
}

static inline weft_result sim_set_inverse_mass(weft_world* world, uint32_t particle,
                                               float inverse_mass) {
  return weft_world_set(world, WEFT_ATTRIBUTE_INVERSE_MASS, weft_range(particle, 1), &inverse_mass,
                        0);
}

#endif
