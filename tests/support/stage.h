/* One particle and bounds around it. */
#ifndef TESTS_SUPPORT_STAGE_H
#define TESTS_SUPPORT_STAGE_H

#include "support/one_particle.h"
#include "support/worlds.h"

#define GRAVITY 9.81

typedef struct stage {
  weft_world_def def;
  weft_bounds_def bounds;
  weft_world* world;
} stage;

static inline stage new_stage(int rate) {
  stage s = {.def = weft_plain_world_def(), .bounds = weft_default_bounds_def()};
  s.def.damping = 0.0f;
  s.def.step_ns = 1000000000 / rate;
  return s;
}

static inline double step_of(const stage* s) {
  return (double)s->def.step_ns * 1e-9;
}

/* A floor at y = 0. */
static inline stage new_floor(int rate, float restitution, float friction) {
  stage s = new_stage(rate);
  s.bounds.lower[1] = 0.0f;
  s.bounds.surface.restitution = restitution;
  s.bounds.surface.static_friction = s.bounds.surface.dynamic_friction = friction;
  return s;
}

static inline void place(stage* s, const float* position, const float* velocity) {
  const float inverse_mass = 2.0f;
  weft_scene* scene = new_points_scene(position, &inverse_mass, 1);
  s->world = new_world(&s->def, scene);
  place_particle(s->world, 0, position, velocity);
  expect_ok(weft_world_set_bounds(s->world, &s->bounds));
}

static inline void place_at(stage* s, float x, float y, float z) {
  const float position[3] = {x, y, z};
  place(s, position, NULL);
}

static inline void read_state(const stage* s, float position[3], float velocity[3]) {
  expect_get(s->world, WEFT_ATTRIBUTE_POSITION, 0, 1, position);
  expect_get(s->world, WEFT_ATTRIBUTE_VELOCITY, 0, 1, velocity);
}

static inline float height(const stage* s) {
  float position[3];
  expect_get(s->world, WEFT_ATTRIBUTE_POSITION, 0, 1, position);
  return position[1];
}

/* Height of the next apex after a bounce. */
static inline double next_apex(stage* s) {
  double apex = 0.0;
  double before = (double)height(s);
  for (bool rises = false;;) {
    weft_world_step(s->world, 1);
    const double now = (double)height(s);
    if (rises && now < before) return apex;
    rises = now > before;
    before = now;
    if (rises && now > apex) apex = now;
  }
}

#endif
