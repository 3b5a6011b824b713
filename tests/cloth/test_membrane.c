/* Membranes: meshes whose triangles resist strain as a continuum. */
#include "support/membranes.h"
#include "support/test.h"

// ---- uniform stress: the strain is that of the compliance tensor, whatever the triangles ----

// Strains xx, yy and twice xy under a stress, of a material whose warp is at an angle to x.
static void expected_strain(const weft_material_def* m, double angle, const double stress[3],
                            double strain[3]) {
  const double c = cos(angle), s = sin(angle);
  const double warp = (double)m->stretch_stiffness, weft = (double)m->weft_stiffness;
  const double local[3] = {
      c * c * stress[0] + s * s * stress[1] + 2.0 * c * s * stress[2],
      s * s * stress[0] + c * c * stress[1] - 2.0 * c * s * stress[2],
      c * s * (stress[1] - stress[0]) + (c * c - s * s) * stress[2],
  };
  const double u = local[0] / warp - (double)m->poisson_ratio * local[1] / warp;
  const double v = local[1] / weft - (double)m->poisson_ratio * local[0] / warp;
  const double w = local[2] / (double)m->shear_stiffness;
  strain[0] = c * c * u + s * s * v - c * s * w;
  strain[1] = s * s * u + c * c * v + c * s * w;
  strain[2] = 2.0 * c * s * (u - v) + (c * c - s * s) * w;
}

// Forces of a uniform stress on the border.
static void list_forces(const net* n, const double stress[3], float* forces) {
  memset(forces, 0, sizeof(float[3]) * n->side * n->side);
  const uint32_t last = n->side - 1;
  for (uint32_t i = 0; i < n->side; ++i) {
    const double share = (i == 0 || i == last ? 0.5 : 1.0) / last;
    const uint32_t border[4] = {i * n->side + last, i * n->side, last * n->side + i, i};
    for (uint32_t k = 0; k < 4; ++k) {
      const double sign = k % 2 == 0 ? 1.0 : -1.0;
      float* force = forces + (size_t)3 * border[k];
      force[0] += (float)(sign * share * stress[k < 2 ? 0 : 2]);
      force[1] += (float)(sign * share * stress[k < 2 ? 2 : 1]);
    }
  }
}

// Mean strain from the means of opposite borders; the shear is independent of a rotation.
static void mean_strain(const net* n, const weft_world* world, double strain[3]) {
  float* at = new_positions(world);
  double along[2][2] = {{0.0}};  // edge vectors
  for (uint32_t i = 0; i < n->side; ++i) {
    const uint32_t row = i * n->side, last = n->side - 1;
    for (uint32_t k = 0; k < 2; ++k) {
      along[0][k] += (double)(at[3 * (row + last) + k] - at[3 * row + k]) / n->side;
      along[1][k] += (double)(at[3 * (last * n->side + i) + k] - at[3 * i + k]) / n->side;
    }
  }
  strain[0] = hypot(along[0][0], along[0][1]) - 1.0;
  strain[1] = hypot(along[1][0], along[1][1]) - 1.0;
  strain[2] = along[0][0] * along[1][0] + along[0][1] * along[1][1];
}

// uniaxial, biaxial and pure shear, in newtons per metre: strains of about 1 in 1000
static const double stresses[][3] = {{2.0, 0.0, 0.0}, {1.0, 2.0, 0.0}, {0.0, 0.0, 1.0}};
enum { STRESSES = 3, ANGLES = 4, NETS = 4, STEPS = 2 };

// Cases: stress, direction of the warp, grid and irregular at two resolutions, two step sizes.
// Nets go round the stresses and angles, each of which has two nets of two resolutions and steps.
LOOP_TEST(strain_under_a_uniform_stress_is_that_of_the_compliance_tensor, 0,
          LONG_RUN(STRESSES* ANGLES* STEPS)) {
  const int steps = _i / STRESSES / ANGLES;
  const double* stress = stresses[_i % STRESSES];
  const double angle =
      M_PI / 180.0 * (const double[]){0.0, 30.0, 45.0, 90.0}[_i / STRESSES % ANGLES];
  const int kind = (_i + _i / STRESSES + 2 * steps) % NETS;
  random_source random = {(uint64_t)_i};
  net n;
  const weft_material_def material = woven();
  weft_mesh_def mesh = make_net(&n, kind < 2 ? 7 : 12, kind % 2 == 1 ? &random : NULL, &material);
  mesh.warp[0] = (float)cos(angle);
  mesh.warp[1] = (float)sin(angle);
  weft_world_def def = weft_plain_world_def();
  memset(def.gravity, 0, sizeof(def.gravity));
  def.damping = 20.0f;
  def.solver.iterations = 20;
  def.solver.substeps = steps == 0 ? 8 : 16;
  weft_world* world = new_membrane(&mesh, def);
  float forces[3 * MOST_VERTICES];
  list_forces(&n, stress, forces);
  for (uint32_t step = 0; step < 80; ++step) {
    expect_add(world, WEFT_ATTRIBUTE_FORCE, 0, n.side * n.side, forces, 0);
    weft_world_step(world, 1);
  }
  double strain[3], expected[3], size = 0.0;
  mean_strain(&n, world, strain);
  expected_strain(&material, angle, stress, expected);
  for (int k = 0; k < 3; ++k) size = fmax(size, fabs(expected[k]));
  for (int k = 0; k < 3; ++k) {
    ck_assert_msg(fabs(strain[k] - expected[k]) < 0.02 * size,
                  "stress %d, %g degrees, net %d, %u substeps: strain %d is %g, not %g",
                  _i % STRESSES, 180.0 / M_PI * angle, kind, (unsigned)def.solver.substeps, k,
                  strain[k], expected[k]);
  }
}

