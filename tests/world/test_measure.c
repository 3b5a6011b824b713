/* Measures of a whole world, against closed forms and against sums over data that is read back. */
#include "support/bend_scenes.h"
#include "support/test.h"

static void expect_near(double is, double should_be, double scale) {
  ck_assert_msg(fabs(is - should_be) <= 1e-6 * scale, "%.17g, not %.17g", is, should_be);
}

// two particles 1.5 metres apart along x, of 2 kg and of 0.5 kg, and a link between them
static weft_world* new_pair(const weft_world_def* def, weft_link_def link) {
  const float positions[6] = {1.0f, 0.0f, 0.0f, 2.5f, 0.0f, 0.0f};
  const float inverse_masses[2] = {0.5f, 2.0f};
  weft_scene* scene = new_points_scene(positions, inverse_masses, 2);
  link.b = 1;
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  return new_world(def, scene);
}

// ---- closed forms ----

TEST(masses_centre_momentum_and_energies_of_two_particles_are_what_they_should_be) {
  const weft_world_def def = weft_plain_world_def();
  weft_world* world =
      new_pair(&def, (weft_link_def){.rest_length = 1.0f, .relaxation = 1.0f, .compliance = 0.01f});
  const float positions[2][3] = {{1.0f, 2.0f, 0.0f}, {2.5f, 2.0f, 0.0f}};
  const float velocities[2][3] = {{3.0f, 0.0f, 0.0f}, {0.0f, -4.0f, 1.0f}};
  for (uint32_t i = 0; i < 2; ++i) {
    place_particle(world, i, positions[i], velocities[i]);
  }
  const weft_measures m = measures_of(world);
  expect_near(m.mass, 2.5, 1.0);
  expect_near(m.center[0], (2.0 * 1.0 + 0.5 * 2.5) / 2.5, 1.0);
  expect_near(m.center[1], 2.0, 1.0);
  expect_near(m.center[2], 0.0, 1.0);
  // tolerance: displacements of centimetres between coordinates of metres
  expect_near(m.momentum[0], 6.0, 100.0);
  expect_near(m.momentum[1], -2.0, 100.0);
  expect_near(m.momentum[2], 0.5, 100.0);
  expect_near(m.kinetic, 0.5 * 2.0 * 9.0 + 0.5 * 0.5 * 17.0, 1000.0);
  expect_near(m.gravitational, 2.5 * 9.81 * 2.0, 10.0);
  // half a metre at 100 N/m
  expect_near(m.elastic, 0.5 * 100.0 * 0.25, 10.0);
  expect_near(m.mean_strain, 0.5, 1.0);
  expect_near(m.max_strain, 0.5, 1.0);
  const float lower[3] = {1.0f, 2.0f, 0.0f};
  const float upper[3] = {2.5f, 2.0f, 0.0f};
  ck_assert_mem_eq(m.lower, lower, sizeof(lower));
  ck_assert_mem_eq(m.upper, upper, sizeof(upper));
}

TEST(a_link_counts_as_far_as_its_mode_resists) {
  typedef struct mode_case {
    weft_link_mode mode;
    float rest_length, max_length;
    double over;
  } mode_case;
  // all links are 1.5 metres long
  const mode_case cases[] = {
      {WEFT_LINK_MODE_BOTH, 1.0f, 0.0f, 0.5},     {WEFT_LINK_MODE_BOTH, 2.0f, 0.0f, -0.5},
      {WEFT_LINK_MODE_STRETCH, 1.0f, 0.0f, 0.5},  {WEFT_LINK_MODE_STRETCH, 2.0f, 0.0f, 0.0},
      {WEFT_LINK_MODE_COMPRESS, 1.0f, 0.0f, 0.0}, {WEFT_LINK_MODE_COMPRESS, 2.0f, 0.0f, -0.5},
      {WEFT_LINK_MODE_RANGE, 1.0f, 1.25f, 0.25},  {WEFT_LINK_MODE_RANGE, 1.0f, 1.75f, 0.0},
      {WEFT_LINK_MODE_RANGE, 2.0f, 3.0f, -0.5}};
  const weft_world_def def = weft_plain_world_def();
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {
    const mode_case* c = &cases[i];
    weft_world* world = new_pair(&def, (weft_link_def){.rest_length = c->rest_length,
                                                       .relaxation = 1.0f,
                                                       .compliance = 0.01f,
                                                       .mode = c->mode,
                                                       .max_length = c->max_length});
    const weft_measures m = measures_of(world);
    expect_near(m.elastic, 50.0 * c->over * c->over, 10.0);
    expect_near(m.mean_strain, fabs(c->over) / (double)c->rest_length, 1.0);
    expect_near(m.max_strain, fabs(c->over) / (double)c->rest_length, 1.0);
  }
}

