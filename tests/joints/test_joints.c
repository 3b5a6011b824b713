/* Constraints and forces of joints. */
#include "support/joined.h"
#include "support/test.h"

#define GRAVITY 9.81f

// ---- constraints ----

enum { SWARM = 4 };

static void sum_momentum(const weft_world* world, const float* inverse_masses, double sum[3]) {
  float velocities[SWARM][3];
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, SWARM, velocities[0]);
  for (int axis = 0; axis < 3; ++axis) {
    sum[axis] = 0.0;
    for (int i = 0; i < SWARM; ++i) {
      sum[axis] += (double)velocities[i][axis] / (double)inverse_masses[i];
    }
  }
}

// distance between a joint's particle and its target point
static double distance_to_point(const weft_world* world, const weft_joint_def* def) {
  float p[SWARM][3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, SWARM, p[0]);
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    double d = (double)p[def->particle][axis];
    for (int i = 0; i < 3; ++i) {
      if (def->weights[i] > 0.0f) d -= (double)def->weights[i] * (double)p[def->to[i]][axis];
    }
    square += d * d;
  }
  return sqrt(square);
}

RANDOM_TEST(a_joint_between_free_particles_keeps_its_length_and_their_momentum, 24) {
  float positions[SWARM][3];
  float inverse_masses[SWARM];
  const weft_world_def world_def = weightless_def();
  for (int i = 0; i < SWARM; ++i) {
    inverse_masses[i] = random_float(&random, 0.1f, 2.0f);
    for (int axis = 0; axis < 3; ++axis) positions[i][axis] = random_float(&random, -1.0f, 1.0f);
  }
  weft_world* world = new_particles(&world_def, positions[0], inverse_masses, SWARM);
  for (uint32_t i = 0; i < SWARM; ++i) {
    float velocity[3];
    for (int axis = 0; axis < 3; ++axis) velocity[axis] = random_float(&random, -1.0f, 1.0f);
    place_particle(world, i, positions[i], velocity);
  }
  weft_joint_def def = joint_between((uint32_t)_i % 4, ((uint32_t)_i + 1) % 4);
  if (_i % 3 > 0) {
    def.to[1] = ((uint32_t)_i + 2) % 4;
    def.to[2] = ((uint32_t)_i + 3) % 4;
    def.weights[1] = random_float(&random, 0.0f, 0.5f);
    if (_i % 3 == 2) def.weights[2] = random_float(&random, 0.0f, 0.5f);
    def.weights[0] = 1.0f - def.weights[1] - def.weights[2];
  }
  def.rest_length = _i % 2 == 0 ? 0.0f : 0.5f;
  double before[3];
  double after[3];
  sum_momentum(world, inverse_masses, before);
  (void)add_joint(world, &def);
  for (int step = 0; step < 20; ++step) {
    weft_world_step(world, 1);
    ck_assert_double_le(fabs(distance_to_point(world, &def) - (double)def.rest_length), 1e-5);
  }
  sum_momentum(world, inverse_masses, after);
  for (int axis = 0; axis < 3; ++axis) ck_assert_double_eq_tol(after[axis], before[axis], 2e-3);
}

TEST(a_cloth_hangs_by_a_point_of_a_face_that_is_welded_to_a_pin) {
  weft_scene* scene = new_scene();
  const weft_body cloth = add_sheet(scene, 9, 9, STRUCTURAL | SHEAR);
  const float inverse_mass = 0.0f;
  float corner[3];
  expect_ok(weft_scene_get_particles(scene, cloth.first_particle, 1, corner, NULL));
  const float place[3] = {corner[0] + 0.01f, corner[1] - 0.015f, corner[2]};
  weft_body pin;
  expect_ok(weft_scene_add_particles(scene, place, &inverse_mass, 1, &pin));
  const weft_world_def world_def = weft_plain_world_def();
  weft_world* world = new_world(&world_def, scene);
  weft_joint_def def = joint_between(pin.first_particle, cloth.first_particle);
  def.to[1] = cloth.first_particle + 1;
  def.to[2] = cloth.first_particle + 9;
  def.weights[0] = 0.5f;
  def.weights[1] = 0.2f;
  def.weights[2] = 0.3f;
  const weft_joint joint = add_joint(world, &def);
  weft_world_step(world, 600);
  float p[9 * 9 + 1][3];
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, 9 * 9 + 1, p[0]);
  for (int axis = 0; axis < 3; ++axis) {
    const float point = 0.5f * p[0][axis] + 0.2f * p[1][axis] + 0.3f * p[9][axis];
    ck_assert_float_eq_tol(point, place[axis], 1e-5f);
  }
  // one point carries the whole cloth of 81 grams
  ck_assert_float_eq_tol(force_of(world, joint), 0.081f * GRAVITY, 0.01f * GRAVITY);
  ck_assert_float_lt(p[80][1], place[1] - 0.5f);
  ck_assert_float_gt(p[80][1], place[1] - 0.65f);
}

