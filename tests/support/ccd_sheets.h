/* Flat sheets whose faces have CCD. */
#ifndef TESTS_SUPPORT_CCD_SHEETS_H
#define TESTS_SUPPORT_CCD_SHEETS_H

#include "support/one_particle.h"
#include "support/random.h"
#include "support/worlds.h"

/* Distance of neighbouring particles of a sheet, metres. */
#define SPACING 0.02f

static inline weft_world_def faces_def(void) {
  return plain_def(.undamped = true);
}

static inline weft_particle_shape_def cloth_contact(void) {
  return shape_def(.shape = WEFT_PARTICLE_SHAPE_CLOTH, .radius = 1e-4f,
                   .collision = WEFT_COLLISION_EXACT);
}

/* Flat sheet at a height, centred on the y axis. */
static inline weft_body add_flat(weft_scene* scene, uint32_t side, float height) {
  return add_cloth(
      scene, .side = side, .spacing = SPACING,
      .origin = {-0.5f * SPACING * (float)(side - 1), height, -0.5f * SPACING * (float)(side - 1)},
      .is_level = true);
}

/* Pins the rim of the first sheet of side x side particles. */
static inline void pin_rim(weft_world* world, uint32_t side) {
  for (uint32_t n = 0; n < side * side; ++n) {
    const uint32_t column = n % side;
    const uint32_t row = n / side;
    if (column % (side - 1) != 0 && row % (side - 1) != 0) continue;
    pin_particles(world, n, 1);
  }
}

static inline void fling(weft_world* world, random_source* random, uint32_t first, uint32_t count,
                         float speed) {
  float* positions = new_positions(world);
  for (uint32_t i = first; i < first + count; ++i) {
    float velocity[3];
    for (int axis = 0; axis < 3; ++axis) velocity[axis] = random_float(random, -speed, speed);
    place_particle(world, i, positions + (size_t)3 * i, velocity);
  }
}

#endif
