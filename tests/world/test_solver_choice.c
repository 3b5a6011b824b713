/* WEFT_AUTO: settings chosen by the world, and cloth that does not stretch with them. */
#include "support/test.h"

typedef enum support_of { BY_ROW, BY_CORNERS, ON_SPHERE } support_of;

typedef struct choice_case {
  const char* name;
  support_of support;
  bool has_material, is_stiff;
  float tear_ratio;
  uint32_t attachments, substeps, coarse_iterations[2], iterations;  // by side
  double max_mean_strain;
} choice_case;

static const choice_case cases[] = {
    {"rigid, by its row", BY_ROW, false, false, 0.0f, 4, 8, {0, 2}, 2, 1e-3},
    {"rigid, by two corners", BY_CORNERS, false, false, 0.0f, 4, 8, {0, 0}, 2, 1e-3},
    {"rigid, on a sphere", ON_SPHERE, false, false, 0.0f, 0, 8, {2, 2}, 2, 1e-2},
    {"cotton, by its row", BY_ROW, true, false, 0.0f, 0, 16, {2, 2}, 4, 1e-2},
    {"cotton, on a sphere", ON_SPHERE, true, false, 0.0f, 0, 16, {2, 2}, 4, 1e-2},
    {"stiff cotton, by its row", BY_ROW, true, true, 0.0f, 0, 32, {0, 0}, 6, 1e-2},
    {"can tear, by its row", BY_ROW, false, false, 3.0f, 0, 8, {2, 2}, 2, 1e-2},
};
enum { CASES = sizeof(cases) / sizeof(*cases) };
static const uint32_t sides[] = {33, 65};

// a sheet of 2 m
static weft_scene* new_case(const choice_case* c, uint32_t side) {
  weft_scene* scene = new_scene();
  weft_sheet_def sheet =
      sheet_def(.side = side, .spacing = 2.0f / (float)(side - 1), .tear_ratio = c->tear_ratio);
  const weft_material_def cotton = material_def(.bend_stiffness = c->is_stiff ? 1e-5f : 0.0f);
  if (c->has_material) sheet.material = &cotton;
  if (c->support == ON_SPHERE) {
    sheet.origin[0] = sheet.origin[2] = -1.0f;
    sheet.origin[1] = 0.52f;
    sheet.down[1] = 0.0f;
    sheet.down[2] = 1.0f;
  }
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  for (uint32_t i = 0; i < side; ++i) {
    const bool is_corner = i == 0 || i == side - 1;
    if (c->support == BY_ROW || (c->support == BY_CORNERS && is_corner)) {
      expect_ok(weft_scene_pin(scene, weft_range(i, 1)));
    }
  }
  return scene;
}

static void add_sphere(weft_world* world, uint32_t particle_count) {
  const weft_collider_def sphere =
      collider_def(.shape = WEFT_COLLIDER_SHAPE_SPHERE, .radius = 0.5f, .friction = 0.5f);
  weft_collider added;
  expect_ok(weft_world_add_collider(world, &sphere, &added));
  shape_particles(world, 0, particle_count, .radius = 0.005f, .friction = 0.5f);
}

LOOP_TEST(cloth_keeps_its_length_with_the_settings_chosen_for_it, 0, ROUNDS(2, 1) * CASES) {
  const choice_case* c = &cases[_i % CASES];
  const uint32_t side = sides[_i / CASES];
  weft_scene* scene = new_case(c, side);
  const weft_world_def def = weft_default_world_def();
  weft_world* world = new_world(&def, scene);
  if (c->support == ON_SPHERE) add_sphere(world, side * side);
  const weft_world_stats stats = stats_of(world);
  ck_assert_msg(stats.attachments == c->attachments && stats.substeps == c->substeps &&
                    stats.coarse_iterations == c->coarse_iterations[_i / CASES] &&
                    stats.iterations == c->iterations,
                "%s, %u: %u attachments, %u substeps, %u coarse, %u iterations", c->name, side,
                stats.attachments, stats.substeps, stats.coarse_iterations, stats.iterations);
  weft_world_step(world, 90);
  const weft_measures measures = measures_of(world);
  ck_assert_msg(measures.mean_strain < c->max_mean_strain, "%s, %u: mean strain %g", c->name, side,
                measures.mean_strain);
}

// a square of triangles, held along an edge
static weft_scene* new_mesh(uint32_t side, float spacing, const weft_material_def* material) {
  float* positions = test_alloc(sizeof(float[3]) * side * side);
  uint32_t* triangles = test_alloc(sizeof(uint32_t[6]) * side * side);
  weft_mesh_def def = weft_default_mesh_def();
  for (uint32_t i = 0; i < side * side; ++i) {
    positions[3 * i] = spacing * (float)(i % side);
    positions[3 * i + 1] = -spacing * (float)(i / side);
    positions[3 * i + 2] = 0.0f;
    if (i % side == side - 1 || i / side == side - 1) continue;
    const uint32_t cell[6] = {i, i + side, i + 1, i + 1, i + side, i + side + 1};
    memcpy(&triangles[3 * def.triangle_count], cell, sizeof cell);
    def.triangle_count += 2;
  }
  def.positions = positions;
  def.vertex_count = side * side;
  def.triangles = triangles;
  def.material = material;
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_mesh(scene, &def, NULL));
  expect_ok(weft_scene_pin(scene, weft_range(0, side)));
  return scene;
}

