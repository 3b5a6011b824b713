/* A world with a little of everything, for tests of all of its state. */
#ifndef TESTS_SUPPORT_BUSY_H
#define TESTS_SUPPORT_BUSY_H

#include "support/collided.h"

// cloth that tears, a rope, a ball with gas, and two spheres without links
static inline weft_scene* new_busy_scene(void) {
  weft_scene* scene = new_cloth_scene(.side = 20, .tear_ratio = 1.3f);
  expect_ok(weft_scene_pin(scene, weft_range(0, 20)));
  weft_rope_def rope = bare_rope_def();
  rope.origin[0] = rope.end[0] = 2.0f;
  rope.pin_origin = true;
  expect_ok(weft_scene_add_rope(scene, &rope, NULL));
  weft_ball_def filled = bare_ball_def();
  filled.origin[0] = -2.0f;
  filled.pressure = 500.0f;
  expect_ok(weft_scene_add_ball(scene, &filled, NULL));
  const float spheres[2][3] = {{4.0f, 0.0f, 0.0f}, {4.02f, 0.5f, 0.0f}};
  const float inverse_masses[2] = {1.0f, 1.0f};
  expect_ok(weft_scene_add_particles(scene, spheres[0], inverse_masses, 2, NULL));
  return scene;
}

// walls, a collider, shapes, wind, a joint, a grip, settings
static inline void set_up_busy(weft_world* world) {
  const uint32_t last = particle_count_of(world) - 1;
  const weft_particle_shape_def shape = sphere_contact(0.2f);
  weft_collider_def collider = collider_of_shape(WEFT_COLLIDER_SHAPE_SPHERE);
  weft_bounds_def bounds = weft_default_bounds_def();
  weft_wind_def wind = weft_default_wind_def();
  weft_joint_def joint = weft_default_joint_def();
  const float gravity[3] = {0.5f, -9.0f, 0.0f}, place[3] = {0.5f, -0.5f, 0.0f};
  const float target[3] = {0.5f, -0.5f, 2.0f};
  weft_joint joined;
  weft_grip grip;
  bounds.lower[1] = -1.5f;
  bounds.surface.restitution = 0.3f;
  wind.velocity[2] = 3.0f;
  wind.gust = 0.5f;
  collider.position[1] = -1.0f;
  collider.radius = 0.3f;
  joint.particle = 410;
  joint.to[0] = 399;
  joint.rest_length = 1.0f;
  log_events(world, 100);
  expect_ok(weft_world_set_particle_shape(world, weft_range(last - 1, 2), &shape));
  expect_ok(weft_world_set_bounds(world, &bounds));
  expect_ok(weft_world_set_wind(world, &wind));
  expect_ok(weft_world_set_gravity(world, gravity));
  expect_ok(weft_world_set_damping(world, 0.4f));
  (void)add_collider(world, &collider);
  expect_ok(weft_world_add_joint(world, &joint, &joined));
  expect_ok(weft_world_add_grip(world, place, 0.2f, &grip));
  expect_ok(weft_world_move_grip(world, grip, target));
}

// Changes that set_up_busy() does not make: links off, pins, a removed body, step, substeps, time
// scale, time left.
static inline void disturb_busy(weft_world* world) {
  const weft_body rope = {400, 17, 0, 0};
  const float free_mass = 10.0f, place[3] = {1.0f, 2.0f, 3.0f};
  weft_advance advance;
  expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, 30, 5, &(bool){true}, WEFT_SAME);
  expect_set(world, WEFT_ATTRIBUTE_INVERSE_MASS, 0, 5, &free_mass, WEFT_SAME);
  expect_set(world, WEFT_ATTRIBUTE_POSITION, 50, 1, place, 0);
  expect_ok(weft_world_remove_body(world, &rope));
  expect_ok(weft_world_set_time_scale(world, 0.3f));
  expect_ok(weft_world_set_step(world, 10000000));
  expect_ok(weft_world_set_substeps(world, 3));
  expect_ok(weft_world_advance(world, 12345678, &advance));
  expect_ok(weft_world_build_index(world));
}

static inline weft_world_def busy_def(weft_integrator integrator) {
  return default_def(.integrator = integrator,
                     .springs = integrator != WEFT_INTEGRATOR_POSITION_VERLET, .substeps = 4);
}

#endif
