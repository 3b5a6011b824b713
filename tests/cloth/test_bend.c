/* Bending in SI units: stored energy, and the cantilever. */
#include "support/bend_scenes.h"
#include "support/test.h"

#define PI 3.14159265358979323846

// ---- input ----

static uint32_t bend_count_of(weft_scene* scene) {
  weft_world* world = new_world_of(scene);
  const weft_world_stats stats = stats_of(world);
  return stats.bend_count;
}

TEST(a_sheet_bends_in_every_three_particles_of_a_line_and_twists_in_every_cell) {
  weft_scene* scene = new_scene();
  (void)add_bend_sheet(scene, 7, 5, 1e-5f);
  ck_assert_uint_eq(bend_count_of(scene), 5 * 5 + 7 * 3 + 6 * 4);
  scene = new_scene();
  (void)add_bend_sheet(scene, 1, 5, 1e-5f);
  (void)add_bend_sheet(scene, 2, 2, 1e-5f);
  (void)add_bend_sheet(scene, 9, 9, 0.0f);
  (void)add_sheet(scene, 9, 9, ALL_FAMILIES);
  ck_assert_uint_eq(bend_count_of(scene), 3 + 1);
}

TEST(a_mesh_bends_at_every_inner_edge_and_has_no_bend_links) {
  weft_scene* scene = new_scene();
  const weft_body stiff = add_bend_net(scene, 6, 4, false, 0.0f, 1e-5f);
  const weft_body slack = add_bend_net(scene, 6, 4, false, 0.0f, 0.0f);
  // edges along rows, along columns and across the cells; border edges have one triangle
  const uint32_t edges = 5 * 4 + 6 * 3 + 5 * 3;
  const uint32_t inner = edges - 2 * (5 + 3);
  ck_assert_uint_eq(stiff.link_count, edges);
  ck_assert_uint_eq(slack.link_count, edges);
  ck_assert_uint_eq(bend_count_of(scene), inner);
}

TEST(triangles_too_thin_to_have_a_direction_do_not_bend) {
  static const float positions[] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f,  0.5f, 1e-6f,
                                    0.0f, 0.5f, 1.0f, 0.0f, 0.5f, -1.0f, 0.3f};
  // one edge of three triangles, one of them nearly degenerate
  static const uint32_t triangles[] = {0, 1, 2, 0, 1, 3, 1, 0, 4};
  const weft_material_def material = bend_material(1e-3f);
  weft_scene* scene = new_scene();
  (void)add_mesh_body(scene, .positions = positions, .vertex_count = 5, .triangles = triangles,
                      .triangle_count = 3, .material = &material);
  ck_assert_uint_eq(bend_count_of(scene), 1);
}

// ---- stored energy ----

// bending energy in joules, at the scene's positions
static double energy_of(const weft_scene* scene) {
  double energy = 0.0;
  for (uint32_t i = 0; i < scene->hinges.count; ++i) {
    const weft__hinge h = weft__hinges_get(&scene->hinges, i);
    double d[3] = {0};
    for (int k = 0; k < 4; ++k) {
      if (h.particle[k] == WEFT__NO_PARTICLE) continue;
      for (size_t a = 0; a < 3; ++a) {
        d[a] += (double)h.coefficient[k] * (double)scene->positions[3 * (size_t)h.particle[k] + a];
      }
    }
    const double error = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - (double)h.rest_length;
    energy += error * error / (2.0 * (double)h.compliance);
  }
  return energy;
}

// rolls a scene in the plane z = 0 onto a cylinder whose axis is turned by `angle` in that plane
static void roll(weft_scene* scene, double radius, double angle) {
  const double c = cos(angle);
  const double s = sin(angle);
  for (uint32_t i = 0; i < scene->particle_count; ++i) {
    float* x = scene->positions + (size_t)3 * i;
    const double along = c * (double)x[0] + s * (double)x[1];
    const double across = c * (double)x[1] - s * (double)x[0];
    const double rolled = radius * sin(along / radius);
    x[0] = (float)(c * rolled - s * across);
    x[1] = (float)(s * rolled + c * across);
    x[2] = (float)(radius * cos(along / radius) - radius);
  }
}

// stored energy of a cylinder, relative to B k^2 / 2 for the area of `columns` x `rows` cells of 1
// cm
static double energy_share(weft_scene* scene, uint32_t columns, double rows, double angle) {
  const double radius = 0.3;
  const double flat = energy_of(scene);
  roll(scene, radius, angle);
  const double rolled = energy_of(scene);
  // rounding error only
  ck_assert_double_lt(flat, 1e-5 * rolled);
  const double area = (columns - 1) * 0.01 * (rows - 1) * 0.01;
  return rolled / (0.5 * 1e-3 / (radius * radius) * area);
}

