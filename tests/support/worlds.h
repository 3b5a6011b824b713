/* Worlds for tests, and reads of their state. */
#ifndef TESTS_SUPPORT_WORLDS_H
#define TESTS_SUPPORT_WORLDS_H

#include "support/scenes.h"
#include "support/suite.h"

static inline weft_world* new_world(const weft_world_def* def, const weft_scene* scene) {
  weft_world* world = NULL;
  expect_ok(weft_world_create(def, scene, &world));
  return world;
}

static inline weft_world* new_world_of(weft_scene* scene) {
  const weft_world_def def = weft_plain_world_def();
  return new_world(&def, scene);
}

/* A world of free particles only: positions [count][3]. */
static inline weft_world* new_particles(const weft_world_def* def, const float* positions,
                                        const float* inverse_masses, uint32_t count) {
  weft_scene* scene = new_points_scene(positions, inverse_masses, count);
  return new_world(def, scene);
}

static inline weft_world* new_world_by(weft_world_def def, const weft_scene* scene) {
  return new_world(&def, scene);
}

#define new_plain_world(scene, ...) new_world_by(plain_def(__VA_ARGS__), scene)
#define new_default_world(scene, ...) new_world_by(default_def(__VA_ARGS__), scene)

static inline void put_floor(weft_world* world, float height, float friction) {
  const weft_bounds_def bounds = floor_bounds(height, friction);
  expect_ok(weft_world_set_bounds(world, &bounds));
}

static inline void log_events(weft_world* world, uint32_t max_events) {
  const weft_contact_limits_def limits = event_limits(max_events);
  expect_ok(weft_world_set_contact_limits(world, &limits));
}

static inline void shape_by(weft_world* world, uint32_t first, uint32_t count,
                            weft_particle_shape_def def) {
  expect_ok(weft_world_set_particle_shape(world, weft_range(first, count), &def));
}

#define shape_particles(world, first, count, ...) \
  shape_by(world, first, count, shape_def(__VA_ARGS__))

static inline weft_collider put_collider_by(weft_world* world, weft_collider_def def) {
  weft_collider collider = {0};
  expect_ok(weft_world_add_collider(world, &def, &collider));
  return collider;
}

#define put_collider(world, ...) put_collider_by(world, collider_def(__VA_ARGS__))

/* Sets velocity and spin of a collider; NULL = as they are. */
static inline weft_result steer_collider(weft_world* world, weft_collider collider,
                                         const float* velocity, const float* spin) {
  weft_collider_def def;
  const weft_result result = weft_world_get_collider(world, collider, &def);
  if (result.error != WEFT_OK) return result;
  for (int axis = 0; axis < 3; ++axis) {
    if (velocity != NULL) def.velocity[axis] = velocity[axis];
    if (spin != NULL) def.spin[axis] = spin[axis];
  }
  return weft_world_set_collider(world, collider, &def);
}

/* Places a collider without a sweep. */
static inline weft_result place_collider(weft_world* world, weft_collider collider,
                                         const float* position) {
  weft_collider_def def;
  const weft_result result = weft_world_get_collider(world, collider, &def);
  if (result.error != WEFT_OK) return result;
  for (int axis = 0; axis < 3; ++axis) def.position[axis] = position[axis];
  return weft_world_set_collider(world, collider, &def);
}

/* Pose of a collider; either may be NULL. */
static inline weft_result get_pose(const weft_world* world, weft_collider collider, float* position,
                                   float* rotation) {
  weft_collider_def def;
  const weft_result result = weft_world_get_collider(world, collider, &def);
  if (result.error != WEFT_OK) return result;
  for (int k = 0; k < 3 && position != NULL; ++k) position[k] = def.position[k];
  for (int k = 0; k < 4 && rotation != NULL; ++k) rotation[k] = def.rotation[k];
  return result;
}

/* Requires the hash of the first of several worlds, `first`, 0 to begin with. */
static inline void expect_final_hash(weft_world* world, uint64_t* first) {
  const uint64_t hash = weft_world_hash(world);
  if (*first == 0) *first = hash;
  ck_assert_uint_eq(hash, *first);
}

static inline weft_world_stats stats_of(const weft_world* world) {
  weft_world_stats stats;
  expect_ok(weft_world_get_stats(world, &stats));
  return stats;
}

static inline weft_measures measures_of(const weft_world* world) {
  weft_measures measures;
  expect_ok(weft_world_measure(world, &measures));
  return measures;
}

static inline uint32_t particle_count_of(const weft_world* world) {
  return stats_of(world).particle_count;
}

static inline weft_contact_stats contact_stats_of(const weft_world* world) {
  weft_contact_stats stats;
  expect_ok(weft_world_get_contact_stats(world, &stats));
  return stats;
}

/* Positions at a share of the last step, [count][3]. */
static inline weft_result read_interpolated(const weft_world* world, float share, uint32_t first,
                                            uint32_t count, float* positions) {
  const weft_attribute_array array = {WEFT_ATTRIBUTE_POSITION, positions, 0};
  weft_vertices_def def = weft_default_vertices_def();
  def.selection = weft_range(first, count);
  def.arrays = &array;
  def.array_count = 1;
  def.interpolation = share;
  return weft_world_read_vertices(world, &def);
}

static inline float* new_positions(const weft_world* world) {
  const uint32_t count = particle_count_of(world);
  float* positions = test_alloc(sizeof(float[3]) * count);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, count, positions);
  return positions;
}

#endif