// ---- stability ----

static weft_material_def random_membrane(random_source* random) {
  weft_material_def material = random_material(random);
  material.membrane = true;
  if (random_chance(random, 8)) material.stretch_stiffness = INFINITY;
  material.weft_stiffness = material.stretch_stiffness * expf(random_float(random, -4.0f, 0.0f));
  const float ratio = sqrtf(material.stretch_stiffness / material.weft_stiffness);
  if (isfinite(ratio)) {
    material.poisson_ratio = random_float(random, -0.9f, 0.9f) * fminf(ratio, 1.0f);
  }
  if (random_chance(random, 4)) material.max_stretch = random_float(random, 1.001f, 1.5f);
  if (random_chance(random, 2)) material.bend_stiffness = expf(random_float(random, -14.0f, -5.0f));
  return material;
}

// Thrown into a heap of inverted and flattened triangles, with steps from short to far too long,
// and integrated by first and by second order.
LOOP_TEST(a_crumpled_membrane_of_any_material_does_not_explode, 0, ROUNDS(60, 40)) {
  random_source random = {(uint64_t)_i / 2};
  net n;
  weft_material_def material;
  weft_mesh_def mesh = make_net(&n, random_from(&random, 2, 12),
                                random_chance(&random, 2) ? &random : NULL, &material);
  material = random_membrane(&random);
  mesh.warp[1] = random_float(&random, -2.0f, 2.0f);
  weft_world_def def = plain_def(.weightless = true, .step_ns = (const int64_t[]){
                                                         1000000, 16666667, 100000000}[_i / 2 % 3]);
  def.solver.iterations = random_from(&random, 1, 8);
  def.solver.substeps = random_from(&random, 1, 8);
  if (_i % 2 == 1) def.solver.sweeps = WEFT_SWEEPS_TEXTBOOK;
  weft_world* world = new_membrane(&mesh, def);
  const uint32_t count = n.side * n.side;
  float places[3 * MOST_VERTICES];
  const float size = random_chance(&random, 4) ? 0.0f : random_float(&random, 0.0f, 1.0f);
  for (uint32_t i = 0; i < 3 * count; ++i) places[i] = random_float(&random, -size, size);
  expect_set(world, WEFT_ATTRIBUTE_POSITION, 0, count, places, 0);
  if (random_chance(&random, 2)) pin_particles(world, 0, 1);
  weft_world_step(world, 240);
  float* at = new_positions(world);
  for (uint32_t i = 0; i < 3 * count; ++i) require(fabsf(at[i]) < 30.0f);
  float velocities[3 * MOST_VERTICES];
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, count, velocities);
  for (uint32_t i = 0; i < 3 * count; ++i) {
    require(fabsf(velocities[i]) * 1e-9f * (float)def.step_ns < 3.0f);
  }
}

// ---- limits and tears ----

static double distance(const float* at, uint32_t from, uint32_t to) {
  double sum = 0.0;
  for (uint32_t k = 0; k < 3; ++k) {
    const double offset = (double)at[3 * to + k] - (double)at[3 * from + k];
    sum += offset * offset;
  }
  return sqrt(sum);
}

RANDOM_TEST(edges_hardly_stretch_beyond_the_limit_however_soft_the_membrane, 2) {
  net n;
  weft_material_def material = woven();
  material.stretch_stiffness = material.weft_stiffness = 2.0f;
  material.poisson_ratio = 0.0f;
  material.max_stretch = 1.1f;
  const weft_mesh_def mesh = make_net(&n, 6, _i % 2 == 1 ? &random : NULL, &material);
  const weft_world_def def = plain_def(.substeps = 16, .iterations = 4, .damping = 4.0f);
  weft_world* world = new_membrane(&mesh, def);
  pin_particles(world, n.side * (n.side - 1), n.side);
  weft_world_step(world, 240);
  float* at = new_positions(world);
  double longest = 0.0;
  for (uint32_t i = 0; i < 3 * n.triangle_count; ++i) {
    const uint32_t from = n.triangles[i];
    const uint32_t to = n.triangles[i / 3 * 3 + (i + 1) % 3];
    longest = fmax(longest, distance(at, from, to) / distance(n.positions, from, to));
  }
  ck_assert_double_le(longest, 1.11);
  ck_assert_double_ge(longest, 1.08);
}

TEST(triangles_at_torn_edges_resist_nothing) {
  net n;
  const weft_material_def material = woven();
  weft_mesh_def mesh = make_net(&n, 5, NULL, &material);
  mesh.tear_ratio = 10.0f;
  weft_world* world = new_membrane(&mesh, weft_plain_world_def());
  pin_particles(world, 20, 5);
  expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, 0, stats_of(world).link_count, &(bool){true},
             WEFT_SAME);
  weft_world_step(world, 30);
  float* at = new_positions(world);
  // half a second of free fall
  for (uint32_t i = 0; i < 20; ++i) {
    ck_assert_float_lt(at[3 * i + 1], n.positions[3 * i + 1] - 1.0f);
  }
}
