/* Springs that are not linear: their force, closed forms of their motion, checks of curves. */
#include "support/test.h"

#define PI 3.14159265358979323846

enum { INTEGRATORS = WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1 };

static uint32_t add_curve(weft_scene* scene, const float* strains, const float* forces,
                          uint32_t count) {
  const weft_force_curve_def def = {.strains = strains, .forces = forces, .count = count};
  uint32_t curve = 0;
  expect_ok(weft_scene_add_force_curve(scene, &def, &curve));
  return curve;
}

// pin at 0, and a kilogram at `x` along the first axis, on a spring of a metre with a curve
static weft_scene* new_curved(const float* strains, const float* forces, uint32_t count, float x) {
  const float positions[6] = {0.0f, 0.0f, 0.0f, x, 0.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 1.0f};
  weft_scene* scene = new_points_scene(positions, inverse_masses, 2);
  const weft_link_def link = {.b = 1,
                              .rest_length = 1.0f,
                              .relaxation = 1.0f,
                              .compliance = 1.0f,
                              .force_curve = add_curve(scene, strains, forces, count)};
  expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  return scene;
}

static weft_world_def free_def(weft_integrator integrator, int64_t step_ns) {
  weft_world_def def = weft_plain_world_def();
  memset(def.gravity, 0, sizeof(def.gravity));
  def.damping = 0.0f;
  def.solver.springs = true;
  def.solver.integrator = integrator;
  def.step_ns = step_ns;
  return def;
}

static double place_of(const weft_world* world) {
  float position[3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 1, 1, position);
  return (double)position[0] - 1.0;
}

// seconds from the start at rest to the return to it, over `periods`
static double measure_period(weft_world* world, double h, int periods) {
  double before = place_of(world), first = 0.0, last = 0.0;
  for (int passes = 0, n = 1; passes <= periods; ++n) {
    weft_world_step(world, 1);
    const double now = place_of(world);
    if (before < 0.0 && now >= 0.0) {
      last = h * (n - now / (now - before));
      if (passes++ == 0) first = last;
    }
    before = now;
  }
  return (last - first) / periods;
}

// ---- closed forms ----

// Duffing: x'' = -a x - b x^3 from rest at A has the period 4 K(m) / w with w^2 = a + b A^2 and
// m = b A^2 / (2 w^2), K by the arithmetic-geometric mean.
static double duffing_period(double a, double b, double amplitude) {
  const double square = b * amplitude * amplitude, w_sq = a + square;
  double p = 1.0, q = sqrt(1.0 - square / (2.0 * w_sq));
  for (int i = 0; i < 20; ++i) {
    const double mean = 0.5 * (p + q);
    q = sqrt(p * q);
    p = mean;
  }
  return 2.0 * PI / (p * sqrt(w_sq));
}

LOOP_TEST(a_curve_of_many_points_swings_as_the_duffing_oscillator, 0, 4) {
  enum { POINTS = 401 };
  static const double cubic[] = {0.0, 400.0, 4000.0, -300.0};
  float strains[POINTS], forces[POINTS];
  const double a = 100.0, b = cubic[_i], amplitude = 0.4;
  for (int i = 0; i < POINTS; ++i) {
    const double x = -0.5 + (double)i / (POINTS - 1);
    strains[i] = (float)x;
    forces[i] = (float)(a * x + b * x * x * x);
  }
  weft_scene* scene = new_curved(strains, forces, POINTS, 1.4f);
  const weft_world_def def = free_def(WEFT_INTEGRATOR_RUNGE_KUTTA_4, 2000000);
  weft_world* world = new_world(&def, scene);
  const double expected = duffing_period(a, b, amplitude);
  ck_assert_double_eq_tol(measure_period(world, 2e-3, 4) / expected, 1.0, 2e-4);
  // energy in the spring at rest at the amplitude, and in all at any time
  const double energy = a * amplitude * amplitude / 2.0 + b * pow(amplitude, 4.0) / 4.0;
  const weft_measures measures = measures_of(world);
  ck_assert_double_eq_tol((measures.kinetic + measures.elastic) / energy, 1.0, 1e-3);
}

