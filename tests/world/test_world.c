#include "base/hash.h"
#include "support/float_mode.h"
#include "support/test.h"

#define STEP_NS 16666667

// ---- the caller's order ----

LOOP_TEST(particles_are_read_where_the_scene_put_them_in_its_order, 0, ROUNDS(24, 16)) {
  weft_scene* scene = new_scene_case(_i);
  const uint32_t count = weft_scene_particle_count(scene);
  float* expected = test_alloc(sizeof(float[3]) * count);
  expect_ok(weft_scene_get_particles(scene, 0, count, expected, NULL));
  weft_world* world = new_world_of(scene);
  ck_assert_uint_eq(particle_count_of(world), count);
  float* positions = new_positions(world);
  ck_assert_mem_eq(positions, expected, sizeof(float[3]) * count);
  // partial reads
  random_source random = {(uint64_t)_i};
  const uint32_t first = random_below(&random, count);
  const uint32_t part = random_from(&random, 0, count - first);
  expect_get(world, WEFT_ATTRIBUTE_POSITION, first, part, positions);
  ck_assert_mem_eq(positions, expected + (size_t)3 * first, sizeof(float[3]) * part);
  weft_world_destroy(&world);
  ck_assert_ptr_null(world);
}

RANDOM_TEST(a_particle_that_is_set_is_read_back_and_no_other_changes, 6) {
  weft_world* world = new_world_of(new_scene_case(4 * _i + 3));
  float* expected = new_positions(world);
  const uint32_t count = particle_count_of(world);
  for (int round = 0; round < 20; ++round) {
    const uint32_t particle = random_below(&random, count);
    float* position = expected + (size_t)3 * particle;
    for (int axis = 0; axis < 3; ++axis) position[axis] = random_float(&random, -5.0f, 5.0f);
    place_particle(world, particle, position, NULL);
  }
  float* positions = new_positions(world);
  ck_assert_mem_eq(positions, expected, sizeof(float[3]) * count);
}

RANDOM_TEST(a_velocity_that_is_set_is_read_back, 6) {
  weft_world* world = new_world_of(new_scene_case(4 * _i + 1));
  const uint32_t particle = random_below(&random, particle_count_of(world));
  const float position[3] = {0.5f, -0.25f, 1.0f};
  float velocity[3];
  for (int axis = 0; axis < 3; ++axis) velocity[axis] = random_float(&random, -9.0f, 9.0f);
  place_particle(world, particle, position, velocity);
  float got[3];
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, particle, 1, got);
  for (int axis = 0; axis < 3; ++axis) ck_assert_float_eq_tol(got[axis], velocity[axis], 1e-4f);
  place_particle(world, particle, position, NULL);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, particle, 1, got);
  for (int axis = 0; axis < 3; ++axis) ck_assert_float_eq(got[axis], 0.0f);
}

// ---- time ----

RANDOM_TEST(advancing_takes_whole_steps_and_gives_the_bits_that_stepping_gives, 6) {
  weft_world* advanced = new_world_of(new_scene_case(4 * _i + 3));
  weft_world* stepped = new_world_of(new_scene_case(4 * _i + 3));
  int64_t elapsed = 0;
  uint64_t steps = 0;
  for (int call = 0; call < 20; ++call) {
    const int64_t now = random_below(&random, 3 * STEP_NS);
    weft_advance advance;
    expect_ok(weft_world_advance(advanced, now, &advance));
    elapsed += now;
    steps += advance.steps;
    ck_assert_uint_eq(steps, (uint64_t)elapsed / STEP_NS);
    const double left = (double)(elapsed % STEP_NS) / STEP_NS;
    ck_assert_double_eq_tol((double)advance.interpolation, left, 1e-6);
    weft_world_step(stepped, advance.steps);
  }
  ck_assert_uint_eq(weft_world_hash(advanced), weft_world_hash(stepped));
  ck_assert_uint_eq(stats_of(advanced).step_count, steps);
}

LOOP_TEST(interpolation_goes_from_the_step_before_the_last_to_the_last, 0, 6) {
  weft_world* world = new_world_of(new_scene_case(4 * _i + 3));
  const uint32_t count = particle_count_of(world);
  weft_world_step(world, 3);
  float* before = new_positions(world);
  weft_world_step(world, 1);
  float* last = new_positions(world);
  float* between = test_alloc(sizeof(float[3]) * count);
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const float share = 0.25f * (float)quarter;
    expect_ok(read_interpolated(world, share, 0, count, between));
    for (uint32_t i = 0; i < 3 * count; ++i) {
      const float expected = before[i] + share * (last[i] - before[i]);
      require(fabsf(between[i] - expected) <= 1e-5f * (1.0f + fabsf(expected)));
      require(quarter != 0 || between[i] == before[i]);
      require(quarter != 4 || between[i] == last[i]);
    }
  }
}

// ---- substeps ----

