/* Bending in SI units: stored energy, sag of a strip, and stability. */
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

TEST(a_sheet_bent_along_its_diagonal_stores_the_same) {
  weft_scene* scene = new_scene();
  (void)add_bend_sheet(scene, 80, 80, 1e-3f);
  ck_assert_double_eq_tol(energy_share(scene, 80, 80, PI / 4), 1.0, 0.01);
}

LOOP_TEST(equilateral_triangles_store_the_same_whichever_way_they_are_bent, 0, 7) {
  weft_scene* scene = new_scene();
  (void)add_bend_net(scene, 80, 80, true, 0.0f, 1e-3f);
  const double share = energy_share(scene, 80, 1.0 + 79.0 * sqrt(0.75), _i * PI / 12);
  ck_assert_double_eq_tol(share, 1.0, 0.03);
}

LOOP_TEST(a_net_of_squares_stores_what_a_sheet_does, 0, 2) {
  weft_scene* net = new_scene();
  weft_scene* sheet = new_scene();
  (void)add_bend_net(net, 60, 60, false, 0.0f, 1e-3f);
  (void)add_bend_sheet(sheet, 60, 60, 1e-3f);
  const double angle = _i * PI / 2;
  const double share = energy_share(sheet, 60, 60, angle);
  ck_assert_double_eq_tol(energy_share(net, 60, 60, angle), share, 0.03);
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

// ---- sag ----

// sag of the tip of a strip that is clamped by its first two columns
static double tip_sag(uint32_t columns, uint32_t rows, double spacing, double stiffness) {
  weft_material_def material = bend_material((float)stiffness);
  material.stretch_stiffness = material.shear_stiffness = INFINITY;
  weft_scene* scene = new_cloth_scene(.columns = columns, .rows = rows, .spacing = (float)spacing,
                                      .material = &material, .is_level = true);
  for (uint32_t i = 0; i < 2 * rows; ++i) {
    expect_ok(weft_scene_pin(scene, i / 2 * columns + i % 2, 1));
  }
  const weft_world_def def =
      plain_def(.iterations = 10, .substeps = columns > 10 ? 160 : 40, .damping = 15.0f);
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, 120);
  float position[3];
  expect_ok(weft_world_get_positions(world, columns - 1, 1, position));
  return -(double)position[1];
}

LOOP_TEST(a_strip_held_out_over_an_edge_sags_as_a_beam_does, 0, 4) {
  // strip of 10 cm from the clamp, the middle of the two columns, to its tip
  static const uint32_t columns[] = {9, 17, 9, 17};
  static const uint32_t rows[] = {1, 1, 3, 3};
  const double length = 0.1;
  const double load = 0.2 * 9.81;
  const double spacing = length / (columns[_i] - 1.5);
  // stiffness for a beam deflection of a thirtieth of the length
  const double stiffness = load * length * length * length / 8.0 * 30.0;
  const double sag = tip_sag(columns[_i], rows[_i], spacing, stiffness);
  ck_assert_double_eq_tol(sag * 30.0 / length, 1.0, 0.03);
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
    expect_ok(weft_scene_pin(scene, i / 2 * side + i % 2 * step, 1));
  }
  weft_world* world = new_plain_world(scene, .substeps = substeps, .iterations = iterations,
                                      .step_ns = step_ns, .damping = 3.0f);
  weft_world_step(world, (uint32_t)(5000000000 / step_ns));
  float tip[3];
  expect_ok(weft_world_get_positions(world, (along - 1) * step + side, 1, tip));
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

TEST(a_cloth_that_resists_bending_folds_less) {
  double sags[3];
  for (int i = 0; i < 3; ++i) sags[i] = tip_sag(9, 3, 0.01, i == 0 ? 0.0 : i == 1 ? 1e-4 : 1e-3);
  ck_assert_double_gt(sags[0], 1.2 * sags[1]);
  ck_assert_double_gt(sags[1], 1.2 * sags[2]);
}

// ---- stability and momentum ----

static void speeds_of(const weft_world* world, double* fastest, double* energy) {
  const uint32_t count = particle_count_of(world);
  float* v = test_alloc(sizeof(float[3]) * count);
  expect_ok(weft_world_get_velocities(world, 0, count, v));
  *fastest = *energy = 0.0;
  for (uint32_t i = 0; i < count; ++i) {
    const double x = (double)v[3 * (size_t)i];
    const double y = (double)v[3 * (size_t)i + 1];
    const double z = (double)v[3 * (size_t)i + 2];
    const double squared = x * x + y * y + z * z;
    require(isfinite(squared));
    *energy += squared;
    if (squared > *fastest) *fastest = squared;
  }
  *fastest = sqrt(*fastest);
}

