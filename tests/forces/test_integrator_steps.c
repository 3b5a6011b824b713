/* Integrators: behaviour of particles and links. */
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
  expect_get(world, WEFT_ATTRIBUTE_POSITION, particle, 1, pos);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, particle, 1, vel);
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
  def.solver.substeps = 2;
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
