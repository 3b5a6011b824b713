/* Snapshots: a world that is restored has the bits of one that never stopped. */
#include "support/full.h"
#include "support/saved.h"
#include "support/test.h"

static void expect_same_bytes(const weft_world* world, const saved_world* expected) {
  saved_world now = save_world(world);
  ck_assert_uint_eq(now.size, expected->size);
  ck_assert_mem_eq(now.bytes, expected->bytes, now.size);
}

// ---- a world with everything ----

// Steps two worlds and requires the same state after each.
static void expect_alike(weft_world* one, weft_world* other, uint32_t steps) {
  for (uint32_t step = 0; step < steps; ++step) {
    ck_assert_uint_eq(weft_world_hash(one), weft_world_hash(other));
    weft_world_step(one, 1);
    weft_world_step(other, 1);
  }
  // all that is left is compared at once
  saved_world saved = save_world(one);
  saved_world same = save_world(other);
  ck_assert_uint_eq(weft_world_hash(one), weft_world_hash(other));
  const weft_contact_stats a = contact_stats_of(one), b = contact_stats_of(other);
  ck_assert_mem_eq(&a, &b, sizeof(a));
  ck_assert_uint_eq(saved.size, same.size);
}

LOOP_TEST(a_restored_world_goes_on_as_if_it_had_never_stopped, 0,
          WEFT_INTEGRATOR_RUNGE_KUTTA_4 + 1) {
  static const uint32_t workers[] = {1, 2, 3};
  weft_scene* scene = new_full_scene();
  weft_world_def def = busy_def((weft_integrator)_i);
  weft_world* world = new_full_world(&def, scene);
  for (machine m = {0}; next_machine_in_turn(&m, 3, _i);) {
    def.isa = m.isa;
    def.worker_count = workers[m.w];
    weft_world* other = new_world(&def, scene);
    // state of its own, that has to go
    if (m.w > 0) set_up_full(other);
    if (m.w > 0) disturb_busy(other);
    saved_world saved = save_world(world);
    restore_world(other, &saved);
    expect_same_bytes(other, &saved);
    expect_alike(world, other, 3);
  }
}

// A spring has no size, so that its member may be anything.
TEST(members_without_meaning_are_not_compared) {
  weft_scene* scene = new_full_scene();
  weft_world_def def = busy_def(WEFT_INTEGRATOR_POSITION_VERLET);
  def.pair_force.kind = WEFT_PAIR_FORCE_SPRING;
  def.pair_force.size = NAN;
  weft_world* world = new_world(&def, scene);
  saved_world saved = save_world(world);
  restore_world(world, &saved);
}

// A creased membrane, torn in part, whose corners a seam draws together.
TEST(folds_torn_triangles_and_closing_seams_are_saved) {
  random_source random = {0};
  weft_scene* scene = new_scene();
  weft_material_def material = material_def(.membrane = true, .bend_stiffness = 1e-3f,
                                            .stretch_stiffness = 200.0f, .shear_stiffness = 100.0f);
  material.crease_angle = 0.05f;
  (void)add_random_mesh_of(scene, &random, 12, &material, 0.0f);
  const weft_world_def plain = plain_def(.max_joints = 4, .substeps = 4);
  weft_world* world = new_world(&plain, scene);
  weft_world* other = new_world(&plain, scene);
  weft_seam_def seam = weft_default_seam_def();
  const uint32_t pairs[] = {0, 100};
  seam.pairs = pairs;
  seam.count = 1;
  expect_ok(weft_world_add_seam(world, &seam, NULL));
  expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, 20, 5, &(bool){true}, WEFT_SAME);
  weft_world_step(world, 20);
  saved_world saved = save_world(world);
  restore_world(other, &saved);
  expect_alike(world, other, 20);
}