// A force that rises, falls and rises again: a load beyond the first peak snaps through.
LOOP_TEST(a_spring_that_is_not_monotone_snaps_through_and_hangs_where_its_force_is_the_load, 0,
          INTEGRATORS) {
  static const float strains[4] = {0.0f, 0.1f, 0.3f, 0.5f}, forces[4] = {0.0f, 8.0f, 4.0f, 24.0f};
  static const double loads[2] = {6.0, 10.0}, places[2] = {0.075, 0.36};
  weft_scene* scene = new_curved(strains, forces, 4, 1.0f);
  for (int i = 0; i < 2; ++i) {
    weft_world_def def = free_def((weft_integrator)_i, 1000000);
    def.gravity[0] = (float)loads[i];
    def.damping = 20.0f;
    weft_world* world = new_world(&def, scene);
    weft_world_step(world, 4000);
    ck_assert_double_eq_tol(place_of(world), places[i], 2e-4);
  }
}

// ---- wrong input ----

TEST(a_wrong_curve_is_refused_by_name_and_point_and_changes_nothing) {
  static const struct {
    float strains[3], forces[3];
    uint32_t count;
    bool monotone;
    weft_error error;
    const char* field;
    uint64_t index;
  } cases[] = {
      {{0, 1, 2}, {0, 1, 2}, 1, false, WEFT_ERROR_RANGE, "count", 0},
      {{0, 1, 1}, {0, 1, 2}, 3, false, WEFT_ERROR_RANGE, "strains", 2},
      {{0, 2, 1}, {0, 1, 2}, 3, false, WEFT_ERROR_RANGE, "strains", 2},
      {{-2, 0, 1}, {0, 1, 2}, 3, false, WEFT_ERROR_RANGE, "strains", 0},
      {{0, 1, 2}, {0, 2e12f, 2}, 3, false, WEFT_ERROR_RANGE, "forces", 1},
      {{0, NAN, 2}, {0, 1, 2}, 3, false, WEFT_ERROR_NOT_FINITE, "strains", 1},
      {{0, 1, 2}, {0, 1, INFINITY}, 3, false, WEFT_ERROR_NOT_FINITE, "forces", 2},
      {{0, 1, 2}, {0, 2, 1}, 3, true, WEFT_ERROR_RANGE, "forces", 2},
  };
  weft_scene* scene = new_scene();
  for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {
    const weft_force_curve_def def = {.strains = cases[i].strains,
                                      .forces = cases[i].forces,
                                      .count = cases[i].count,
                                      .is_monotone = cases[i].monotone};
    uint32_t curve = 77;
    const weft_result result = weft_scene_add_force_curve(scene, &def, &curve);
    ck_assert_int_eq(result.error, cases[i].error);
    ck_assert_str_eq(result.field, cases[i].field);
    ck_assert_uint_eq(result.index, cases[i].index);
    ck_assert_uint_eq(curve, 77);
  }
  static const float strains[2] = {0.0f, 1.0f}, forces[2] = {0.0f, 1.0f};
  ck_assert_uint_eq(add_curve(scene, strains, forces, 2), 1);
  ck_assert_uint_eq(add_curve(scene, strains, forces, 2), 2);
}

TEST(a_link_with_a_curve_is_a_spring_that_acts_both_ways) {
  static const float strains[2] = {0.0f, 1.0f}, forces[2] = {0.0f, 1.0f};
  weft_scene* scene = new_curved(strains, forces, 2, 1.0f);
  const float position[3] = {5.0f, 0.0f, 0.0f}, inverse_mass = 1.0f;
  expect_ok(weft_scene_add_particles(scene, position, &inverse_mass, 1, NULL));
  const weft_link_def good = {
      .b = 2, .rest_length = 1.0f, .relaxation = 1.0f, .compliance = 1.0f, .force_curve = 1};
  weft_link_def bad[4] = {good, good, good, good};
  bad[0].force_curve = 2;
  bad[1].compliance = 0.0f;
  bad[2].relaxation = 0.5f;
  bad[3].mode = WEFT_LINK_MODE_STRETCH;
  for (int i = 0; i < 4; ++i) {
    const weft_result result = weft_scene_add_links(scene, &bad[i], 1, NULL);
    ck_assert_int_eq(result.error, i == 0 ? WEFT_ERROR_INDEX : WEFT_ERROR_RANGE);
  }
  ck_assert_uint_eq(weft_scene_link_count(scene), 1);
  expect_ok(weft_scene_add_links(scene, &good, 1, NULL));
  weft_link_def read;
  expect_ok(weft_scene_get_links(scene, 1, 1, &read));
  ck_assert_uint_eq(read.force_curve, 1);
}
