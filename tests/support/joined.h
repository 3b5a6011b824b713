/* Particles connected by joints. */
#ifndef TESTS_SUPPORT_JOINED_H
#define TESTS_SUPPORT_JOINED_H

#include <math.h>

#include "support/worlds.h"

static inline weft_joint_def joint_between(uint32_t particle, uint32_t to) {
  weft_joint_def def = weft_default_joint_def();
  def.particle = particle;
  def.to[0] = to;
  return def;
}

static inline weft_joint add_joint(weft_world* world, const weft_joint_def* def) {
  weft_joint joint = {0};
  expect_ok(weft_world_add_joint(world, def, &joint));
  return joint;
}

/* Force that a joint exerts, in newtons. */
static inline float force_of(const weft_world* world, weft_joint joint) {
  float force = -1.0f;
  expect_ok(weft_world_get_joint(world, joint, NULL, &force, NULL));
  return force;
}

static inline bool is_broken(const weft_world* world, weft_joint joint) {
  bool broken = false;
  expect_ok(weft_world_get_joint(world, joint, NULL, NULL, &broken));
  return broken;
}

static inline uint32_t whole_joints(const weft_world* world) {
  return stats_of(world).joint_count;
}

static inline double apart(const weft_world* world, uint32_t a, uint32_t b) {
  float p[3];
  float q[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, a, 1, p);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, b, 1, q);
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    square += ((double)p[axis] - (double)q[axis]) * ((double)p[axis] - (double)q[axis]);
  }
  return sqrt(square);
}

static inline weft_world_def weightless_def(void) {
  return plain_def(.weightless = true, .undamped = true);
}

#endif