LOOP_TEST(a_joint_gives_way_by_its_compliance_times_the_weight, 0, 8) {
  const float positions[6] = {0.0f, 0.0f, 0.0f, 0.0f, -1.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 0.5f};
  const weft_world_def world_def = plain_def(.damping = 20.0f, .iterations = _i % 2 == 0 ? 1 : 10,
                                             .substeps = _i / 2 % 2 == 0 ? 1 : 5);
  weft_world* world = new_particles(&world_def, positions, inverse_masses, 2);
  weft_joint_def def = joint_between(1, 0);
  def.rest_length = _i / 4 % 2 == 0 ? 0.0f : 1.0f;
  def.compliance = 0.01f;
  const weft_joint joint = add_joint(world, &def);
  weft_world_step(world, 900);
  const double weight = 2.0 * (double)GRAVITY;
  ck_assert_double_eq_tol(apart(world, 0, 1), (double)def.rest_length + 0.01 * weight, 1e-3);
  ck_assert_double_eq_tol((double)force_of(world, joint), weight, 1e-2 * weight);
}

TEST(without_sweeps_joints_hold_all_the_same) {
  const float positions[6] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 1.0f};
  weft_world_def world_def = weft_plain_world_def();
  world_def.solver.iterations = 0;
  weft_world* world = new_particles(&world_def, positions, inverse_masses, 2);
  const weft_joint_def def = joint_between(1, 0);
  (void)add_joint(world, &def);
  weft_world_step(world, 60);
  ck_assert_double_eq_tol(apart(world, 0, 1), 0.0, 1e-6);
}

// ---- forces ----

LOOP_TEST(a_joint_breaks_under_more_than_it_bears_and_not_under_less, 0, 16) {
  // weight below or on top of a pin, by joints of every mode
  const float mass = 3.0f;
  const bool stands = _i % 4 == 3;
  const float positions[6] = {0.0f, 0.0f, 0.0f, 0.0f, stands ? 1.0f : -1.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 1.0f / mass};
  const weft_link_mode modes[4] = {WEFT_LINK_MODE_BOTH, WEFT_LINK_MODE_BOTH, WEFT_LINK_MODE_STRETCH,
                                   WEFT_LINK_MODE_COMPRESS};
  const weft_world_def world_def =
      plain_def(.substeps = _i / 4 % 2 == 0 ? 1 : 4, .iterations = _i / 8 % 2 == 0 ? 1 : 10);
  for (int strong = 0; strong < 2; ++strong) {
    weft_world* world = new_particles(&world_def, positions, inverse_masses, 2);
    weft_joint_def def = joint_between(1, 0);
    def.mode = modes[_i % 4];
    def.rest_length = _i % 4 == 0 ? 0.0f : 1.0f;
    def.break_force = (strong == 1 ? 1.01f : 0.99f) * mass * GRAVITY;
    // a weld starts with zero error
    if (_i % 4 == 0) place_particle(world, 1, positions, NULL);
    const weft_joint joint = add_joint(world, &def);
    ck_assert_uint_eq(whole_joints(world), 1);
    weft_world_step(world, 120);
    ck_assert(is_broken(world, joint) == (strong == 0));
    ck_assert_uint_eq(whole_joints(world), (uint32_t)strong);
    ck_assert_float_eq_tol(force_of(world, joint), mass * GRAVITY, 1e-2f * mass * GRAVITY);
    if (strong == 1) {
      ck_assert_double_eq_tol(apart(world, 0, 1), (double)def.rest_length, 1e-4);
    } else {
      ck_assert_double_gt(apart(world, 0, 1), 10.0);
    }
  }
}

TEST(a_broken_joint_stays_until_it_is_removed) {
  const float positions[6] = {0.0f, 0.0f, 0.0f, 0.0f, -1.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 1.0f};
  const weft_world_def world_def = plain_def(.max_joints = 1);
  weft_world* world = new_particles(&world_def, positions, inverse_masses, 2);
  weft_joint_def def = joint_between(1, 0);
  def.break_force = 1.0f;
  weft_joint joint = add_joint(world, &def);
  weft_world_step(world, 10);
  ck_assert(is_broken(world, joint));
  expect_error(weft_world_add_joint(world, &def, &joint), WEFT_ERROR_TOO_MANY,
               "weft_world_def.max_joints");
  expect_ok(weft_world_remove_joint(world, joint));
  def.break_force = 0.0f;
  joint = add_joint(world, &def);
  ck_assert_uint_eq(joint.index, 0);
  ck_assert(!is_broken(world, joint));
  ck_assert_float_eq(force_of(world, joint), 0.0f);
  weft_world_step(world, 10);
  ck_assert_double_eq_tol(apart(world, 0, 1), 0.0, 1e-4);
}