TEST(a_world_is_rewound_over_all_that_has_been_done_to_it) {
  weft_scene* scene = new_full_scene();
  const weft_world_def def = busy_def(WEFT_INTEGRATOR_POSITION_VERLET);
  weft_world* world = new_world(&def, scene);
  saved_world first = save_world(world);
  set_up_full(world);
  weft_world_step(world, 3);
  saved_world second = save_world(world);
  weft_world_step(world, 6);
  const uint64_t hash = weft_world_hash(world);
  disturb_busy(world);
  weft_world_step(world, 3);
  restore_world(world, &second);
  weft_world_step(world, 6);
  ck_assert_uint_eq(weft_world_hash(world), hash);
  restore_world(world, &first);
  set_up_full(world);
  weft_world_step(world, 9);
  ck_assert_uint_eq(weft_world_hash(world), hash);
}

// Two particles become spheres beside two that lie on the floor, and hit it.
static uint64_t add_bodies(weft_world* world, float speed) {
  const float velocities[6] = {speed, -speed, 0.0f, 0.0f, -speed, speed};
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, 2, 2, velocities, WEFT_SAME);
  const weft_particle_shape_def ball = ball_of(0.2f, 0.0f);
  expect_ok(weft_world_set_particle_shape(world, weft_range(2, 2), &ball));
  weft_world_step(world, 3);
  return weft_world_hash(world);
}

TEST(bodies_that_a_rewind_takes_away_leave_no_impulses_behind) {
  const weft_world_def def = weft_plain_world_def();
  const float positions[12] = {0.0f, 0.2f, 0.0f, 5.0f, 0.2f, 0.0f,
                               1.0f, 0.2f, 0.0f, 1.3f, 0.4f, 0.0f};
  weft_world* world = new_particles(&def, positions, (float[4]){1.0f, 1.0f, 1.0f, 1.0f}, 4);
  const weft_particle_shape_def ball = ball_of(0.2f, 0.0f);
  put_floor(world, 0.0f, 0.5f);
  // memory for all, so that the rewind allocates none
  const weft_particle_shape_def point = weft_default_particle_shape_def();
  expect_ok(weft_world_set_particle_shape(world, weft_range(0, 4), &ball));
  expect_ok(weft_world_set_particle_shape(world, weft_range(2, 2), &point));
  weft_world_step(world, 3);
  saved_world saved = save_world(world);
  const uint64_t hash = add_bodies(world, 0.0f);
  restore_world(world, &saved);
  (void)add_bodies(world, 5.0f);
  restore_world(world, &saved);
  ck_assert_uint_eq(add_bodies(world, 0.0f), hash);
}

// ---- errors ----

static weft_world* new_small_world(uint32_t columns, uint32_t iterations) {
  weft_scene* scene = new_cloth_scene(.columns = columns, .rows = 8, .tear_ratio = 1.5f);
  expect_ok(weft_scene_pin(scene, weft_range(0, 1)));
  const weft_world_def def = plain_def(.iterations = iterations);
  weft_world* world = new_world(&def, scene);
  weft_world_step(world, 3);
  return world;
}

static void put(unsigned char* at, uint32_t number) {
  memcpy(at, &number, sizeof(number));
}

