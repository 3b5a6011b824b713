/* Cloth stays clear of cloth: capacity and penetration. */
#include <malloc.h>

#include "support/cloths.h"
#include "support/test.h"

// ---- momentum ----

static double energy_of(const weft_world* world, const float* inverse_masses, uint32_t count) {
  double energy = 0.0;
  float* velocities = test_alloc(sizeof(float[3]) * count);
  expect_get(world, WEFT_ATTRIBUTE_VELOCITY, 0, count, velocities);
  for (uint32_t i = 0; i < 3 * count; ++i) {
    energy += 0.5 * (double)velocities[i] * (double)velocities[i] / (double)inverse_masses[i / 3];
  }
  return energy;
}

LOOP_TEST(cloth_that_starts_within_itself_parts_without_bursting, 0, 3) {
  random_source random = {(uint64_t)_i + 300};
  const uint32_t count = 100;
  weft_scene* scene = new_scene();
  float* positions = test_alloc(sizeof(float[3]) * count);
  float* inverse_masses = test_alloc(sizeof(float) * count);
  for (uint32_t i = 0; i < count; ++i) inverse_masses[i] = 1.0f;
  // many coincide: there are eight positions
  for (uint32_t i = 0; i < 3 * count; ++i) positions[i] = 0.01f * (float)random_below(&random, 2);
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, count, NULL));
  const weft_world_def def = free_flight(1);
  weft_world* world = new_world(&def, scene);
  make_cloth(world, 0, count, 0.02f, 0.0f);
  for (int step = 0; step < 1000; step += 10) {
    weft_world_step(world, 10);
    ck_assert_double_le(energy_of(world, inverse_masses, count), 1.0);
  }
  expect_get(world, WEFT_ATTRIBUTE_POSITION, 0, count, positions);
  for (uint32_t a = 0; a < count; ++a) {
    for (uint32_t b = 0; b < a; ++b) require(distance_between(positions, a, b) >= 0.036);
  }
}

// ---- capacity ----

TEST(any_number_in_one_place_takes_its_time_and_no_more) {
  const uint32_t count = ROUNDS(20000, 3000);
  float* positions = test_alloc((3 * count) * sizeof(float));
  float* inverse_masses = test_alloc(sizeof(float) * count);
  for (uint32_t i = 0; i < count; ++i) inverse_masses[i] = 1.0f;
  // two particles are 1e8 m away
  positions[3] = 1e8f;
  positions[7] = -1e8f;
  const weft_world_def def = free_flight(2);
  weft_world* world = new_world(&def, new_points_scene(positions, inverse_masses, count));
  make_cloth(world, 0, count, 0.01f, 0.1f);
  weft_world_step(world, 2);
  const weft_contact_stats stats = contact_stats_of(world);
  ck_assert_uint_gt(stats.lost_pairs, count);
}

#ifndef WEFT_TEST_SANITIZED
#endif

// ---- the same bits ----

