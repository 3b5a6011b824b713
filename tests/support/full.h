/* A busy world (busy.h) with shapes with data, cloth with thickness and CCD, events, a reserve and
 * a skin. */
#ifndef TESTS_SUPPORT_FULL_H
#define TESTS_SUPPORT_FULL_H

#include "support/busy.h"
#include "support/colliding.h"

static inline weft_scene* new_full_scene(void) {
  weft_scene* scene = new_busy_scene();
  expect_ok(weft_scene_reserve_particles(scene, 10, NULL));
  return scene;
}

static inline void add_mesh_collider(weft_world* world) {
  static const float points[][3] = {{-2, -1.2f, -2}, {2, -1.2f, -2}, {2, -1.2f, 2}, {-2, -1.1f, 2}};
  static const uint32_t triangles[][3] = {{0, 1, 2}, {0, 2, 3}};
  weft_collider_def def = collider_of_shape(WEFT_COLLIDER_SHAPE_MESH);
  def.points = points[0];
  def.point_count = 4;
  def.triangles = triangles[0];
  def.triangle_count = 2;
  def.spin[1] = 0.5f;
  (void)add_collider(world, &def);
  // a second one, on its way
  float targets[4][3];
  memcpy(targets, points, sizeof(targets));
  for (int k = 0; k < 4; ++k) targets[k][1] += 0.3f;
  def.deforms = def.one_sided = true;
  const weft_collider moving = add_collider(world, &def);
  expect_ok(weft_world_move_collider_points(world, moving, 4, targets[0], sizeof(*targets)));
}

static inline void set_up_full(weft_world* world) {
  set_up_busy(world);
  add_mesh_collider(world);
  weft_particle_shape_def cloth = shape_def(.shape = WEFT_PARTICLE_SHAPE_CLOTH, .radius = 0.01f,
                                            .collision = WEFT_COLLISION_EXACT);
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 400), &cloth));
  weft_particle_def particle = weft_default_particle_def();
  particle.position[0] = 6.0f;
  weft_particle handle;
  expect_ok(weft_world_add_particle(world, &particle, &handle));
  const weft_skin_limits limits = {0.5f, 0.1f, 0.2f, 0.05f};
  const float skin[3] = {0.2f, 0.0f, 0.1f}, normal[3] = {0.0f, 0.0f, 1.0f};
  expect_ok(
      weft_world_set(world, WEFT_ATTRIBUTE_SKIN_LIMITS, weft_range(300, 50), &limits, WEFT_SAME));
  expect_set(world, WEFT_ATTRIBUTE_SKIN_POSITION_TARGET, 300, 20, skin, WEFT_SAME);
  expect_set(world, WEFT_ATTRIBUTE_SKIN_NORMAL_TARGET, 300, 20, normal, WEFT_SAME);
  const float force[3] = {0.1f, 0.2f, 0.3f};
  expect_add(world, WEFT_ATTRIBUTE_FORCE, 100, 10, force, WEFT_SAME);
}

static inline weft_world* new_full_world(const weft_world_def* def, const weft_scene* scene) {
  weft_world* world = new_world(def, scene);
  set_up_full(world);
  weft_world_step(world, 10);
  return world;
}

#endif