TEST(errors_name_what_is_wrong_and_change_nothing) {
  weft_world* world = new_small_world(8, 2);
  weft_world* other_scene = new_small_world(9, 2);
  weft_world* other_def = new_small_world(8, 3);
  saved_world saved = save_world(world);
  const size_t size = saved.size;
  expect_null(weft_world_restore(NULL, saved.bytes, size), "world");
  expect_null(weft_world_restore(world, NULL, size), "memory");
  expect_error(weft_world_restore(world, saved.bytes, 10), WEFT_ERROR_TRUNCATED, "size");
  expect_error(weft_world_restore(world, saved.bytes, size - 1), WEFT_ERROR_TRUNCATED, "size");
  unsigned char* longer = test_alloc(size + 8);
  memcpy(longer, saved.bytes, size);
  saved.bytes = longer;
  expect_error(weft_world_restore(world, saved.bytes, size + 1), WEFT_ERROR_RANGE, "size");
  expect_error(weft_world_restore(world, saved.bytes, size + 8), WEFT_ERROR_RANGE, "size");
  expect_error(weft_world_restore(other_scene, saved.bytes, size), WEFT_ERROR_FOREIGN, "scene");
  expect_error(weft_world_restore(other_def, saved.bytes, size), WEFT_ERROR_FOREIGN,
               "weft_solver_def.iterations");
  expect_error(weft_world_restore_range(world, saved.bytes, size), WEFT_ERROR_CORRUPT, "snapshot");
  saved_world before = save_world(other_def);
  expect_same_bytes(other_def, &before);
  put(saved.bytes + 8, WEFT_SNAPSHOT_VERSION + 1);
  expect_error_at(weft_world_restore(world, saved.bytes, size), WEFT_ERROR_VERSION, "snapshot",
                  WEFT_SNAPSHOT_VERSION + 1);
  saved.bytes[0] = 'W';
  expect_error(weft_world_restore(world, saved.bytes, size), WEFT_ERROR_CORRUPT, "snapshot");
  size_t needed = 0;
  expect_error(weft_world_save(world, saved.bytes, size - 1, &needed), WEFT_ERROR_RANGE,
               "capacity");
  expect_null(weft_world_save(world, saved.bytes, size, NULL), "size");
  expect_null(weft_world_save(NULL, saved.bytes, size, &needed), "world");
  expect_null(weft_world_get_snapshot_size(world, NULL), "size");
}

// Alters a snapshot: a bit, a run of bytes, two words that change places, or its end.
static size_t corrupt(random_source* random, unsigned char* bytes, size_t size) {
  const size_t at = random_below(random, (uint32_t)size);
  const size_t to = random_below(random, (uint32_t)(size / 8)) * 8;
  unsigned char word[8];
  switch (random_below(random, 4)) {
    case 0:
      bytes[at] = (unsigned char)(bytes[at] ^ 1u << random_below(random, 8));
      return size;
    case 1:
      for (size_t k = at; k < size && k < at + 16; ++k)
        bytes[k] = (unsigned char)(bytes[k] + 1 + k);
      return size;
    case 2:
      memcpy(word, bytes + to, sizeof(word));
      memcpy(bytes + to, bytes + at / 8 * 8, sizeof(word));
      memcpy(bytes + at / 8 * 8, word, sizeof(word));
      return size;
    default:
      return at;
  }
}

TEST(a_corrupted_snapshot_is_always_refused) {
  weft_scene* scene = new_full_scene();
  const weft_world_def def = busy_def(WEFT_INTEGRATOR_POSITION_VERLET);
  weft_world* world = new_full_world(&def, scene);
  saved_world saved = save_world(world);
  unsigned char* bytes = test_alloc(saved.size);
  random_source random = {7};
  for (int round = 0; round < ROUNDS(400, 100); ++round) {
    memcpy(bytes, saved.bytes, saved.size);
    const size_t size = corrupt(&random, bytes, saved.size);
    const bool is_same = size == saved.size && memcmp(bytes, saved.bytes, size) == 0;
    const weft_result result = weft_world_restore(world, bytes, size);
    require(is_same == (result.error == WEFT_OK));
  }
  expect_same_bytes(world, &saved);
}

// ---- writers ----

typedef struct sink {
  saved_world taken;
  size_t stop; /* bytes after which it stops */
} sink;

static bool take(void* context, const void* bytes, size_t size) {
  sink* to = context;
  if (to->taken.size + size > to->stop) return false;
  memcpy(to->taken.bytes + to->taken.size, bytes, size);
  to->taken.size += size;
  return true;
}

TEST(a_writer_takes_the_same_bytes_and_may_stop) {
  weft_world* world = new_small_world(60, 2);
  saved_world saved = save_world(world);
  sink to = {{test_alloc(saved.size), 0}, saved.size};
  expect_ok(weft_world_save_to(world, take, &to));
  expect_same_bytes(world, &to.taken);
  to.taken.size = 0;
  to.stop = saved.size / 2;
  expect_error(weft_world_save_to(world, take, &to), WEFT_ERROR_STOPPED, "writer");
  expect_null(weft_world_save_to(world, NULL, &to), "writer");
  expect_null(weft_world_save_to(NULL, take, &to), "world");
}
