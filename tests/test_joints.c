/* Joints: what they hold, what they bear, and what they refuse. */
#include <math.h>
#include <string.h>

#include "support/isas.h"
#include "support/worlds.h"

#define GRAVITY 9.81f

static weft_world* new_particles(const weft_world_def* def, const float* positions,
                                 const float* inverse_masses, uint32_t count) {
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, count, NULL));
  weft_world* world = new_world(def, scene);
  weft_scene_destroy(&scene);
  return world;
}

static weft_joint_def joint_between(uint32_t particle, uint32_t to) {
  weft_joint_def def = weft_default_joint_def();
  def.particle = particle;
  def.to[0] = to;
  return def;
}

static uint32_t add_joint(weft_world* world, const weft_joint_def* def) {
  uint32_t joint = UINT32_MAX;
  expect_ok(weft_world_add_joint(world, def, &joint));
  return joint;
}

static float force_of(const weft_world* world, uint32_t joint) {
  float force = -1.0f;
  expect_ok(weft_world_get_joint(world, joint, &force, NULL));
  return force;
}

static bool is_broken(const weft_world* world, uint32_t joint) {
  bool broken = false;
  expect_ok(weft_world_get_joint(world, joint, NULL, &broken));
  return broken;
}

static uint32_t whole_joints(const weft_world* world) {
  weft_world_stats stats;
  expect_ok(weft_world_get_stats(world, &stats));
  return stats.joint_count;
}

static double apart(const weft_world* world, uint32_t a, uint32_t b) {
  float p[3];
  float q[3];
  expect_ok(weft_world_get_positions(world, a, 1, p));
  expect_ok(weft_world_get_positions(world, b, 1, q));
  double square = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    square += ((double)p[axis] - (double)q[axis]) * ((double)p[axis] - (double)q[axis]);
  }
  return sqrt(square);
}

static weft_world_def weightless_def(void) {
  weft_world_def def = weft_default_world_def();
  def.gravity[1] = 0.0f;
  def.damping = 0.0f;
  return def;
}

// ---- what they hold ----

enum { SWARM = 4 };

static void sum_momentum(const weft_world* world, const float* inverse_masses, double sum[3]) {
  float velocities[SWARM][3];
  expect_ok(weft_world_get_velocities(world, 0, SWARM, velocities[0]));
  for (int axis = 0; axis < 3; ++axis) {
    sum[axis] = 0.0;
    for (int i = 0; i < SWARM; ++i) {
      sum[axis] += (double)velocities[i][axis] / (double)inverse_masses[i];
    }
  }
}

// where the point of a joint is
static double distance_to_point(const weft_world* world, const weft_joint_def* def) {
  float p[SWARM][3];
  expect_ok(weft_world_get_positions(world, 0, SWARM, p[0]));
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

START_TEST(a_joint_between_free_particles_keeps_its_length_and_their_momentum) {
  random_source random = {(uint64_t)_i};
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
    expect_ok(weft_world_set_particle(world, i, positions[i], velocity));
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
  weft_world_destroy(&world);
}
END_TEST

START_TEST(strings_and_struts_act_one_way_only) {
  const float positions[6] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 1.0f};
  const weft_world_def world_def = weightless_def();
  for (int mode = WEFT_LINK_BOTH; mode <= WEFT_LINK_COMPRESS; ++mode) {
    for (int way = 0; way < 2; ++way) {
      weft_world* world = new_particles(&world_def, positions, inverse_masses, 2);
      weft_joint_def def = joint_between(1, 0);
      def.rest_length = 1.0f;
      def.mode = (weft_link_mode)mode;
      const uint32_t joint = add_joint(world, &def);
      const float velocity[3] = {way == 0 ? 0.6f : -0.6f, 0.0f, 0.0f};
      expect_ok(weft_world_set_particle(world, 1, positions + 3, velocity));
      weft_world_step(world, 60);
      const bool held = mode == WEFT_LINK_BOTH || (mode == WEFT_LINK_STRETCH) == (way == 0);
      const double expected = held ? 1.0 : 1.0 + (double)velocity[0];
      ck_assert_double_eq_tol(apart(world, 0, 1), expected, 1e-4);
      if (!held) ck_assert_float_eq(force_of(world, joint), 0.0f);
      weft_world_destroy(&world);
    }
  }
}
END_TEST

