/* Integrators: behaviour of particles and links, and determinism. */
#include "support/accuracy.h"
#include "support/test.h"
#include "world/world.h"

#define INTEGRATORS (WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1)

// ---- free particles ----

// world of a free particle and a pinned one
static weft_world* new_lone_world(const weft_world_def* def) {
  const float positions[6] = {0.0f, 0.0f, 0.0f, 9.0f, 9.0f, 9.0f};
  const float inverse_masses[2] = {2.0f, 0.0f};
  weft_scene* scene = new_points_scene(positions, inverse_masses, 2);
  return new_world(def, scene);
}

static sim_motion state_of(const weft_world* world, uint32_t particle) {
  float pos[3];
  float vel[3];
  expect_ok(weft_world_get_positions(world, particle, 1, pos));
  expect_ok(weft_world_get_velocities(world, particle, 1, vel));
  sim_motion state;
  for (int k = 0; k < 3; ++k) {
    state.pos[k] = (double)pos[k];
    state.vel[k] = (double)vel[k];
  }
  return state;
}

// cases over all integrators, and position Verlet once more without springs
static weft_world_def def_of(int number) {
  return plain_def(.integrator = (weft_integrator)(number % INTEGRATORS),
                   .springs = number != INTEGRATORS);
}
enum { DEFS = INTEGRATORS + 1 };

LOOP_TEST(free_fall_is_the_closed_form_of_each_integrator, 0, DEFS) {
  // linear terms of the position after n steps of h, over g h^2, and of the velocity, over g h
  static const double linear[] = {0.0, 0.0, 0.5, -0.5, 0.5, 0.0, 0.5};
  weft_world_def def = def_of(_i);
  def.damping = 0.0f;
  def.step_ns = 10000000;
  weft_world* world = new_lone_world(&def);
  for (int n = 1; n <= 100; ++n) {
    weft_world_step(world, 1);
    const sim_motion s = state_of(world, 0);
    const double fallen = -9.81e-4 * (0.5 * n * n + linear[_i] * n);
    ck_assert_double_eq_tol(s.pos[1], fallen, 1e-5 * (1.0 - fallen));
    ck_assert_double_eq_tol(s.vel[1], -9.81e-2 * n, _i == INTEGRATORS ? 1e-3 : 1e-5);
  }
}

static void push(weft_world* world, uint32_t particle, float force) {
  require(weft__particles_add_forces(&world->stepper.particles));
  world->stepper.particles.force_y[world->stepper.schedule.solver_of[particle]] = force;
}

LOOP_TEST(a_force_beside_springs_counts_by_mass, 0, DEFS) {
  weft_world_def def = def_of(_i);
  def.damping = 0.0f;
  weft_world* world = new_lone_world(&def);
  // the particle has a mass of half a kilogram
  push(world, 0, 9.81f * 0.5f + 1.0f);
  weft_world_step(world, 60);
  ck_assert_double_eq_tol(state_of(world, 0).vel[1], 2.0, 2e-3);

  const sim_oscillator o = {.mass = 2.0,
                            .length = 1.0,
                            .compliance = 0.01,
                            .damping = 10.0,
                            .gravity = 9.81,
                            .pos = {0.0, -1.0, 0.0}};
  if (_i == INTEGRATORS) return;
  def.step_ns = 5000000;
  world = new_oscillator_world(&def, &o);
  push(world, 1, -30.0f);
  weft_world_step(world, 2000);
  ck_assert_double_eq_tol(state_of(world, 1).pos[1], -1.0 - (2.0 * 9.81 + 30.0) * 0.01, 1e-5);
}

LOOP_TEST(damping_takes_the_same_from_a_velocity_in_each, 0, DEFS) {
  weft_world_def def = def_of(_i);
  memset(def.gravity, 0, sizeof(def.gravity));
  def.damping = 1.5f;
  def.substeps = 2;
  weft_world* world = new_lone_world(&def);
  const float place[3] = {0.0f, 0.0f, 0.0f};
  const float thrown[3] = {2.0f, 0.0f, -1.0f};
  place_particle(world, 0, place, thrown);
  weft_world_step(world, 60);
  const sim_motion s = state_of(world, 0);
  ck_assert_double_eq_tol(s.vel[0], 2.0 * exp(-1.5), 3e-3);
  ck_assert_double_eq_tol(s.vel[2], -exp(-1.5), 3e-3);
}

