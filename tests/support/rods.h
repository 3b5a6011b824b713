/* A rod of a given length and stiffness. */
#ifndef TESTS_SUPPORT_RODS_H
#define TESTS_SUPPORT_RODS_H

#include <math.h>

#include "support/worlds.h"

// Metres, and newtons times square metres.
static const double rod_length = 0.3, rod_stiffness = 1e-3;

// Rod along x from the origin, held and clamped there.
static inline weft_rod_def held_rod(uint32_t segments, double mass_per_metre) {
  weft_rod_def def = bare_rod_def();
  def.rope.end[0] = (float)rod_length;
  def.rope.end[1] = 0.0f;
  def.rope.segments = segments;
  def.rope.mass_per_metre = (float)mass_per_metre;
  def.rope.pin_origin = def.clamp_origin = true;
  def.bend_stiffness = def.twist_stiffness = (float)rod_stiffness;
  return def;
}

static inline weft_world_def world_def(uint32_t substeps, float damping, float gravity) {
  weft_world_def def = default_def(.worker_count = 1, .substeps = substeps);
  def.damping = damping;
  def.gravity[1] = -gravity;
  return def;
}

static inline weft_world* new_rod(const weft_rod_def* rod, const weft_world_def* def) {
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_rod(scene, rod, NULL));
  return new_world(def, scene);
}

static inline void position_of(const weft_world* world, uint32_t particle, double place[3]) {
  float at[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, particle, 1, at);
  for (int i = 0; i < 3; ++i) place[i] = (double)at[i];
}

#endif