START_TEST(a_cloth_hangs_by_a_point_of_a_face_that_is_welded_to_a_pin) {
  weft_scene* scene = new_scene();
  const weft_body cloth = add_sheet(scene, 9, 9, STRUCTURAL | SHEAR);
  const float inverse_mass = 0.0f;
  float corner[3];
  expect_ok(weft_scene_get_particles(scene, cloth.first_particle, 1, corner, NULL));
  const float place[3] = {corner[0] + 0.01f, corner[1] - 0.015f, corner[2]};
  weft_body pin;
  expect_ok(weft_scene_add_particles(scene, place, &inverse_mass, 1, &pin));
  const weft_world_def world_def = weft_default_world_def();
  weft_world* world = new_world(&world_def, scene);
  weft_scene_destroy(&scene);
  weft_joint_def def = joint_between(pin.first_particle, cloth.first_particle);
  def.to[1] = cloth.first_particle + 1;
  def.to[2] = cloth.first_particle + 9;
  def.weights[0] = 0.5f;
  def.weights[1] = 0.2f;
  def.weights[2] = 0.3f;
  const uint32_t joint = add_joint(world, &def);
  weft_world_step(world, 600);
  float p[9 * 9 + 1][3];
  expect_ok(weft_world_get_positions(world, 0, 9 * 9 + 1, p[0]));
  for (int axis = 0; axis < 3; ++axis) {
    const float point = 0.5f * p[0][axis] + 0.2f * p[1][axis] + 0.3f * p[9][axis];
    ck_assert_float_eq_tol(point, place[axis], 1e-5f);
  }
  // the whole of it hangs by one point: 81 grams
  ck_assert_float_eq_tol(force_of(world, joint), 0.081f * GRAVITY, 0.01f * GRAVITY);
  ck_assert_float_lt(p[80][1], place[1] - 0.5f);
  ck_assert_float_gt(p[80][1], place[1] - 0.65f);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(cloths_that_are_sewn_together_stay_so) {
  // two sheets side by side, hung by the upper row of one; the lower one hangs by welds
  enum { SIDE = 17 };
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = SIDE;
  weft_body upper;
  weft_body lower;
  expect_ok(weft_scene_add_sheet(scene, &sheet, &upper));
  sheet.origin[1] = -(float)(SIDE - 1) * sheet.spacing;
  expect_ok(weft_scene_add_sheet(scene, &sheet, &lower));
  for (uint32_t i = 0; i < SIDE; ++i) expect_ok(weft_scene_pin(scene, i));
  weft_world_def world_def = weft_default_world_def();
  world_def.substeps = 8;
  weft_world* world = new_world(&world_def, scene);
  weft_scene_destroy(&scene);
  for (uint32_t i = 0; i < SIDE; ++i) {
    const weft_joint_def def =
        joint_between(lower.first_particle + i, upper.first_particle + SIDE * (SIDE - 1) + i);
    (void)add_joint(world, &def);
  }
  for (int second = 0; second < 3; ++second) {
    weft_world_step(world, 60);
    for (uint32_t i = 0; i < SIDE; ++i) {
      require(apart(world, lower.first_particle + i, SIDE * (SIDE - 1) + i) < 1e-5);
    }
  }
  const uint32_t last = lower.first_particle + SIDE * SIDE - 1;
  ck_assert_double_eq_tol(apart(world, SIDE - 1, last), 1.6, 0.05);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_joint_gives_way_by_its_compliance_times_the_weight) {
  const float positions[6] = {0.0f, 0.0f, 0.0f, 0.0f, -1.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 0.5f};
  weft_world_def world_def = weft_default_world_def();
  world_def.damping = 20.0f;
  world_def.iterations = _i % 2 == 0 ? 1 : 10;
  world_def.substeps = _i / 2 % 2 == 0 ? 1 : 5;
  weft_world* world = new_particles(&world_def, positions, inverse_masses, 2);
  weft_joint_def def = joint_between(1, 0);
  def.rest_length = _i / 4 % 2 == 0 ? 0.0f : 1.0f;
  def.compliance = 0.01f;
  const uint32_t joint = add_joint(world, &def);
  weft_world_step(world, 900);
  const double weight = 2.0 * (double)GRAVITY;
  ck_assert_double_eq_tol(apart(world, 0, 1), (double)def.rest_length + 0.01 * weight, 1e-3);
  ck_assert_double_eq_tol((double)force_of(world, joint), weight, 1e-2 * weight);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(without_sweeps_joints_hold_all_the_same) {
  const float positions[6] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 1.0f};
  weft_world_def world_def = weft_default_world_def();
  world_def.iterations = 0;
  weft_world* world = new_particles(&world_def, positions, inverse_masses, 2);
  const weft_joint_def def = joint_between(1, 0);
  (void)add_joint(world, &def);
  weft_world_step(world, 60);
  ck_assert_double_eq_tol(apart(world, 0, 1), 0.0, 1e-6);
  weft_world_destroy(&world);
}
END_TEST

// ---- what they bear ----

START_TEST(a_joint_breaks_under_more_than_it_bears_and_not_under_less) {
  // a weight hangs from a pin, or stands on one, by joints of every kind
  const float mass = 3.0f;
  const bool stands = _i % 4 == 3;
  const float positions[6] = {0.0f, 0.0f, 0.0f, 0.0f, stands ? 1.0f : -1.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 1.0f / mass};
  const weft_link_mode modes[4] = {WEFT_LINK_BOTH, WEFT_LINK_BOTH, WEFT_LINK_STRETCH,
                                   WEFT_LINK_COMPRESS};
  weft_world_def world_def = weft_default_world_def();
  world_def.substeps = _i / 4 % 2 == 0 ? 1 : 4;
  world_def.iterations = _i / 8 % 2 == 0 ? 1 : 10;
  for (int strong = 0; strong < 2; ++strong) {
    weft_world* world = new_particles(&world_def, positions, inverse_masses, 2);
    weft_joint_def def = joint_between(1, 0);
    def.mode = modes[_i % 4];
    def.rest_length = _i % 4 == 0 ? 0.0f : 1.0f;
    def.break_force = (strong == 1 ? 1.01f : 0.99f) * mass * GRAVITY;
    // a weld has nothing to mend
    if (_i % 4 == 0) expect_ok(weft_world_set_particle(world, 1, positions, NULL));
    const uint32_t joint = add_joint(world, &def);
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
    weft_world_destroy(&world);
  }
}
END_TEST

START_TEST(a_broken_joint_stays_until_it_is_removed) {
  const float positions[6] = {0.0f, 0.0f, 0.0f, 0.0f, -1.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 1.0f};
  weft_world_def world_def = weft_default_world_def();
  world_def.max_joints = 1;
  weft_world* world = new_particles(&world_def, positions, inverse_masses, 2);
  weft_joint_def def = joint_between(1, 0);
  def.break_force = 1.0f;
  uint32_t joint = add_joint(world, &def);
  weft_world_step(world, 10);
  ck_assert(is_broken(world, joint));
  expect_error(weft_world_add_joint(world, &def, &joint), WEFT_ERROR_TOO_MANY,
               "weft_world_def.max_joints");
  expect_ok(weft_world_remove_joint(world, joint));
  def.break_force = 0.0f;
  joint = add_joint(world, &def);
  ck_assert_uint_eq(joint, 0);
  ck_assert(!is_broken(world, joint));
  ck_assert_float_eq(force_of(world, joint), 0.0f);
  weft_world_step(world, 10);
  ck_assert_double_eq_tol(apart(world, 0, 1), 0.0, 1e-4);
  weft_world_destroy(&world);
}
END_TEST

START_TEST(a_joint_between_pins_moves_nothing_and_bears_nothing) {
  const float positions[6] = {0.0f, 0.0f, 0.0f, 0.0f, -1.0f, 0.0f};
  const float inverse_masses[2] = {0.0f, 0.0f};
  const weft_world_def world_def = weft_default_world_def();
  weft_world* world = new_particles(&world_def, positions, inverse_masses, 2);
  const weft_joint_def def = joint_between(1, 0);
  const uint32_t joint = add_joint(world, &def);
  const uint64_t before = weft_world_hash(world);
  weft_world_step(world, 10);
  ck_assert_uint_eq(weft_world_hash(world), before);
  ck_assert_float_eq(force_of(world, joint), 0.0f);
  weft_world_destroy(&world);
}
END_TEST

// ---- coming and going ----

START_TEST(a_joint_that_was_removed_has_never_been) {
  uint64_t hashes[2];
  for (int i = 0; i < 2; ++i) {
    weft_scene* scene = new_scene();
    (void)add_sheet(scene, 20, 20, ALL_FAMILIES);
    weft_world* world = new_world_of(scene);
    const weft_joint_def def = joint_between(3, 77);
    if (i == 1) {
      expect_ok(weft_world_remove_joint(world, add_joint(world, &def)));
      ck_assert_uint_eq(whole_joints(world), 0);
    }
    weft_world_step(world, 10);
    hashes[i] = weft_world_hash(world);
    weft_world_destroy(&world);
  }
  ck_assert_uint_eq(hashes[0], hashes[1]);
}
END_TEST

START_TEST(a_world_has_as_many_joints_as_it_was_made_for) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, 10, 10, ALL_FAMILIES);
  weft_world_def world_def = weft_default_world_def();
  const uint32_t rooms[] = {0, 1, 3, 64};
  world_def.max_joints = rooms[_i];
  weft_world* world = new_world(&world_def, scene);
  weft_scene_destroy(&scene);
  weft_joint_def def = joint_between(0, 1);
  uint32_t joint = 7;
  for (uint32_t i = 0; i < rooms[_i]; ++i) {
    def.particle = i;
    def.to[0] = i + 1;
    ck_assert_uint_eq(add_joint(world, &def), i);
  }
  expect_error(weft_world_add_joint(world, &def, &joint), WEFT_ERROR_TOO_MANY,
               "weft_world_def.max_joints");
  ck_assert_uint_eq(joint, 7);
  ck_assert_uint_eq(whole_joints(world), rooms[_i]);
  weft_world_step(world, 3);
  weft_world_destroy(&world);
}
END_TEST

