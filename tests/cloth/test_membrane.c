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
  def.iterations = 20;
  def.substeps = steps == 0 ? 8 : 16;
  weft_world* world = new_membrane(&mesh, def);
  float forces[3 * MOST_VERTICES];
  list_forces(&n, stress, forces);
  for (uint32_t step = 0; step < 80; ++step) {
    expect_ok(weft_world_add_forces(world, 0, n.side * n.side, forces, sizeof(float[3])));
    weft_world_step(world, 1);
  }
  double strain[3], expected[3], size = 0.0;
  mean_strain(&n, world, strain);
  expected_strain(&material, angle, stress, expected);
  for (int k = 0; k < 3; ++k) size = fmax(size, fabs(expected[k]));
  for (int k = 0; k < 3; ++k) {
    ck_assert_msg(fabs(strain[k] - expected[k]) < 0.02 * size,
                  "stress %d, %g degrees, net %d, %u substeps: strain %d is %g, not %g",
                  _i % STRESSES, 180.0 / M_PI * angle, kind, (unsigned)def.substeps, k, strain[k],
                  expected[k]);
  }
}

// ---- a load that is not uniform, against a minimum of the energy in double precision ----

typedef struct oracle {
  const net* n;
  const weft_material_def* material;
  double at[2 * MOST_VERTICES];
} oracle;

// Energy of a triangle whose warp is along x, by eigenvalues of F^T F.
static double energy_of(const oracle* o, const uint32_t* corner) {
  double rest[4], now[4];
  for (uint32_t k = 0; k < 4; ++k) {
    const uint32_t to = corner[1 + k % 2], axis = k / 2;
    rest[k] =
        (double)o->n->positions[3 * to + axis] - (double)o->n->positions[3 * corner[0] + axis];
    now[k] = o->at[2 * to + axis] - o->at[2 * corner[0] + axis];
  }
  const double twice = rest[0] * rest[3] - rest[1] * rest[2];
  const double inverse[4] = {rest[3] / twice, -rest[1] / twice, -rest[2] / twice, rest[0] / twice};
  double f[4], c[3];
  for (uint32_t k = 0; k < 4; ++k) {
    f[k] = now[k / 2 * 2] * inverse[k % 2] + now[k / 2 * 2 + 1] * inverse[2 + k % 2];
  }
  c[0] = f[0] * f[0] + f[2] * f[2];
  c[1] = f[1] * f[1] + f[3] * f[3];
  c[2] = f[0] * f[1] + f[2] * f[3];
  const double mean = 0.5 * (c[0] + c[1]), half = 0.5 * (c[0] - c[1]);
  const double radius = hypot(half, c[2]);
  const double high = sqrt(mean + radius), low = sqrt(mean - radius);
  // S = ((high + low) I + (high - low) (C - mean) / radius) / 2
  const double share = radius > 0.0 ? (high - low) / radius : 0.0;
  const double u = 0.5 * (high + low + share * half) - 1.0;
  const double v = 0.5 * (high + low - share * half) - 1.0;
  const double w = share * c[2];
  const weft_material_def* m = o->material;
  const double warp = (double)m->stretch_stiffness, weft = (double)m->weft_stiffness;
  const double ratio = (double)m->poisson_ratio;
  const double plane = 1.0 - ratio * ratio * weft / warp;
  const double density = (warp * u * u + 2.0 * ratio * weft * u * v + weft * v * v) / plane +
                         (double)m->shear_stiffness * w * w;
  return 0.25 * fabs(twice) * density;
}

// Gradient by central differences over the triangles of each vertex; the first row is pinned.
static double energy_gradient(oracle* o, const double* forces, double* gradient) {
  const net* n = o->n;
  double sum = 0.0;
  for (uint32_t i = 0; i < 2 * n->side * n->side; ++i) gradient[i] = -forces[i];
  for (uint32_t t = 0; t < n->triangle_count; ++t) {
    const uint32_t* corner = n->triangles + (size_t)3 * t;
    for (uint32_t k = 0; k < 6; ++k) {
      double* x = &o->at[2 * corner[k / 2] + k % 2];
      const double before = *x, step = 1e-6;
      *x = before + step;
      const double above = energy_of(o, corner);
      *x = before - step;
      gradient[2 * corner[k / 2] + k % 2] += (above - energy_of(o, corner)) / (2.0 * step);
      *x = before;
    }
  }
  for (uint32_t i = 0; i < 2 * n->side; ++i) gradient[i] = 0.0;
  for (uint32_t i = 0; i < 2 * n->side * n->side; ++i) sum += gradient[i] * gradient[i];
  return sqrt(sum);
}

// Heavy-ball descent.
static void relax(oracle* o, const double* forces) {
  double gradient[2 * MOST_VERTICES], speed[2 * MOST_VERTICES] = {0.0};
  const double rate = 0.05 / (double)o->material->stretch_stiffness;
  for (int round = 0; round < 20000; ++round) {
    if (energy_gradient(o, forces, gradient) < 1e-7) return;
    for (uint32_t i = 0; i < 2 * o->n->side * o->n->side; ++i) {
      speed[i] = 0.97 * speed[i] - rate * gradient[i];
      o->at[i] += speed[i];
    }
  }
  ck_abort_msg("the oracle did not come to rest");
}