TEST(pinned_particles_count_for_the_box_and_the_strain_alone) {
  const weft_world_def def = weft_plain_world_def();
  weft_world* world = new_pair(&def, (weft_link_def){.rest_length = 1.0f, .relaxation = 1.0f});
  pin_particles(world, 0, 2);
  weft_world_step(world, 1);
  const weft_measures m = measures_of(world);
  weft_measures expected = {.lower = {1.0f}, .upper = {2.5f}};
  expected.mean_strain = expected.max_strain = 0.5;
  ck_assert_mem_eq(&m, &expected, sizeof(m));
}

TEST(a_torn_spring_holds_no_energy) {
  const weft_world_def def = weft_plain_world_def();
  weft_world* world = new_pair(
      &def, (weft_link_def){
                .rest_length = 1.0f, .relaxation = 1.0f, .compliance = 0.01f, .tear_ratio = 1.2f});
  pin_particles(world, 0, 2);
  ck_assert_double_gt(measures_of(world).elastic, 1.0);
  weft_world_step(world, 1);
  const weft_measures m = measures_of(world);
  ck_assert_double_eq(m.elastic, 0.0);
  ck_assert_double_eq(m.mean_strain, 0.0);
  ck_assert_double_eq(m.max_strain, 0.0);
}

// ---- bent cloth ----

typedef struct bent_case {
  weft_body (*add)(weft_scene* scene, uint32_t columns, uint32_t rows);
  double height; /* height of a row of cells, in spacings */
  uint32_t columns, rows;
} bent_case;

#define BEND_STIFFNESS 1e-3

static weft_body bent_sheet(weft_scene* scene, uint32_t columns, uint32_t rows) {
  return add_bend_sheet(scene, columns, rows, (float)BEND_STIFFNESS);
}

static weft_body bent_squares(weft_scene* scene, uint32_t columns, uint32_t rows) {
  return add_bend_net(scene, columns, rows, false, 0.0f, (float)BEND_STIFFNESS);
}

static weft_body bent_triangles(weft_scene* scene, uint32_t columns, uint32_t rows) {
  return add_bend_net(scene, columns, rows, true, 0.0f, (float)BEND_STIFFNESS);
}

// each mesh at two resolutions
static const bent_case bent_cases[] = {
    {bent_sheet, 1.0, 31, 21},           {bent_sheet, 1.0, 61, 41},
    {bent_squares, 1.0, 31, 21},         {bent_squares, 1.0, 61, 41},
    {bent_triangles, 0.8660254, 31, 21}, {bent_triangles, 0.8660254, 61, 41},
};

// rolls cloth in a plane of constant z onto a cylinder whose axis is along y
static void roll(weft_world* world, double radius) {
  float* positions = new_positions(world);
  for (uint32_t i = 0; i < particle_count_of(world); ++i) {
    const double along = (double)positions[3 * i] / radius;
    const float rolled[3] = {(float)(radius * sin(along)), positions[3 * i + 1],
                             (float)(radius * cos(along))};
    place_particle(world, i, rolled, NULL);
  }
}