// Folds fall on folds, on particle shapes and on the floor: enough work for seven workers.
static uint64_t hash_of_heap(weft_isa isa, uint32_t worker_count, uint32_t max_pairs,
                             uint64_t* lost) {
  enum { HEAP = 96, TURN = HEAP / 2 };
  weft_scene* scene = new_scene();
  const placed_sheet sheet = {HEAP, HEAP, {0.0f, 0.0f, 0.0f}, SPACING};
  const weft_body body = add_flat(scene, &sheet);
  const float at[6] = {1.0f, 0.1f, 1.0f, 0.5f, 0.2f, 1.5f};
  const float inverse_masses[2] = {0.0f, 0.5f};
  expect_ok(weft_scene_add_particles(scene, at, inverse_masses, 2, NULL));
  weft_world* world =
      new_plain_world(scene, .isa = isa, .worker_count = worker_count, .substeps = 2);
  for (uint32_t i = 0; i < body.particle_count; ++i) {
    const uint32_t row = i / HEAP;
    const uint32_t along = row % TURN;
    const float position[3] = {SPACING * (float)(i % HEAP), 0.3f + 0.06f * (float)(row / TURN),
                               SPACING * (float)(row < TURN ? along : TURN - 1 - along)};
    place_particle(world, i, position, NULL);
  }
  add_floor(world, 0.4f);
  make_cloth(world, 0, body.particle_count, 0.0225f, 0.3f);
  weft_particle_shape_def contact = shape_def(.shape = WEFT_PARTICLE_SHAPE_SPHERE, .radius = 0.2f);
  expect_ok(weft_world_set_particle_shape(world, weft_range(body.particle_count, 1), &contact));
  contact.shape = WEFT_PARTICLE_SHAPE_BOX;
  contact.half_size[1] = contact.half_size[2] = 0.1f;
  expect_ok(weft_world_set_particle_shape(world, weft_range(body.particle_count + 1, 1), &contact));
  weft_contact_limits_def limits = weft_default_contact_limits_def();
  limits.max_pairs = max_pairs;
  expect_ok(weft_world_set_contact_limits(world, &limits));
  ck_assert_uint_eq(weft__worker_pool_count(world->stepper.pool), worker_count);
  weft_world_step(world, 20);
  const uint64_t hash = weft_world_hash(world);
  const weft_contact_stats stats = contact_stats_of(world);
  ck_assert_uint_gt(stats.self_pairs, max_pairs == 0 ? 5000 : max_pairs / 2);
  if (max_pairs > 0) ck_assert_uint_le(stats.self_pairs, max_pairs);
  *lost = stats.lost_pairs;
  return hash;
}

TEST(what_finds_no_room_is_counted_whatever_the_workers) {
  uint64_t expected_lost = 0;
  const uint64_t expected = hash_of_heap(WEFT_ISA_AUTO, 1, 3000, &expected_lost);
  ck_assert_uint_gt(expected_lost, 1000);
  for (uint32_t workers = 2; workers <= 5; workers += 3) {
    uint64_t lost = 0;
    ck_assert_uint_eq(hash_of_heap(WEFT_ISA_AUTO, workers, 3000, &lost), expected);
    ck_assert_uint_eq(lost, expected_lost);
  }
}

// ---- tunnelling within a step ----

TEST(particles_that_have_tunnelled_are_put_back_on_their_own_sides) {
  static const float ways[][3] = {{1.0f, 0.0f, 0.0f},  {0.0f, 1.0f, 0.0f},    {0.0f, 0.0f, 1.0f},
                                  {0.6f, 0.0f, -0.8f}, {-0.6f, 0.64f, 0.48f}, {0.0f, -0.8f, 0.6f}};
  const float radius = 0.05f;
  const float from = 0.08f;  // metres; moves to -0.03 in a step
  for (size_t n = 0; n < sizeof(ways) / sizeof(*ways); ++n) {
    float positions[6];
    float velocities[6];
    for (int k = 0; k < 6; ++k) {
      const float way = k < 3 ? ways[n][k] : -ways[n][k - 3];
      positions[k] = from * way;
      velocities[k] = -60.0f * (from + 0.03f) * way;
    }
    const weft_world_def def = free_flight(1);
    weft_world* world = new_particles(&def, positions, (const float[]){1.0f, 1.0f}, 2);
    make_cloth(world, 0, 2, radius, 0.0f);
    for (uint32_t i = 0; i < 2; ++i) {
      place_particle(world, i, positions + 3 * i, velocities + 3 * i);
    }
    weft_world_step(world, 1);
    float* after = new_positions(world);
    double along = 0.0;
    for (int k = 0; k < 3; ++k) along += (double)(ways[n][k] * (after[k] - after[3 + k]));
    ck_assert_double_eq_tol(along, (double)(2.0f * radius), 1e-6);
    ck_assert_double_eq_tol(distance_between(after, 0, 1), along, 1e-6);
  }
}