// The upper edge is held, the lower one is pulled at one corner and pushed sideways at the other.
RANDOM_TEST(edge_loads_deform_a_membrane_as_the_minimum_of_its_energy_does, LONG_RUN(4)) {
  net n;
  const weft_material_def material = woven();
  const weft_mesh_def mesh = make_net(&n, _i < 2 ? 5 : 7, _i % 2 == 1 ? &random : NULL, &material);
  weft_world_def def = weft_plain_world_def();
  memset(def.gravity, 0, sizeof(def.gravity));
  def.damping = 10.0f;
  def.iterations = 8;
  def.substeps = 16;
  weft_world* world = new_membrane(&mesh, def);
  const uint32_t count = n.side * n.side;
  const float pinned = 0.0f;
  expect_ok(weft_world_set_inverse_masses(world, 0, n.side, &pinned, 0));
  float forces[3 * MOST_VERTICES] = {0.0f};
  forces[3 * (count - 1)] = 2.0f;
  forces[3 * (count - 1) + 1] = 12.0f;
  forces[3 * (count - n.side)] = 1.0f;
  for (uint32_t step = 0; step < 300; ++step) {
    expect_ok(weft_world_add_forces(world, 0, count, forces, sizeof(float[3])));
    weft_world_step(world, 1);
  }

  static oracle o;
  o = (oracle){.n = &n, .material = &material};
  double loads[2 * MOST_VERTICES];
  for (uint32_t i = 0; i < 2 * count; ++i) {
    o.at[i] = (double)n.positions[3 * (i / 2) + i % 2];
    loads[i] = (double)forces[3 * (i / 2) + i % 2];
  }
  relax(&o, loads);
  float* at = new_positions(world);
  double error = 0.0, most = 0.0;
  for (uint32_t i = 0; i < 2 * count; ++i) {
    const uint32_t k = 3 * (i / 2) + i % 2;
    error = fmax(error, fabs((double)at[k] - o.at[i]));
    most = fmax(most, fabs(o.at[i] - (double)n.positions[k]));
  }
  ck_assert_msg(error < 0.03 * most, "%g m off, of %g m", error, most);
  ck_assert(most > 0.01);
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
  def.iterations = random_from(&random, 1, 8);
  def.substeps = random_from(&random, 1, 8);
  if (_i % 2 == 1) def.sweeps = WEFT_SWEEPS_TEXTBOOK;
  weft_world* world = new_membrane(&mesh, def);
  const uint32_t count = n.side * n.side;
  float places[3 * MOST_VERTICES];
  const float size = random_chance(&random, 4) ? 0.0f : random_float(&random, 0.0f, 1.0f);
  for (uint32_t i = 0; i < 3 * count; ++i) places[i] = random_float(&random, -size, size);
  expect_ok(weft_world_set_positions(world, 0, count, places, sizeof(float[3])));
  if (random_chance(&random, 2)) pin_particles(world, 0, 1);
  weft_world_step(world, 240);
  float* at = new_positions(world);
  for (uint32_t i = 0; i < 3 * count; ++i) require(fabsf(at[i]) < 30.0f);
  float velocities[3 * MOST_VERTICES];
  expect_ok(weft_world_get_velocities(world, 0, count, velocities));
  for (uint32_t i = 0; i < 3 * count; ++i) {
    require(fabsf(velocities[i]) * 1e-9f * (float)def.step_ns < 3.0f);
  }
}

RANDOM_TEST(a_free_membrane_keeps_momentum_and_angular_momentum, 3) {
  net n;
  const weft_material_def material = woven();
  const weft_mesh_def mesh = make_net(&n, 9, &random, &material);
  weft_world_def def = weft_plain_world_def();
  memset(def.gravity, 0, sizeof(def.gravity));
  def.damping = 0.0f;
  def.substeps = 8;
  weft_world* world = new_membrane(&mesh, def);
  const uint32_t count = n.side * n.side;
  float velocities[3 * MOST_VERTICES];
  for (uint32_t i = 0; i < 3 * count; ++i) velocities[i] = random_float(&random, -1.0f, 1.0f);
  expect_ok(weft_world_set_velocities(world, 0, count, velocities, sizeof(float[3])));
  weft_measures before, after;
  weft_world_step(world, 1);
  expect_ok(weft_world_measure(world, &before));
  weft_world_step(world, 60);
  expect_ok(weft_world_measure(world, &after));
  for (int axis = 0; axis < 3; ++axis) {
    ck_assert_double_eq_tol(after.momentum[axis], before.momentum[axis], 3e-4);
    ck_assert_double_eq_tol(after.angular_momentum[axis], before.angular_momentum[axis], 3e-4);
  }
}

// ---- one hash ----

static uint64_t hash_with(weft_isa isa, uint32_t workers) {
  random_source random = {7};
  net n;
  weft_material_def material = woven();
  material.bend_stiffness = 1e-4f;
  weft_mesh_def mesh = make_net(&n, 24, &random, &material);
  mesh.tear_ratio = 1.2f;
  const weft_world_def def =
      plain_def(.isa = isa, .worker_count = workers, .substeps = 4, .coarse_iterations = 2);
  weft_world* world = new_membrane(&mesh, def);
  pin_particles(world, 0, 1);
  pin_particles(world, 23, 1);
  weft_world_step(world, 20);
  return weft_world_hash(world);
}

TEST(all_isas_and_worker_counts_give_one_hash) {
  const uint64_t expected = hash_with(WEFT_ISA_SCALAR, 1);
  for (machine m = {0}; next_machine(&m, 3, 0);) {
    ck_assert_uint_eq(hash_with(m.isa, m.w + 1), expected);
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
  expect_ok(weft_world_tear_links(world, 0, stats_of(world).link_count));
  weft_world_step(world, 30);
  float* at = new_positions(world);
  // half a second of free fall
  for (uint32_t i = 0; i < 20; ++i) {
    ck_assert_float_lt(at[3 * i + 1], n.positions[3 * i + 1] - 1.0f);
  }
}
