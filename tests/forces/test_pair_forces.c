/* Forces between particles without links: against closed forms and sums over all pairs. */
#include "support/collided.h"
#include "support/test.h"

typedef struct pair_law {
  double force, energy; /* apart, newtons and joules */
} pair_law;

static pair_law bare_lennard_jones(const weft_pair_force_def* law, double r) {
  const double e = (double)law->strength, s = (double)law->size;
  return (pair_law){24.0 * e * (2.0 * pow(s / r, 12) - pow(s / r, 6)) / r,
                    4.0 * e * (pow(s / r, 12) - pow(s / r, 6))};
}

static pair_law law_at(const weft_pair_force_def* law, double r) {
  const double cutoff = (double)law->cutoff;
  if (r >= cutoff) return (pair_law){0.0, 0.0};
  if (law->kind == WEFT_PAIR_FORCE_SPRING) {
    const double k = (double)law->strength;
    return (pair_law){k * (cutoff - r), 0.5 * k * (cutoff - r) * (cutoff - r)};
  }
  const pair_law here = bare_lennard_jones(law, r), there = bare_lennard_jones(law, cutoff);
  return (pair_law){here.force - there.force,
                    here.energy - there.energy + (r - cutoff) * there.force};
}

static weft_world_def pair_def(weft_pair_force kind, float cutoff, weft_integrator integrator) {
  weft_world_def def = def_at(60);
  for (int axis = 0; axis < 3; ++axis) def.gravity[axis] = 0.0f;
  def.solver.iterations = 0;
  def.solver.integrator = integrator;
  def.pair_force.kind = kind;
  def.pair_force.cutoff = cutoff;
  def.step_ns = 4000000;
  return def;
}

enum { CLOUD = 200 };

static void fill_cloud(float (*positions)[3], double* least) {
  random_source random = {11};
  for (uint32_t i = 0; i < CLOUD;) {
    for (int axis = 0; axis < 3; ++axis) positions[i][axis] = random_float(&random, -3.5f, 3.5f);
    double nearest = INFINITY;
    for (uint32_t j = 0; j < i; ++j) {
      double sq = 0.0;
      for (int axis = 0; axis < 3; ++axis) {
        const double d = (double)positions[i][axis] - (double)positions[j][axis];
        sq += d * d;
      }
      nearest = fmin(nearest, sqrt(sq));
    }
    if (nearest < 0.8) continue;
    *least = fmin(*least, nearest);
    ++i;
  }
}

LOOP_TEST(forces_on_200_particles_are_those_of_all_pairs, 0, 8) {
  static const float cutoffs[] = {1.3f, 2.5f, 6.0f, 9.0f};
  float positions[CLOUD][3];
  double least = INFINITY;
  fill_cloud(positions, &least);
  weft_world_def def = pair_def(_i % 2 ? WEFT_PAIR_FORCE_SPRING : WEFT_PAIR_FORCE_LENNARD_JONES,
                                cutoffs[_i / 2], WEFT_INTEGRATOR_SEMI_IMPLICIT_EULER);
  def.pair_force.max_neighbors = 256;
  weft_world* world = new_points(&def, positions[0], CLOUD);
  const weft_measures measures = measures_of(world);
  weft_world_step(world, 1);
  double energy = 0.0;
  for (uint32_t i = 0; i < CLOUD; ++i) {
    double force[3] = {0.0, 0.0, 0.0}, largest = 1e-6, position[3], velocity[3];
    for (uint32_t j = 0; j < CLOUD; ++j) {
      if (j == i) continue;
      double d[3];
      for (int axis = 0; axis < 3; ++axis)
        d[axis] = (double)positions[i][axis] - (double)positions[j][axis];
      const double r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      const pair_law law = law_at(&def.pair_force, r);
      for (int axis = 0; axis < 3; ++axis) force[axis] += law.force * d[axis] / r;
      largest = fmax(largest, fabs(law.force));
      energy += 0.5 * law.energy;
    }
    read_particle(world, i, position, velocity);
    for (int axis = 0; axis < 3; ++axis)
      ck_assert_double_eq_tol(velocity[axis] / 0.004, force[axis],
                              1e-6 * (largest + fabs(force[axis])));
  }
  ck_assert_double_eq_tol(measures.pair, energy, 1e-9 * fabs(energy));
  ck_assert_uint_eq(contact_stats_of(world).lost_pairs, 0);
}

