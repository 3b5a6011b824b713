/* Worlds with particles moved by the caller, and reads of their state. */
#ifndef TESTS_SUPPORT_MOVED_H
#define TESTS_SUPPORT_MOVED_H

#include "support/worlds.h"

/* Length of a step in nanoseconds and in seconds. */
#define STEP_NS 16666667
#define STEP_SECONDS (STEP_NS * 1e-9)

static inline void get_one(const weft_world* world, uint32_t particle, float* position,
                           float* velocity) {
  expect_get(world, WEFT_ATTRIBUTE_POSITION, particle, 1, position);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, particle, 1, velocity);
}

/* All velocities; the caller frees them. */
static inline float* new_velocities(const weft_world* world) {
  const uint32_t count = particle_count_of(world);
  float* velocities = test_alloc(sizeof(float[3]) * count);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, count, velocities);
  return velocities;
}

/* Makes a world with this number of substeps and destroys the scene. */
static inline weft_world* new_world_with(weft_scene* scene, uint32_t substeps) {
  return new_plain_world(scene, .substeps = substeps);
}

/* A sheet whose first particle is pinned. */
static inline weft_scene* new_pinned_sheet(void) {
  weft_scene* scene = new_sheet_scene(9, 7, ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, weft_range(0, 1)));
  return scene;
}

#endif
