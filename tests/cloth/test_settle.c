/* Stability for any material, step and number of iterations, and convergence to rest. */
#include "support/hung.h"
#include "support/test.h"

// ---- random cloths ----

static weft_world_def random_def(random_source* random) {
  static const int64_t steps_ns[] = {33333333, 16666667, 8333333, 4166667};
  weft_world_def def = plain_def(.step_ns = steps_ns[random_below(random, 4)]);
  def.iterations = random_from(random, 1, 50);
  def.coarse_iterations = random_chance(random, 3) ? 0 : random_from(random, 1, 20);
  def.substeps = random_chance(random, 2) ? 1 : random_from(random, 2, 10);
  return def;
}

static void pin_a_few(weft_scene* scene, random_source* random) {
  const uint32_t count = weft_scene_particle_count(scene);
  const uint32_t pins = random_below(random, 6);
  for (uint32_t i = 0; i < pins; ++i)
    expect_ok(weft_scene_pin(scene, random_below(random, count), 1));
}

// steps for one second and bounds the speed: free fall and recoil stay far below the limit
static void expect_calm(const weft_scene* scene, random_source* random) {
  const weft_world_def def = random_def(random);
  weft_world* world = new_world(&def, scene);
  const uint32_t steps = (uint32_t)(1000000000 / def.step_ns);
  double fastest = 0.0;
  for (uint32_t i = 0; i < 10; ++i) {
    weft_world_step(world, steps / 10);
    fastest = fmax(fastest, check_finite_and_get_speed(world));
  }
  ck_assert_msg(fastest < 200.0, "%g m/s: %u iterations, %u coarse, %u substeps, a step of %lld ns",
                fastest, (unsigned)def.iterations, (unsigned)def.coarse_iterations,
                (unsigned)def.substeps, (long long)def.step_ns);
}

RANDOM_TEST(a_sheet_of_any_material_does_not_run_away, 10) {
  weft_scene* scene = new_scene();
  const weft_material_def material = random_material(&random);
  weft_sheet_def def = sheet_def(.material = &material);
  def.columns = random_from(&random, 1, 24);
  def.rows = random_from(&random, 1, 24);
  def.spacing = random_float(&random, 0.01f, 0.1f);
  def.shear = !random_chance(&random, 4);
  def.bend = random_chance(&random, 2);
  expect_ok(weft_scene_add_sheet(scene, &def, NULL));
  pin_a_few(scene, &random);
  expect_calm(scene, &random);
}

RANDOM_TEST(a_mesh_of_any_material_does_not_run_away, 10) {
  weft_scene* scene = new_scene();
  const weft_material_def material = random_material(&random);
  (void)add_random_mesh_of(scene, &random, random_from(&random, 2, 16), &material,
                           random_chance(&random, 2) ? 0.0f : 0.2f);
  pin_a_few(scene, &random);
  expect_calm(scene, &random);
}

// ---- convergence to rest ----

typedef struct method {
  uint32_t iterations, coarse, substeps;
} method;

static double kinetic_energy(const weft_world* world) {
  const uint32_t count = particle_count_of(world);
  float* v = test_alloc(sizeof(float[3]) * count);
  expect_ok(weft_world_get_velocities(world, 0, count, v));
  double sum = 0.0;
  for (uint32_t i = 0; i < 3 * count; ++i) sum += (double)v[i] * (double)v[i];
  return sum;
}

// world of a slanted sheet of 1 m that hangs from its top row or from two corners; material NULL =
// rigid links
static weft_world* new_hanging_world(const weft_material_def* material, const method* m,
                                     bool by_corners) {
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = sheet_def(.side = 33, .spacing = 1.0f / 32.0f, .material = material);
  sheet.down[1] = -0.8f;
  sheet.down[2] = 0.6f;
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  for (uint32_t i = 0; i < 33; i += by_corners ? 32 : 1) expect_ok(weft_scene_pin(scene, i, 1));
  return new_plain_world(scene, .iterations = m->iterations, .coarse_iterations = m->coarse,
                         .substeps = m->substeps, .damping = 1.0f);
}

// largest kinetic energy over so many tenths of a second
static double most_energy(weft_world* world, uint32_t tenths) {
  double upper = 0.0;
  for (uint32_t i = 0; i < tenths; ++i) {
    weft_world_step(world, 6);
    upper = fmax(upper, kinetic_energy(world));
  }
  return upper;
}

// `share`: upper bound on the remaining share of the largest energy
static void expect_rest(int material_case, const method* m, bool by_corners, double share) {
  weft_material_def material = weft_default_material_def();
  if (material_case == 2) {
    material.stretch_stiffness = 50.0f;
    material.shear_stiffness = 5.0f;
  }
  weft_world* world = new_hanging_world(material_case == 0 ? NULL : &material, m, by_corners);
  const double upper = most_energy(world, by_corners ? 180 : 100);
  const double later = most_energy(world, 50);
  ck_assert_msg(later < share * upper, "%g of the largest energy is left", later / upper);
}

LOOP_TEST(a_cloth_that_hangs_from_its_top_row_comes_to_rest_and_stays_there, 0, ROUNDS(8, 2)) {
  static const method methods[] = {{10, 0, 1}, {4, 8, 1}, {2, 0, 8}, {2, 4, 4}};
  expect_rest(_i % 3, &methods[_i % 4], false, 1e-4);
}

// Many folds need substeps or coarse levels. With levels and one substep light cotton keeps
// oscillating at a centimetre a second.
LOOP_TEST(a_cloth_that_hangs_from_two_corners_comes_to_rest_and_stays_there, 0, ROUNDS(6, 1)) {
  static const method methods[] = {{2, 0, 8}, {4, 8, 1}};
  const bool quivers = _i == 4;
  expect_rest(_i % 3, &methods[_i / 3], true, quivers ? 2e-4 : 1e-4);
}
