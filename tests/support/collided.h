/* Particles and colliders that they collide with. */
#ifndef TESTS_SUPPORT_COLLIDED_H
#define TESTS_SUPPORT_COLLIDED_H

#include <math.h>

#include "support/worlds.h"

/* Metres per second squared. */
#define GRAVITY 9.81

/* A world of free particles at these positions, [count][3], of a kilogram each. */
static inline weft_world* new_points(const weft_world_def* def, const float* positions,
                                     uint32_t count) {
  weft_scene* scene = new_scene();
  for (uint32_t i = 0; i < count; ++i) {
    const float inverse_mass = 1.0f;
    expect_ok(weft_scene_add_particles(scene, positions + (size_t)3 * i, &inverse_mass, 1, NULL));
  }
  return new_world(def, scene);
}

/* World def without damping, at `rate` steps per second. */
static inline weft_world_def def_at(int rate) {
  return plain_def(.undamped = true, .step_ns = 1000000000 / rate);
}

static inline void touch_all(weft_world* world, const weft_particle_shape_def* contact) {
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, particle_count_of(world)), contact));
}

/* Sphere shape of a particle; radius 0 is the default shape. */
static inline weft_particle_shape_def sphere_contact(float radius) {
  weft_particle_shape_def contact = weft_default_particle_shape_def();
  if (radius > 0.0f) contact.shape = WEFT_PARTICLE_SHAPE_SPHERE;
  contact.half_size[0] = radius;
  return contact;
}

static inline weft_collider add_collider(weft_world* world, const weft_collider_def* def) {
  weft_collider collider = {0};
  expect_ok(weft_world_add_collider(world, def, &collider));
  return collider;
}

static inline weft_collider_def collider_of_shape(weft_collider_shape shape) {
  return collider_def(.shape = shape);
}

static inline void read_particle(const weft_world* world, uint32_t i, double position[3],
                                 double velocity[3]) {
  float values[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, i, 1, values);
  for (int axis = 0; axis < 3; ++axis) position[axis] = (double)values[axis];
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, values);
  for (int axis = 0; axis < 3; ++axis) velocity[axis] = (double)values[axis];
}

/* A rotation by an angle, radians, about z. */
static inline void turn_about_z(double angle, float rotation[4]) {
  rotation[0] = rotation[1] = 0.0f;
  rotation[2] = (float)sin(angle / 2.0);
  rotation[3] = (float)cos(angle / 2.0);
}

#endif
