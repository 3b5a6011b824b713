/* Membranes whose materials or texture coordinates are wrong, and uvs that turn the warp. */
#include "support/membranes.h"
#include "support/test.h"

typedef struct bad_input {
  float weft_stiffness, poisson_ratio, max_stretch, relaxation, warp[3];
  bool membrane;
  weft_error error;
  const char* field;
} bad_input;

static const bad_input bad_inputs[] = {
    {800.0f, 0, 0, 1, {1, 0, 0}, false, WEFT_ERROR_RANGE, "weft_material_def.weft_stiffness"},
    {0, 0.3f, 0, 1, {1, 0, 0}, false, WEFT_ERROR_RANGE, "weft_material_def.poisson_ratio"},
    {0, 0, 1.1f, 1, {1, 0, 0}, false, WEFT_ERROR_RANGE, "weft_material_def.max_stretch"},
    {0, 0, 0, 1, {1, 0, 0}, false, WEFT_ERROR_RANGE, "weft_material_def.shear_stiffness"},
    {0, 1.0f, 0, 1, {1, 0, 0}, true, WEFT_ERROR_RANGE, "weft_material_def.poisson_ratio"},
    {0, 0, 0, 0.5f, {1, 0, 0}, true, WEFT_ERROR_RANGE, "weft_mesh_def.relaxation"},
    {0, 0, 0, 1, {0, 0, 0}, true, WEFT_ERROR_RANGE, "weft_mesh_def.warp"},
    {0, 0, 0, 1, {0, 0, 1}, true, WEFT_ERROR_DEGENERATE, "weft_mesh_def.warp"},
};

static void expect_refused(const weft_mesh_def* mesh, weft_error error, const char* field) {
  weft_scene* scene = new_scene();
  const weft_result result = weft_scene_add_mesh(scene, mesh, NULL);
  ck_assert_int_eq(result.error, error);
  ck_assert_str_eq(result.field, field);
  ck_assert_uint_eq(weft_scene_particle_count(scene), 0);
}

LOOP_TEST(bad_input_is_named, 0, (int)(sizeof(bad_inputs) / sizeof(*bad_inputs))) {
  const bad_input* bad = &bad_inputs[_i];
  net n;
  weft_material_def material = weft_default_material_def();
  material.membrane = bad->membrane;
  material.weft_stiffness = bad->weft_stiffness;
  material.poisson_ratio = bad->poisson_ratio;
  material.max_stretch = bad->max_stretch;
  if (strcmp(bad->field, "weft_material_def.shear_stiffness") == 0) material.shear_stiffness = 1.0f;
  weft_mesh_def mesh = make_net(&n, 3, NULL, &material);
  mesh.relaxation = bad->relaxation;
  memcpy(mesh.warp, bad->warp, sizeof(mesh.warp));
  expect_refused(&mesh, bad->error, bad->field);
}

TEST(uvs_without_area_and_triangles_without_area_are_named) {
  net n;
  const weft_material_def material = woven();
  weft_mesh_def mesh = make_net(&n, 3, NULL, &material);
  float uvs[2 * 9] = {0.0f};
  mesh.uvs = uvs;
  expect_refused(&mesh, WEFT_ERROR_DEGENERATE, "weft_mesh_def.uvs");
  mesh.uvs = NULL;
  n.positions[3] = 0.5f * n.positions[6] + 0.5f * n.positions[0];
  n.positions[3 * 4 + 1] = 0.0f;
  expect_refused(&mesh, WEFT_ERROR_DEGENERATE, "weft_mesh_def.triangles");
}

TEST(uvs_turn_the_warp_like_a_vector_does) {
  random_source random = {0};
  net n;
  const weft_material_def material = woven();
  weft_mesh_def mesh = make_net(&n, 8, &random, &material);
  mesh.warp[0] = 0.6f;
  mesh.warp[1] = 0.8f;
  float uvs[2 * MOST_VERTICES];
  for (uint32_t i = 0; i < n.side * n.side; ++i) {
    const float* p = n.positions + (size_t)3 * i;
    uvs[2 * i] = 3.0f * (0.6f * p[0] + 0.8f * p[1]);
    uvs[2 * i + 1] = 0.5f * (0.6f * p[1] - 0.8f * p[0]);
  }
  float* at[2];
  for (int with_uvs = 0; with_uvs < 2; ++with_uvs) {
    mesh.uvs = with_uvs ? uvs : NULL;
    weft_world* world = new_membrane(&mesh, weft_plain_world_def());
    pin_particles(world, 0, 1);
    weft_world_step(world, 20);
    at[with_uvs] = new_positions(world);
  }
  for (uint32_t i = 0; i < 3 * n.side * n.side; ++i) {
    ck_assert_float_eq_tol(at[0][i], at[1][i], 1e-3f);
  }
}