LOOP_TEST(cloth_on_a_cylinder_stores_half_b_times_the_curvature_squared_an_area, 0,
          (int)(sizeof(bent_cases) / sizeof(*bent_cases))) {
  const bent_case* c = &bent_cases[_i];
  const double spacing = 0.01;
  const double width = spacing * (c->columns - 1);
  const double radius = width;
  const double area = width * spacing * c->height * (c->rows - 1);
  const double stored = 0.5 * BEND_STIFFNESS / (radius * radius) * area;
  weft_scene* scene = new_scene();
  (void)c->add(scene, c->columns, c->rows);
  weft_world* world = new_world_of(scene);
  ck_assert_double_lt(measures_of(world).elastic, 1e-4 * stored);
  roll(world, radius);
  // the outer half cells are not bent
  ck_assert_double_eq_tol(measures_of(world).elastic / stored, 1.0, 1.1 / (c->columns - 1));
  // no energy once all of it is torn
  const float far[3] = {1e3f, 0.0f, 0.0f};
  expect_ok(weft_world_tear_near(world, far, far, 2e3f, NULL));
  ck_assert_double_eq(measures_of(world).elastic, 0.0);
}

// ---- sums over data that is read back ----

static double length_of(const weft_link_def* link, const float* positions) {
  double sum = 0.0;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const double d = (double)positions[(size_t)3 * link->a + axis] -
                     (double)positions[(size_t)3 * link->b + axis];
    sum += d * d;
  }
  return sqrt(sum);
}

static void compare_links(const weft_scene* scene, const weft_world* world,
                          const weft_measures* m) {
  double elastic = 0.0;
  double strain = 0.0;
  double max_strain = 0.0;
  uint32_t structural = 0;
  float* positions = new_positions(world);
  for (uint32_t i = 0; i < weft_scene_link_count(scene); ++i) {
    weft_link_def link;
    bool torn = false;
    expect_ok(weft_scene_get_links(scene, i, 1, &link));
    expect_get(world, WEFT_ATTRIBUTE_LINK_TORN, i, 1, &torn);
    if (torn) continue;
    const double over = length_of(&link, positions) - (double)link.rest_length;
    if (link.compliance > 0.0f) elastic += over * over / (2.0 * (double)link.compliance);
    if (link.kind != WEFT_LINK_STRUCTURAL) continue;
    strain += fabs(over) / (double)link.rest_length;
    max_strain = fmax(max_strain, fabs(over) / (double)link.rest_length);
    ++structural;
  }
  expect_near(m->elastic, elastic, 1e-3 * elastic);
  expect_near(m->max_strain, max_strain, 1e-3 * max_strain);
  if (structural > 0) strain /= structural;
  expect_near(m->mean_strain, strain, 1e-3 * strain);
}

static void compare_particles(const weft_scene* scene, const weft_world* world,
                              const weft_measures* m) {
  weft_measures sum = {.lower = {INFINITY, INFINITY, INFINITY},
                       .upper = {-INFINITY, -INFINITY, -INFINITY}};
  for (uint32_t i = 0; i < weft_scene_particle_count(scene); ++i) {
    float inverse_mass = 0.0f;
    float position[3];
    float velocity[3];
    expect_ok(weft_scene_get_particles(scene, i, 1, NULL, &inverse_mass));
    expect_get(world, WEFT_ATTRIBUTE_POSITION, i, 1, position);
    expect_get(world, WEFT_ATTRIBUTE_VELOCITY, i, 1, velocity);
    const double mass = inverse_mass > 0.0f ? 1.0 / (double)inverse_mass : 0.0;
    sum.mass += mass;
    sum.gravitational += mass * (double)9.81f * (double)position[1];
    for (int axis = 0; axis < 3; ++axis) {
      sum.lower[axis] = fminf(sum.lower[axis], position[axis]);
      sum.upper[axis] = fmaxf(sum.upper[axis], position[axis]);
      sum.momentum[axis] += mass * (double)velocity[axis];
      sum.kinetic += mass * (double)velocity[axis] * (double)velocity[axis] / 2.0;
    }
  }
  ck_assert_mem_eq(m->lower, sum.lower, sizeof(sum.lower));
  ck_assert_mem_eq(m->upper, sum.upper, sizeof(sum.upper));
  expect_near(m->mass, sum.mass, 1e-3 * sum.mass);
  expect_near(m->kinetic, sum.kinetic, 1e-3 * sum.kinetic);
  const double scale = fabs(sum.gravitational) + sum.mass;
  expect_near(m->gravitational, sum.gravitational, 1e-3 * scale);
  for (int axis = 0; axis < 3; ++axis) {
    expect_near(m->momentum[axis], sum.momentum[axis], 1e-3 * scale);
  }
}

