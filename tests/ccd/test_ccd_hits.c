/* Hits of CCD in closed form. */
#include <math.h>

#include "support/one_particle.h"
#include "support/worlds.h"

// A particle of 2 g hits the middle of a triangle of 3 g, in axes that are permuted by `turn`. The
// hit is inelastic: all go on with two fifths of its speed, whatever substeps a pass covers.
static void hit_triangle(float speed, uint32_t substeps, int turn) {
  weft_world_def def = weft_plain_world_def();
  def.faces = true;
  def.damping = def.gravity[1] = 0.0f;
  def.substeps = substeps;
  static const float corners[4][3] = {
      {-0.02f, 0.0f, -0.02f}, {0.04f, 0.0f, -0.02f}, {-0.02f, 0.0f, 0.04f}, {0.0f, 0.01f, 0.0f}};
  float at[4][3];
  float velocity[3] = {0.0f};
  for (int k = 0; k < 12; ++k) at[k / 3][(k + turn) % 3] = corners[k / 3][k % 3];
  velocity[(1 + turn) % 3] = -speed;
  const uint32_t face[3] = {0, 1, 2};
  weft_mesh_def mesh = weft_default_mesh_def();
  mesh.positions = at[0];
  mesh.vertex_count = 3;
  mesh.triangles = face;
  mesh.triangle_count = 1;
  const float inverse_mass = 500.0f;
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_mesh(scene, &mesh, NULL));
  expect_ok(weft_scene_add_particles(scene, at[3], &inverse_mass, 1, NULL));
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  weft_particle_shape_def contact = weft_default_particle_shape_def();
  contact.shape = WEFT_PARTICLE_SHAPE_CLOTH;
  contact.half_size[0] = 1e-4f;
  contact.ccd = true;
  expect_ok(weft_world_set_particle_shape(world, 0, 4, &contact));
  place_particle(world, 3, at[3], velocity);
  weft_world_step(world, 30);
  float velocities[4][3];
  expect_ok(weft_world_get_velocities(world, 0, 4, velocities[0]));
  for (int k = 0; k < 12; ++k) {
    const float expected = k % 3 == (1 + turn) % 3 ? -0.4f * speed : 0.0f;
    ck_assert_msg(fabsf(velocities[k / 3][k % 3] - expected) < 0.02f * speed,
                  "speed %g, %u substeps, turn %d: particle %d, axis %d: %g for %g", (double)speed,
                  substeps, turn, k / 3, k % 3, (double)velocities[k / 3][k % 3], (double)expected);
  }
  weft_world_destroy(&world);
}

START_TEST(a_particle_takes_a_triangle_along_as_the_closed_form_says) {
  static const struct {
    float speed;
    uint32_t substeps;
  } cases[] = {{20.0f, 1}, {20.0f, 8}, {0.6f, 16}, {0.1f, 2}, {0.1f, 3}};
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {
    hit_triangle(cases[i].speed, cases[i].substeps, _i);
  }
}
END_TEST

SUITE(ccd_hits) {
  tcase_add_loop_test(tests, a_particle_takes_a_triangle_along_as_the_closed_form_says, 0, 3);
}