// ---- the same bits ----

enum { SHEET = 48, ROPE = 400 };

// two sheets and a rope, of which the first is pinned
static weft_scene* new_sewing_scene(void) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, SHEET, SHEET, ALL_FAMILIES);
  (void)add_sheet(scene, SHEET, SHEET, ALL_FAMILIES);
  random_source random = {9};
  const weft_body rope = add_cloud(scene, &random, ROPE, 1.0f);
  for (uint32_t i = 0; i + 1 < ROPE; ++i) {
    const weft_link link = {.a = rope.first_particle + i,
                            .b = rope.first_particle + i + 1,
                            .rest_length = 0.05f,
                            .stiffness = 1.0f};
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  for (uint32_t i = 0; i < SHEET; ++i) expect_ok(weft_scene_pin(scene, i));
  return scene;
}

// joints from particle to particle and to faces, of every kind
static void sew(weft_world* world, random_source* random, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) {
    weft_joint_def def = joint_between(SHEET * SHEET + random_below(random, SHEET * SHEET + ROPE),
                                       random_below(random, SHEET * (SHEET - 1)));
    if (random_chance(random, 2)) {
      def.to[1] = def.to[0] + 1;
      def.to[2] = def.to[0] + SHEET;
      def.weights[0] = 0.5f;
      def.weights[1] = def.weights[2] = 0.25f;
    }
    def.rest_length = random_chance(random, 2) ? 0.0f : 0.1f;
    def.compliance = random_chance(random, 2) ? 0.0f : 1e-3f;
    def.break_force = random_chance(random, 3) ? 50.0f : 0.0f;
    def.mode = (weft_link_mode)random_below(random, WEFT_LINK_RANGE);
    (void)add_joint(world, &def);
  }
}