LOOP_TEST(a_crumpled_cloth_comes_to_rest_whatever_its_stiffness_and_the_step, 0, 10) {
  // a subset of all combinations with all values of each
  const int number = 5 * _i;
  static const uint32_t iterations[] = {1, 2, 10, 50};
  static const float stiffnesses[] = {1e-6f, 1e-3f, 1.0f, 1e6f};
  static const int64_t steps[] = {33333333, 16666667, 4166667};
  random_source random = {(uint64_t)number};
  weft_scene* scene = new_scene();
  const float stiffness = stiffnesses[number / 4 % 4];
  if (number % 2 == 0) {
    (void)add_bend_sheet(scene, 24, 20, stiffness);
  } else {
    (void)add_bend_net(scene, 20, 20, number % 4 == 1, number % 8 < 4 ? 0.0f : 0.1f, stiffness);
  }
  crumple(scene, &random, 0.008f);
  weft_world* world = new_plain_world(scene, .iterations = iterations[number % 4],
                                      .step_ns = steps[number / 16], .weightless = true);
  double fastest = 0.0;
  double first = 0.0;
  double energy = 0.0;
  weft_world_step(world, 1);
  speeds_of(world, &fastest, &first);
  for (int s = 0; s < 30; ++s) {
    weft_world_step(world, 10);
    speeds_of(world, &fastest, &energy);
    ck_assert_double_lt(energy, 2.0 * first);
  }
  ck_assert_double_lt(energy, 0.5 * first);
}

// sums in kg m/s and, for `turning`, kg m^2/s
typedef struct drift {
  double mass;  /* kilograms */
  double moved; /* sum of mass times |velocity component| */
  double momentum[3];
  double turning[3];
} drift;

static drift drift_of(const weft_scene* scene, const weft_world* world) {
  const uint32_t count = scene->particle_count;
  float* x = new_positions(world);
  float* v = test_alloc(sizeof(float[3]) * count);
  expect_ok(weft_world_get_velocities(world, 0, count, v));
  drift sum = {0};
  for (size_t i = 0; i < count; ++i) {
    const double mass = 1.0 / (double)scene->inverse_masses[i];
    sum.mass += mass;
    for (size_t a = 0; a < 3; ++a) {
      const size_t b = 3 * i + (a + 1) % 3;
      const size_t c = 3 * i + (a + 2) % 3;
      sum.moved += mass * fabs((double)v[3 * i + a]);
      sum.momentum[a] += mass * (double)v[3 * i + a];
      sum.turning[a] += mass * ((double)x[b] * (double)v[c] - (double)x[c] * (double)v[b]);
    }
  }
  return sum;
}

static drift drift_after(int number, int64_t step_ns) {
  random_source random = {(uint64_t)number};
  weft_scene* scene = new_scene();
  if (number % 2 == 0) (void)add_bend_sheet(scene, 40, 20, 1e-3f);
  if (number % 2 == 1) (void)add_bend_net(scene, 20, 20, true, 0.1f, 1e-3f);
  crumple(scene, &random, 0.002f);
  weft_world* world =
      new_plain_world(scene, .step_ns = step_ns, .undamped = true, .weightless = true);
  weft_world_step(world, 20);
  return drift_of(scene, world);
}

LOOP_TEST(a_free_cloth_keeps_its_momentum, 0, 6) {
  const drift sum = drift_after(_i, 16666667);
  // position rounding 3e-8 metres, velocity rounding 2e-6 metres a second
  const double rounding = 1e-5 * sum.mass;
  for (int a = 0; a < 3; ++a) {
    ck_assert_double_lt(fabs(sum.momentum[a]), 1e-4 * sum.moved + rounding);
  }
}

LOOP_TEST(a_free_cloth_hardly_turns_by_itself_in_short_steps, 0, 6) {
  // a solve conserves angular momentum about the predicted positions, not about the start
  const drift sum = drift_after(_i, 1000000);
  const double width = 0.3;
  for (int a = 0; a < 3; ++a) ck_assert_double_lt(fabs(sum.turning[a]), 0.03 * width * sum.moved);
}

RANDOM_TEST(bending_cloth_has_the_same_bits_for_every_isa_and_number_of_workers, ROUNDS(6, 4)) {
  // scene cases with a mesh or with sheets
  weft_scene* scene = new_bend_case(4 * _i + 1 + _i % 2 * 2);
  crumple(scene, &random, 0.002f);
  expect_ok(weft_scene_pin(scene, 0, 1));
  weft_world_def def = plain_def(.coarse_iterations = _i % 3 == 0 ? 2 : 0, .substeps = 2);
  uint64_t expected = 0;
  for (machine m = {0}; next_machine(&m, 3, _i);) {
    def.isa = m.isa;
    def.worker_count = 1 + 2 * m.w;
    weft_world* world = new_world(&def, scene);
    weft_world_step(world, 3);
    // factors of bend lines change with links, masses and the step
    expect_ok(weft_world_tear_links(world, 7, 3));
    expect_ok(weft_world_set_inverse_masses(world, 2, 1, &(float){0.0f}, 0));
    weft_world_step(world, 2);
    expect_ok(weft_world_set_step(world, 10000000));
    weft_world_step(world, 2);
    expect_final_hash(world, &expected);
  }
}