TEST(particles_that_come_go_or_are_placed_feel_the_force_at_once) {
  weft_scene* scene = new_scene();
  const float origin[3] = {0.0f, 0.0f, 0.0f};
  const float inverse_mass = 1.0f;
  expect_ok(weft_scene_add_particles(scene, origin, &inverse_mass, 1, NULL));
  expect_ok(weft_scene_reserve_particles(scene, 2, NULL));
  const weft_world_def def =
      pair_def(WEFT_PAIR_FORCE_SPRING, 1.0f, WEFT_INTEGRATOR_VELOCITY_VERLET);
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, 3);
  double position[3], velocity[3];
  read_particle(world, 0, position, velocity);
  ck_assert_double_eq(velocity[0], 0.0);
  weft_particle_def near = weft_default_particle_def();
  near.position[0] = 0.5f;
  weft_particle particle;
  expect_ok(weft_world_add_particle(world, &near, &particle));
  weft_world_step(world, 1);
  read_particle(world, 0, position, velocity);
  ck_assert_double_eq_tol(velocity[0], -0.5 * 0.004, 1e-4);
  expect_ok(weft_world_remove_particle(world, particle));
  const double before = velocity[0];
  weft_world_step(world, 5);
  read_particle(world, 0, position, velocity);
  ck_assert_double_eq_tol(velocity[0], before, 1e-7);
  ck_assert_double_eq(measures_of(world).pair, 0.0);
}

TEST(lists_that_are_too_long_are_cut_off_and_counted) {
  float positions[CLOUD][3];
  for (uint32_t i = 0; i < CLOUD; ++i) {
    positions[i][0] = 1e-3f * (float)i;
    positions[i][1] = positions[i][2] = 0.0f;
  }
  weft_world_def def = pair_def(WEFT_PAIR_FORCE_SPRING, 1.0f, WEFT_INTEGRATOR_VELOCITY_VERLET);
  def.pair_force.max_neighbors = 10;
  weft_world* world = new_points(&def, positions[0], CLOUD);
  weft_world_step(world, 1);
  ck_assert_uint_ge(contact_stats_of(world).lost_pairs, CLOUD);
  ck_assert(isfinite(measures_of(world).kinetic));
}

TEST(wrong_pair_forces_are_named) {
  const weft_world_def good =
      pair_def(WEFT_PAIR_FORCE_LENNARD_JONES, 2.5f, WEFT_INTEGRATOR_VELOCITY_VERLET);
  weft_world_def defs[5] = {good, good, good, good, good};
  defs[0].pair_force.first = 2;
  defs[1].pair_force.count = 3;
  defs[2].solver.integrator = WEFT_INTEGRATOR_IMPLICIT_EULER;
  defs[3].pair_force.cutoff = 0.9f;
  defs[4].pair_force.cutoff = 10.5f;
  const struct {
    weft_error error;
    const char* field;
  } expected[5] = {{WEFT_ERROR_INDEX, "weft_pair_force_def.first"},
                   {WEFT_ERROR_INDEX, "weft_pair_force_def.count"},
                   {WEFT_ERROR_RANGE, "weft_solver_def.integrator"},
                   {WEFT_ERROR_RANGE, "weft_pair_force_def.cutoff"},
                   {WEFT_ERROR_RANGE, "weft_pair_force_def.cutoff"}};
  weft_scene* scene = new_scene();
  const float positions[6] = {0.0f}, inverse_masses[2] = {1.0f, 1.0f};
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, 2, NULL));
  for (int i = 0; i < 5; ++i) {
    weft_world* world = NULL;
    expect_error(weft_world_create(&defs[i], scene, &world), expected[i].error, expected[i].field);
  }
}