// joints come, and some go, in the course of it
static uint64_t hash_of_sewing(const weft_world_def* def, uint32_t count) {
  weft_scene* scene = new_sewing_scene();
  weft_world* world = new_world(def, scene);
  weft_scene_destroy(&scene);
  random_source random = {count};
  weft_world_step(world, 2);
  sew(world, &random, count);
  weft_world_step(world, 3);
  for (uint32_t i = 0; i < count; i += 3) expect_ok(weft_world_remove_joint(world, i));
  sew(world, &random, count / 5);
  weft_world_step(world, 2);
  uint64_t hash = weft_world_hash(world) * 31 + whole_joints(world);
  for (uint32_t i = 1; i < count; i += 3) {
    const double force = (double)force_of(world, i);
    uint64_t bits;
    memcpy(&bits, &force, sizeof(bits));
    hash = hash * 31 + bits + is_broken(world, i);
  }
  weft_world_destroy(&world);
  return hash;
}

START_TEST(the_hash_is_the_same_for_all_workers_and_isas) {
  const uint32_t counts[] = {3, 2000};
  const uint32_t workers[] = {1, 2, 3, 7};
  weft_world_def def = weft_default_world_def();
  def.max_joints = 3000;
  def.substeps = 1 + (uint32_t)_i / 2;
  def.coarse_iterations = _i / 2 == 1 ? 4 : 0;
  def.iterations = 4;
  def.isa = WEFT_ISA_SCALAR;
  const uint64_t expected = hash_of_sewing(&def, counts[_i % 2]);
  def.isa = WEFT_ISA_AUTO;
  for (int w = 0; w < 4; ++w) {
    def.worker_count = workers[w];
    ck_assert_uint_eq(hash_of_sewing(&def, counts[_i % 2]), expected);
  }
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    def.isa = (weft_isa)isa;
    def.worker_count = 3;
    ck_assert_uint_eq(hash_of_sewing(&def, counts[_i % 2]), expected);
  }
}
END_TEST

