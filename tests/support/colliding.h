#ifndef TESTS_SUPPORT_COLLIDING_H
#define TESTS_SUPPORT_COLLIDING_H

#include "modules/spheres/particle_contacts.h"
#include "support/collided.h"
#include "world/world.h"

static inline weft_particle_shape_def contact_of(weft_particle_shape shape, float x, float y,
                                                 float z) {
  return shape_def(.shape = shape, .half_size = {x, y, z});
}

static inline weft_particle_shape_def ball_of(float radius, float restitution) {
  weft_particle_shape_def contact = contact_of(WEFT_PARTICLE_SHAPE_SPHERE, radius, 0.0f, 0.0f);
  contact.surface.restitution = restitution;
  return contact;
}

static inline weft_particle_shape_def turning_ball(double radius, float friction,
                                                   float restitution) {
  weft_particle_shape_def ball = ball_of((float)radius, restitution);
  ball.surface.static_friction = ball.surface.dynamic_friction = friction;
  ball.turns = true;
  return ball;
}

/* World def without gravity and damping, with steps of h seconds. */
static inline weft_world_def weightless_def(double h) {
  return plain_def(.weightless = true, .undamped = true, .step_ns = (int64_t)(h * 1e9));
}

static inline const weft__particle_contacts* impulses_of(const weft_world* world) {
  return world->stepper.stages.of[WEFT__STAGE_BODIES];
}

static inline double number_of(const float* value) {
  return (double)*value;
}

#endif
