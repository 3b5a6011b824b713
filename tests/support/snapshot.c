#include "support/snapshot.h"

#include <stdlib.h>
#include <string.h>

scene_snapshot take_snapshot(const weft_scene* scene) {
  const uint32_t particles = weft_scene_particle_count(scene);
  const uint32_t links = weft_scene_link_count(scene);
  scene_snapshot snapshot = {
      .particle_count = particles,
      .link_count = links,
      .positions = test_alloc((particles + 1) * sizeof(float[3])),
      .inverse_masses = test_alloc((particles + 1) * sizeof(float)),
      .links = test_alloc((links + 1) * sizeof(weft_link_def)),
  };
  expect_ok(
      weft_scene_get_particles(scene, 0, particles, snapshot.positions, snapshot.inverse_masses));
  expect_ok(weft_scene_get_links(scene, 0, links, snapshot.links));
  return snapshot;
}

bool same_link(const weft_link_def* left, const weft_link_def* right) {
  return left->a == right->a && left->b == right->b && left->rest_length == right->rest_length &&
         left->relaxation == right->relaxation && left->tear_ratio == right->tear_ratio &&
         left->kind == right->kind && left->compliance == right->compliance &&
         left->mode == right->mode && left->max_length == right->max_length &&
         left->spring_damping == right->spring_damping;
}

static bool same_links(const weft_link_def* left, const weft_link_def* right, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    if (!same_link(&left[i], &right[i])) return false;
  }
  return true;
}

bool looks_like(const weft_scene* scene, const scene_snapshot* snapshot) {
  scene_snapshot now = take_snapshot(scene);
  const uint32_t particles = now.particle_count;
  return particles == snapshot->particle_count && now.link_count == snapshot->link_count &&
         memcmp(now.positions, snapshot->positions, particles * sizeof(float[3])) == 0 &&
         memcmp(now.inverse_masses, snapshot->inverse_masses, particles * sizeof(float)) == 0 &&
         same_links(now.links, snapshot->links, now.link_count);
}

void use_scene(weft_scene* scene) {
  random_source random = {5};
  const weft_body cloud = add_cloud(scene, &random, 3, 1.0f);
  (void)add_sheet(scene, 3, 4, ALL_FAMILIES);
  (void)add_random_mesh(scene, &random, 3);
  const weft_link_def link = {.a = cloud.first_particle,
                              .b = cloud.first_particle + 1,
                              .rest_length = 1.0f,
                              .relaxation = 1.0f};
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  expect_ok(weft_scene_pin(scene, weft_range(cloud.first_particle + 2, 1)));
  const weft_world_def def = weft_plain_world_def();
  weft_world* world = NULL;
  expect_ok(weft_world_create(&def, scene, &world));
  weft_world_step(world, 1);
}

void expect_unchanged(weft_scene* scene, scene_snapshot* before) {
  ck_assert(looks_like(scene, before));
  use_scene(scene);
}