TEST(elastic_meshes_have_sweeps_as_long_as_these_bear_them) {
  static const struct {
    uint32_t side;
    float spacing;
    bool is_rigid, has_sheet, is_membrane;
    uint32_t iterations, coarse_iterations, attachments;
  } meshes[] = {
      {5, 0.25f, false, false, false, 6, 0, 0},   {33, 0.03f, false, false, false, 6, 0, 0},
      {65, 0.004f, false, false, false, 6, 0, 0}, {65, 0.0003f, false, false, false, 6, 2, 0},
      {33, 0.03f, true, false, false, 2, 0, 4},   {33, 0.03f, false, true, false, 6, 2, 0},
      {33, 0.03f, false, false, true, 6, 0, 0},   {65, 0.0003f, false, false, true, 6, 2, 0},
  };
  const weft_material_def cotton = weft_default_material_def();
  weft_material_def isotropic = cotton;
  isotropic.membrane = true;
  isotropic.shear_stiffness = 0.5f * cotton.stretch_stiffness;
  for (size_t i = 0; i < sizeof(meshes) / sizeof(*meshes); ++i) {
    const weft_material_def* elastic = meshes[i].is_membrane ? &isotropic : &cotton;
    weft_scene* scene =
        new_mesh(meshes[i].side, meshes[i].spacing, meshes[i].is_rigid ? NULL : elastic);
    if (meshes[i].has_sheet) add_sheet(scene, 65, 65, ALL_FAMILIES);
    const weft_world_def def = weft_default_world_def();
    weft_world* world = new_world(&def, scene);
    const weft_world_stats stats = stats_of(world);
    ck_assert_msg(stats.iterations == meshes[i].iterations &&
                      stats.coarse_iterations == meshes[i].coarse_iterations &&
                      stats.attachments == meshes[i].attachments,
                  "mesh %zu: %u iterations, %u coarse, %u attachments", i, stats.iterations,
                  stats.coarse_iterations, stats.attachments);
  }
}

static float lowest_of(const weft_world* world, weft_body body) {
  float last[3];
  expect_ok(weft_world_get(world, WEFT_ATTRIBUTE_POSITION,
                           weft_range(body.first_particle + body.particle_count - 1, 1), last, 0));
  return last[1];
}

/* A rigid sheet of 2 m hangs by attachments, and an elastic one beside it by its stiffness:
 * density * g * length^2 / (2 * stiffness) = 0.078 m longer. */
TEST(attachments_hold_rigid_bodies_only) {
  weft_scene* scene = new_scene();
  const weft_material_def soft =
      material_def(.density = 0.2f, .stretch_stiffness = 50.0f, .shear_stiffness = 1.0f);
  weft_body bodies[2];
  for (int i = 0; i < 2; ++i) {
    const weft_sheet_def sheet =
        sheet_def(.side = 33, .spacing = 0.0625f, .origin = {3.0f * (float)i},
                  .material = i == 0 ? NULL : &soft);
    expect_ok(weft_scene_add_sheet(scene, &sheet, &bodies[i]));
    expect_ok(weft_scene_pin(scene, weft_range(bodies[i].first_particle, 33)));
  }
  const weft_world_def def = default_def(.damping = 3.0f);
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, 240);
  ck_assert_uint_eq(stats_of(world).attachments, 4);
  ck_assert_float_eq_tol(lowest_of(world, bodies[0]), -2.0f, 0.002f);
  ck_assert_float_eq_tol(lowest_of(world, bodies[1]), -2.078f, 0.008f);
}

TEST(settings_of_the_caller_stay) {
  weft_scene* scene = new_case(&cases[2], 33);
  weft_world_def def = default_def(.iterations = 7, .substeps = 3, .attachments = 1);
  def.solver.coarse_iterations = 0;
  weft_world* world = new_world(&def, scene);
  const weft_world_stats stats = stats_of(world);
  ck_assert_uint_eq(stats.iterations, 8);  // the next even number
  ck_assert_uint_eq(stats.coarse_iterations, 0);
  ck_assert_uint_eq(stats.substeps, 3);
  ck_assert_uint_eq(stats.attachments, 1);
}

TEST(substeps_follow_the_step_and_particles_alone_need_one) {
  static const struct {
    int64_t step_ns;
    uint32_t substeps;
  } steps[] = {{1000000, 1}, {4166667, 2}, {16666667, 8}, {33333333, 16}, {1000000000, 16}};
  weft_scene* scene = new_case(&cases[0], 9);
  for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); ++i) {
    weft_world_def def = default_def(.step_ns = steps[i].step_ns);
    weft_world* world = new_world(&def, scene);
    weft_world_stats stats;
    expect_ok(weft_world_get_stats(world, &stats));
    ck_assert_uint_eq(stats.substeps, steps[i].substeps);
  }
  const float position[3] = {0.0f, 0.0f, 0.0f};
  const float inverse_mass = 1.0f;
  const weft_world_def def = weft_default_world_def();
  weft_world* world = new_particles(&def, position, &inverse_mass, 1);
  weft_world_stats stats;
  expect_ok(weft_world_get_stats(world, &stats));
  ck_assert_uint_eq(stats.substeps, 1);
}