LOOP_TEST(a_sheet_on_a_cylinder_stores_half_b_times_the_curvature_squared_an_area, 0, 2) {
  weft_scene* scene = new_scene();
  (void)add_bend_sheet(scene, 60, 80, 1e-3f);
  // the outermost half cells carry no bending
  const double wanted[] = {58.0 / 59.0, 78.0 / 79.0};
  const double share = energy_share(scene, 60, 80, _i * PI / 2);
  ck_assert_double_eq_tol(share, wanted[_i], 2e-3);
}

LOOP_TEST(equilateral_triangles_store_the_same_whichever_way_they_are_bent, 0, 7) {
  weft_scene* scene = new_scene();
  (void)add_bend_net(scene, 80, 80, true, 0.0f, 1e-3f);
  const double share = energy_share(scene, 80, 1.0 + 79.0 * sqrt(0.75), _i * PI / 12);
  ck_assert_double_eq_tol(share, 1.0, 0.03);
}

LOOP_TEST(a_mesh_keeps_the_curve_that_it_is_given, 0, 2) {
  weft_scene* scene = new_scene();
  (void)add_bend_net(scene, 20, 20, _i == 1, 0.05f, 1e-2f);
  ck_assert_double_lt(energy_of(scene), 1e-12);
  float* before = test_alloc(sizeof(float[3]) * scene->particle_count);
  for (uint32_t i = 0; i < 3 * scene->particle_count; ++i) before[i] = scene->positions[i];
  weft_world* world = new_plain_world(scene, .weightless = true);
  weft_world_step(world, 60);
  float* after = new_positions(world);
  for (uint32_t i = 0; i < 3 * scene->particle_count; ++i) {
    ck_assert_float_eq_tol(after[i], before[i], 1e-5f);
  }
}

// ---- the cantilever at any resolution ----

// height over width of a strip of 30 cm under its own weight, which is clamped level: `weight` =
// mass per area g L^3 / stiffness
static double cantilever(double spacing, bool along_rows, double weight, uint32_t substeps,
                         uint32_t iterations, int64_t step_ns) {
  const double length = 0.3;
  const uint32_t along = (uint32_t)(length / spacing + 0.5) + 2;
  const uint32_t across = 3;
  const double free_length = (along - 1.5) * spacing;  // from the middle of the first two
  weft_material_def material = bend_material(0.0f);
  material.stretch_stiffness = material.shear_stiffness = INFINITY;
  material.bend_stiffness =
      (float)((double)material.density * 9.81 * pow(free_length, 3.0) / weight);
  weft_sheet_def sheet =
      sheet_def(.columns = along_rows ? along : across, .rows = along_rows ? across : along,
                .spacing = (float)spacing, .material = &material);
  sheet.across[0] = sheet.down[2] = along_rows ? 1.0f : 0.0f;
  sheet.across[2] = sheet.down[0] = along_rows ? 0.0f : 1.0f;
  sheet.down[1] = 0.0f;
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  const uint32_t step = along_rows ? 1 : across;
  const uint32_t side = along_rows ? along : 1;
  for (uint32_t i = 0; i < 2 * across; ++i) {
    expect_ok(weft_scene_pin(scene, weft_range(i / 2 * side + i % 2 * step, 1)));
  }
  weft_world* world = new_plain_world(scene, .substeps = substeps, .iterations = iterations,
                                      .step_ns = step_ns, .damping = 3.0f);
  weft_world_step(world, (uint32_t)(5000000000 / step_ns));
  float tip[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, (along - 1) * step + side, 1, tip);
  return -(double)tip[1] / ((double)tip[0] - 0.5 * spacing);
}

LOOP_TEST(a_cantilever_bends_alike_at_any_resolution_and_step, 0, 7) {
  // theta'' = -weight (1 - s) cos theta, theta(0) = 0, theta'(1) = 0
  static const double weights[] = {1.0, 10.0, 50.0, 100.0, 500.0};
  static const double shapes[] = {0.1246, 1.067, 3.706, 5.888, 14.773};
  static const struct {
    double spacing;
    uint32_t substeps, iterations;
    int64_t step_ns;
    double tolerance;
  } cases[] = {{0.02, 16, 2, 16666667, 0.035},  {0.01, 16, 2, 16666667, 0.035},
               {0.005, 16, 2, 16666667, 0.035}, {0.02, 32, 1, 16666667, 0.021},
               {0.01, 32, 1, 16666667, 0.021},  {0.02, 16, 1, 8333333, 0.021},
               {0.01, 16, 1, 8333333, 0.021}};
  for (int g = 0; g < 5; ++g) {
    const double shape = cantilever(cases[_i].spacing, g % 2 == 0, weights[g], cases[_i].substeps,
                                    cases[_i].iterations, cases[_i].step_ns);
    ck_assert_double_eq_tol(shape / shapes[g], 1.0, cases[_i].tolerance);
  }
}
