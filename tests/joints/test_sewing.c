/* Adding and removing joints, and results independent of the number of workers. */
#include "support/joined.h"
#include "support/test.h"

// ---- adding and removing ----

TEST(a_joint_that_was_removed_has_never_been) {
  uint64_t hashes[2];
  for (int i = 0; i < 2; ++i) {
    weft_world* world = new_world_of(new_sheet_scene(20, 20, ALL_FAMILIES));
    const weft_joint_def def = joint_between(3, 77);
    if (i == 1) {
      expect_ok(weft_world_remove_joint(world, add_joint(world, &def)));
      ck_assert_uint_eq(whole_joints(world), 0);
    }
    weft_world_step(world, 10);
    hashes[i] = weft_world_hash(world);
  }
  ck_assert_uint_eq(hashes[0], hashes[1]);
}

LOOP_TEST(a_world_has_as_many_joints_as_it_was_made_for, 0, 4) {
  weft_world_def world_def = weft_plain_world_def();
  const uint32_t rooms[] = {0, 1, 3, 64};
  world_def.max_joints = rooms[_i];
  weft_world* world = new_world(&world_def, new_sheet_scene(10, 10, ALL_FAMILIES));
  weft_joint_def def = joint_between(0, 1);
  weft_joint joint = {7, 0};
  for (uint32_t i = 0; i < rooms[_i]; ++i) {
    def.particle = i;
    def.to[0] = i + 1;
    ck_assert_uint_eq(add_joint(world, &def).index, i);
  }
  expect_error(weft_world_add_joint(world, &def, &joint), WEFT_ERROR_TOO_MANY,
               "weft_world_def.max_joints");
  ck_assert_uint_eq(joint.index, 7);
  ck_assert_uint_eq(whole_joints(world), rooms[_i]);
  weft_world_step(world, 3);
}

// ---- determinism ----

enum { SHEET = 48, ROPE = 400 };

// two sheets and a rope, the first sheet pinned
static weft_scene* new_sewing_scene(void) {
  weft_scene* scene = new_sheet_scene(SHEET, SHEET, ALL_FAMILIES);
  (void)add_sheet(scene, SHEET, SHEET, ALL_FAMILIES);
  random_source random = {9};
  const weft_body rope = add_cloud(scene, &random, ROPE, 1.0f);
  for (uint32_t i = 0; i + 1 < ROPE; ++i) {
    const weft_link_def link = {.a = rope.first_particle + i,
                                .b = rope.first_particle + i + 1,
                                .rest_length = 0.05f,
                                .relaxation = 1.0f};
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
  }
  expect_ok(weft_scene_pin(scene, 0, SHEET));
  return scene;
}

// random joints of all modes, from particles to particles and to faces; `joints` may be NULL
static void sew(weft_world* world, random_source* random, uint32_t count, weft_joint* joints) {
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
    def.mode = (weft_link_mode)random_below(random, WEFT_LINK_MODE_RANGE);
    const weft_joint added = add_joint(world, &def);
    if (joints != NULL) joints[i] = added;
  }
}

// adds joints and removes some while the world steps
static uint64_t hash_of_sewing(const weft_world_def* def, uint32_t count) {
  weft_scene* scene = new_sewing_scene();
  weft_world* world = new_world(def, scene);
  random_source random = {count};
  weft_world_step(world, 2);
  weft_joint* joints = test_alloc(count * sizeof(*joints));
  sew(world, &random, count, joints);
  weft_world_step(world, 3);
  for (uint32_t i = 0; i < count; i += 3) expect_ok(weft_world_remove_joint(world, joints[i]));
  sew(world, &random, count / 5, NULL);
  weft_world_step(world, 2);
  uint64_t hash = weft_world_hash(world) * 31 + whole_joints(world);
  for (uint32_t i = 1; i < count; i += 3) {
    const double force = (double)force_of(world, joints[i]);
    uint64_t bits;
    memcpy(&bits, &force, sizeof(bits));
    hash = hash * 31 + bits + is_broken(world, joints[i]);
  }
  return hash;
}

LOOP_TEST(the_hash_is_the_same_for_all_workers_and_isas, 0, 4) {
  const uint32_t counts[] = {3, 2000};
  const uint32_t workers[] = {2, 3, 7, 4};
  weft_world_def def =
      plain_def(.max_joints = 3000, .substeps = 1 + (uint32_t)_i / 2,
                .coarse_iterations = _i / 2 == 1 ? 4 : 0, .iterations = 4, .isa = WEFT_ISA_SCALAR);
  const uint64_t expected = hash_of_sewing(&def, counts[_i % 2]);
  for (int isa = next_isa(WEFT_ISA_AUTO); isa < ISA_END; isa = next_isa(isa)) {
    def.isa = (weft_isa)isa;
    def.worker_count = workers[(isa + _i) % 4];
    ck_assert_uint_eq(hash_of_sewing(&def, counts[_i % 2]), expected);
  }
}

// ---- removed bodies ----

TEST(joints_at_a_body_that_is_taken_out_break) {
  const float positions[12] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0};
  const float inverse_masses[4] = {1, 1, 1, 1};
  const weft_world_def def = weft_plain_world_def();
  weft_world* world = new_particles(&def, positions, inverse_masses, 4);
  const weft_joint_def between = joint_between(0, 1);
  const weft_joint_def apart_from_it = joint_between(2, 3);
  const weft_joint gone = add_joint(world, &between);
  const weft_joint left = add_joint(world, &apart_from_it);
  const weft_body body = {.first_particle = 1, .particle_count = 1};
  expect_ok(weft_world_remove_body(world, &body));
  ck_assert(is_broken(world, gone) && !is_broken(world, left));
  ck_assert_uint_eq(whole_joints(world), 1);
}