START_TEST(joints_at_a_body_that_is_taken_out_break) {
  const float positions[12] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
  const float inverse_masses[4] = {1, 1, 1, 1};
  const weft_world_def def = weft_default_world_def();
  weft_world* world = new_particles(&def, positions, inverse_masses, 4);
  const weft_joint_def between = joint_between(0, 1);
  const weft_joint_def apart_from_it = joint_between(2, 3);
  const uint32_t gone = add_joint(world, &between);
  const uint32_t left = add_joint(world, &apart_from_it);
  const weft_body body = {.first_particle = 1, .particle_count = 1};
  expect_ok(weft_world_remove_body(world, &body));
  ck_assert(is_broken(world, gone) && !is_broken(world, left));
  ck_assert_uint_eq(whole_joints(world), 1);
  weft_world_destroy(&world);
}
END_TEST

int main(void) {
  const test_suite suite = new_suite("joints");
  TCase* tests = suite.tests;
  tcase_add_loop_test(tests, a_joint_between_free_particles_keeps_its_length_and_their_momentum, 0,
                      24);
  tcase_add_test(tests, strings_and_struts_act_one_way_only);
  tcase_add_test(tests, a_cloth_hangs_by_a_point_of_a_face_that_is_welded_to_a_pin);
  tcase_add_test(tests, cloths_that_are_sewn_together_stay_so);
  tcase_add_loop_test(tests, a_joint_gives_way_by_its_compliance_times_the_weight, 0, 8);
  tcase_add_test(tests, without_sweeps_joints_hold_all_the_same);
  tcase_add_loop_test(tests, a_joint_breaks_under_more_than_it_bears_and_not_under_less, 0, 16);
  tcase_add_test(tests, a_broken_joint_stays_until_it_is_removed);
  tcase_add_test(tests, joints_at_a_body_that_is_taken_out_break);
  tcase_add_test(tests, a_joint_between_pins_moves_nothing_and_bears_nothing);
  tcase_add_test(tests, a_joint_that_was_removed_has_never_been);
  tcase_add_loop_test(tests, a_world_has_as_many_joints_as_it_was_made_for, 0, 4);
  tcase_add_loop_test(tests, the_hash_is_the_same_for_all_workers_and_isas, 0, 4);
  return run_suite(suite);
}