LOOP_TEST(a_step_of_four_substeps_is_four_steps_of_a_quarter_of_its_length, 0, 6) {
  weft_scene* scene = new_scene_case(_i);
  weft_world_def def =
      plain_def(.step_ns = 16000000, .substeps = 4, .coarse_iterations = _i % 2 == 0 ? 2 : 0);
  weft_world* whole = new_world(&def, scene);
  def.step_ns = 4000000;
  def.solver.substeps = 1;
  weft_world* parts = new_world(&def, scene);
  weft_world_step(whole, 3);
  weft_world_step(parts, 12);
  ck_assert_uint_eq(weft_world_hash(whole), weft_world_hash(parts));
  const uint32_t count = particle_count_of(whole);
  float* velocities = test_alloc(sizeof(float[3]) * count);
  float* expected = test_alloc(sizeof(float[3]) * count);
  expect_get(whole, WEFT_ATTRIBUTE_VELOCITY, 0, count, velocities);
  expect_get(parts, WEFT_ATTRIBUTE_VELOCITY, 0, count, expected);
  ck_assert_mem_eq(velocities, expected, sizeof(float[3]) * count);
}

TEST(interpolation_over_substeps_of_free_fall_goes_back_a_whole_step_along_the_velocity) {
  weft_scene* scene = new_scene();
  const float position[3] = {0.0f, 8.0f, 0.0f};
  const float inverse_mass = 1.0f;
  expect_ok(weft_scene_add_particles(scene, position, &inverse_mass, 1, NULL));
  weft_world* world = new_plain_world(scene, .weightless = true, .undamped = true,
                                      .step_ns = 500000000, .substeps = 8);
  const float velocity[3] = {2.0f, -4.0f, 0.5f};
  place_particle(world, 0, position, velocity);
  weft_world_step(world, 1);
  for (int quarter = 0; quarter <= 4; ++quarter) {
    const float share = 0.25f * (float)quarter;
    float between[3];
    expect_ok(read_interpolated(world, share, 0, 1, between));
    for (int axis = 0; axis < 3; ++axis) {
      ck_assert_float_eq(between[axis], position[axis] + share * 0.5f * velocity[axis]);
    }
  }
}

// ---- reading back ----

static uint64_t hash_bytes(uint64_t hash, const float* values, uint32_t count) {
  for (uint32_t i = 0; i < count; ++i) hash = weft__hash_float(hash, values[i]);
  return hash;
}

LOOP_TEST(hash_is_made_of_positions_and_previous_positions_in_the_callers_order, 0, 6) {
  weft_world* world = new_world_of(new_scene_case(4 * _i + 3));
  weft_world_step(world, 2);
  const uint32_t count = particle_count_of(world);
  float* last = new_positions(world);
  float* before = test_alloc(sizeof(float[3]) * count);
  expect_ok(read_interpolated(world, 0.0f, 0, count, before));
  uint64_t hash = WEFT__FNV_BASIS;
  for (uint32_t i = 0; i < count; ++i) {
    hash = hash_bytes(hash, last + (size_t)3 * i, 3);
    hash = hash_bytes(hash, before + (size_t)3 * i, 3);
  }
  ck_assert_uint_eq(weft_world_hash(world), hash);
}

LOOP_TEST(stats_agree_with_the_scene_and_with_each_other, 0, ROUNDS(24, 16)) {
  weft_scene* scene = new_scene_case(_i);
  weft_world* world = new_plain_world(scene, .worker_count = 4);
  weft_world_step(world, 3);
  const weft_world_stats stats = stats_of(world);
  ck_assert_uint_eq(stats.particle_count, weft_scene_particle_count(scene));
  ck_assert_uint_eq(stats.link_count, weft_scene_link_count(scene));
  ck_assert(stats.patch_count >= 1 && stats.patch_count <= stats.particle_count);
  ck_assert(stats.patch_color_count >= 1 && stats.patch_color_count <= stats.patch_count);
  ck_assert(stats.group_count <= 2 * stats.link_count &&
            stats.group_count * 16 >= stats.link_count);
  ck_assert_uint_le(stats.run_group_count, stats.group_count);
  ck_assert(stats.worker_count >= 1 && stats.worker_count <= 4);
  ck_assert(stats.isa != WEFT_ISA_AUTO && weft_isa_supported(stats.isa));
  ck_assert_uint_eq(stats.step_count, 3);
  // seven columns of particles, at the very least
  ck_assert_uint_ge(stats.bytes, (uint64_t)28 * stats.particle_count);
}

// ---- independence of the scene and of the caller's floating-point mode ----

LOOP_TEST(a_world_outlives_its_scene_and_does_not_see_its_changes, 0, 6) {
  weft_scene* scene = new_scene_case(4 * _i + 3);
  const weft_world_def def = weft_plain_world_def();
  weft_world* kept = new_world(&def, scene);
  weft_world* changed = new_world(&def, scene);
  weft_world_step(kept, 3);
  expect_ok(weft_scene_pin(scene, weft_range(0, 1)));
  (void)add_sheet(scene, 5, 5, ALL_FAMILIES);
  weft_world_step(changed, 3);
  ck_assert_uint_eq(weft_world_hash(kept), weft_world_hash(changed));
}