LOOP_TEST(no_velocity_grows_beyond_the_greatest_speed, 0, DEFS) {
  weft_world_def def = def_of(_i);
  def.damping = 0.0f;
  def.max_speed[0] = 0.5f;
  def.max_speed[1] = 3.0f;
  weft_world* world = new_lone_world(&def);
  const float place[3] = {0.0f, 0.0f, 0.0f};
  const float thrown[3] = {-2.0f, 0.0f, 1.0f};
  place_particle(world, 0, place, thrown);
  sim_motion before = state_of(world, 0);
  for (int n = 0; n < 60; ++n) {
    weft_world_step(world, 1);
    const sim_motion s = state_of(world, 0);
    require(fabs(s.pos[0] - before.pos[0]) <= 0.5 / 60.0 + 1e-6);
    require(fabs(s.pos[1] - before.pos[1]) <= 3.0 / 60.0 + 1e-6);
    require(fabs(s.pos[2] - before.pos[2] - 1.0 / 60.0) <= 1e-6);
    before = s;
  }
  ck_assert_double_eq_tol(before.vel[0], -0.5, 1e-4);
  // the velocity of Verlet is half a kick ahead
  ck_assert_double_eq_tol(before.vel[1], -3.0, 0.09);
}

LOOP_TEST(what_is_set_is_read_back, 0, DEFS) {
  const weft_world_def def = def_of(_i);
  weft_world* world = new_lone_world(&def);
  const float place[3] = {0.5f, -0.25f, 1.0f};
  const float thrown[3] = {2.0f, 3.0f, -1.0f};
  weft_world_step(world, 7);
  const uint64_t hash = weft_world_hash(world);
  place_particle(world, 0, place, thrown);
  ck_assert_uint_ne(hash, weft_world_hash(world));
  const sim_motion s = state_of(world, 0);
  for (int k = 0; k < 3; ++k) {
    ck_assert_double_eq(s.pos[k], (double)place[k]);
    ck_assert_double_eq_tol(s.vel[k], (double)thrown[k], 1e-4);
  }
  pin_particles(world, 0, 1);
  ck_assert_double_eq(state_of(world, 0).vel[1], 0.0);
  weft_world_step(world, 3);
  set_inverse_mass(world, 0, 1.0f);
  ck_assert_double_eq(state_of(world, 0).pos[1], (double)place[1]);
  weft_world_step(world, 1);
  ck_assert_double_ge(state_of(world, 0).vel[1], -9.82 / 60.0);
}

// ---- links ----