LOOP_TEST(measures_are_the_sums_over_what_can_be_read_back, 0, scene_case_count() / 2) {
  weft_scene* scene = new_scene_case(_i);
  random_source random = {(uint64_t)_i};
  const weft_material_def material = random_material(&random);
  (void)add_random_mesh_of(scene, &random, 3 + (uint32_t)_i % 9, &material, 0.2f);
  weft_world* world = new_plain_world(scene, .worker_count = 2, .springs = _i % 3 == 0);
  weft_world_step(world, 2);
  const weft_measures m = measures_of(world);
  compare_links(scene, world, &m);
  compare_particles(scene, world, &m);
}

TEST(measuring_needs_a_world_and_a_place_to_go) {
  weft_world* world = new_world_of(new_sheet_scene(3, 3, STRUCTURAL));
  weft_measures measures;
  expect_null(weft_world_measure(NULL, &measures), "world");
  expect_null(weft_world_measure(world, NULL), "measures");
}

// A sheet of new_sheet() under gravity, after one substep of so many iterations from rest.
static weft_measures measures_after(uint32_t iterations, const weft_material_def* material,
                                    weft_link_mode mode) {
  weft_scene* scene = new_scene();
  const weft_sheet_def sheet = sheet_def(.material = material);
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  expect_ok(weft_scene_pin(scene, weft_range(0, sheet.columns)));
  // slack, and a rope of the direct solver, beside the sheet
  const float positions[3][3] = {{5.0f, 0.0f, 0.0f}, {6.0f, 0.0f, 0.0f}, {7.0f, 0.0f, 0.0f}};
  const float inverse_masses[3] = {0.0f, 1.0f, 1.0f};
  weft_link_def links[2] = {weft_default_link_def(), weft_default_link_def()};
  for (uint32_t k = 0; k < 2; ++k) {
    links[k].a = sheet.columns * sheet.rows + k;
    links[k].b = links[k].a + 1;
    links[k].rest_length = 1.0f;
    links[k].compliance = k == 0 ? 0.0f : 1e-4f;
    links[k].mode = mode;
  }
  expect_ok(weft_scene_add_particles(scene, positions[0], inverse_masses, 3, NULL));
  expect_ok(weft_scene_add_links(scene, links, 2, NULL));
  weft_world* world = new_plain_world(scene, .iterations = iterations);
  weft_world_step(world, 1);
  weft_measures measures;
  expect_ok(weft_world_measure(world, &measures));
  return measures;
}

LOOP_TEST(the_residual_falls_with_iterations_to_rounding, 0, 4) {
  const weft_material_def soft = material_def(.stretch_stiffness = 200.0f);
  const weft_link_mode mode = _i % 2 == 0 ? WEFT_LINK_MODE_BOTH : WEFT_LINK_MODE_STRETCH;
  weft_measures last = {.residual = INFINITY, .max_residual = INFINITY};
  for (uint32_t iterations = 1; iterations <= 2048; iterations *= 4) {
    const weft_measures now = measures_after(iterations, _i < 2 ? NULL : &soft, mode);
    ck_assert(now.residual <= now.max_residual);
    ck_assert_msg(now.residual < 0.95 * last.residual || now.residual < 1e-7,
                  "%g after %u iterations, %g before", now.residual, iterations, last.residual);
    last = now;
  }
  ck_assert_msg(last.max_residual < 2e-5, "%g, %g", last.residual, last.max_residual);
}