// pin and a chain of rigid links, vertical or horizontal
static weft_world* new_chain_world(const weft_world_def* def, uint32_t count, float sideways) {
  weft_scene* scene = new_scene();
  for (uint32_t i = 0; i <= count; ++i) {
    const float position[3] = {sideways * 0.1f * (float)i, (sideways - 1.0f) * 0.1f * (float)i,
                               0.0f};
    const float inverse_mass = i == 0 ? 0.0f : 1.0f;
    expect_ok(weft_scene_add_particles(scene, position, &inverse_mass, 1, NULL));
    const weft_link_def link = {.a = i - 1, .b = i, .rest_length = 0.1f, .relaxation = 1.0f};
    if (i > 0) expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  return new_world(def, scene);
}

LOOP_TEST(rigid_links_keep_their_length, 0, DEFS) {
  weft_world_def def = def_of(_i);
  def.iterations = 50;
  // direct solver off, then on
  for (def.direct_iterations = 0; def.direct_iterations <= 6; def.direct_iterations += 6) {
    weft_world* world = new_chain_world(&def, 5, 1.0f);
    double lowest = 0.0;
    for (int n = 0; n < 200; ++n) {
      weft_world_step(world, 1);
      for (uint32_t i = 1; i <= 5; ++i) {
        const sim_motion a = state_of(world, i - 1);
        const sim_motion b = state_of(world, i);
        const double length =
            hypot(hypot(a.pos[0] - b.pos[0], a.pos[1] - b.pos[1]), a.pos[2] - b.pos[2]);
        require(fabs(length - 0.1) < 1e-3);
        lowest = fmin(lowest, b.pos[1]);
      }
    }
    // the chain does swing
    ck_assert_double_le(lowest, -0.4);
  }
}

LOOP_TEST(what_hangs_at_rest_has_no_velocity, 0, DEFS) {
  weft_world_def def = def_of(_i);
  def.substeps = 2;
  weft_world* world = new_chain_world(&def, 3, 0.0f);
  weft_world_step(world, 60);
  for (uint32_t i = 1; i <= 3; ++i) {
    const sim_motion s = state_of(world, i);
    ck_assert_double_eq_tol(s.pos[1], -0.1 * i, 1e-4);
    // explicit Euler applies the constraint forces one step late
    const double late = def.integrator == WEFT_INTEGRATOR_EXPLICIT_EULER ? -9.81 / 120.0 : 0.0;
    ck_assert_double_eq_tol(s.vel[1], late, 1e-3);
  }
}

TEST(springs_that_no_link_is_change_nothing_but_the_last_digits) {
  weft_world_def def = def_of(INTEGRATORS);
  for (int with = 0; with < 2; ++with) {
    def.springs = with == 1;
    weft_world* world = new_chain_world(&def, 4, 1.0f);
    weft_world_step(world, 30);
    static float seen[2][15];
    expect_ok(weft_world_get_positions(world, 0, 5, seen[with]));
    // with springs the first step is a half step, which shifts positions by that much
    for (int i = 0; i < 15 && with == 1; ++i) require(fabsf(seen[0][i] - seen[1][i]) < 0.02f);
  }
}

// ---- determinism ----

// cloth of springs, rigid cloth, ropes of both, seams, tears and pins
static weft_scene* new_mixed_scene(void) {
  random_source random = {7};
  weft_scene* scene = new_scene();
  weft_material_def material = material_def(.stretch_stiffness = 20.0f, .shear_stiffness = 2.0f);
  const weft_body soft =
      add_cloth(scene, .columns = 50, .rows = 60, .tear_ratio = 1.3f, .material = &material);
  const weft_body rigid = add_sheet(scene, 40, 50, ALL_FAMILIES);
  (void)add_random_mesh_of(scene, &random, 40, &material, 0.2f);
  for (uint32_t i = 0; i < 50; i += 7) expect_ok(weft_scene_pin(scene, i, 1));
  for (uint32_t i = 0; i < 40; i += 9)
    expect_ok(weft_scene_pin(scene, rigid.first_particle + i, 1));
  for (uint32_t i = 0; i < 40; ++i) {
    const weft_link_def seam = {.a = soft.first_particle + 50 * 59 + i,
                                .b = rigid.first_particle + 40 * 49 + i,
                                .rest_length = 1.0f,
                                .relaxation = 1.0f,
                                .compliance = i % 2 == 0 ? 0.5f : 0.0f,
                                .spring_damping = 0.001f * (float)(i % 3),
                                .mode = i % 5 == 0 ? WEFT_LINK_MODE_STRETCH : WEFT_LINK_MODE_BOTH};
    expect_ok(weft_scene_add_links(scene, &seam, 1, NULL));
  }
  return scene;
}

static uint64_t mixed_hash(const weft_scene* scene, weft_integrator integrator, weft_isa isa,
                           uint32_t worker_count) {
  weft_world* world =
      new_plain_world(scene, .integrator = integrator, .springs = true, .substeps = 2,
                      .iterations = 3, .coarse_iterations = 1, .attachments = 1, .step_ns = 4000000,
                      .isa = isa, .worker_count = worker_count);
  weft_world_step(world, THREADED(4, 1));
  for (uint32_t i = 0; i < particle_count_of(world); i += 500) {
    for (int k = 0; k < 3; ++k) require(isfinite(state_of(world, i).pos[k]));
  }
  return weft_world_hash(world);
}

LOOP_TEST(every_isa_and_every_number_of_workers_gives_the_same_hash, 0, INTEGRATORS) {
  static const uint32_t worker_counts[] = {1, 2, 3, 7};
  const weft_integrator integrator = (weft_integrator)_i;
  weft_scene* scene = new_mixed_scene();
  const uint64_t expected = mixed_hash(scene, integrator, WEFT_ISA_SCALAR, 1);
  for (int w = 0; w < 4; w += ROUNDS(1, 3)) {
    ck_assert_uint_eq(mixed_hash(scene, integrator, WEFT_ISA_AUTO, worker_counts[w]), expected);
  }
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    ck_assert_uint_eq(mixed_hash(scene, integrator, (weft_isa)isa, 3), expected);
  }
}

LOOP_TEST(steps_taken_one_by_one_are_steps_taken_together, 0, DEFS) {
  weft_scene* scene = new_mixed_scene();
  weft_world_def def = def_of(_i);
  def.step_ns = 4000000;
  weft_world* one_by_one = new_world(&def, scene);
  weft_world* together = new_world(&def, scene);
  for (int n = 0; n < 4; ++n) weft_world_step(one_by_one, 1);
  weft_world_step(together, 4);
  ck_assert_uint_eq(weft_world_hash(one_by_one), weft_world_hash(together));
}
