/* Cloth stays clear of cloth: the lists of pairs, momentum, room, and the same bits. */
#include <malloc.h>
#include <math.h>

#include "support/cloths.h"
#include "support/isas.h"

// ---- lists, against all pairs ----

// a cloud of particles, some joined by links, of two kinds of cloth that may not meet each other
typedef struct cloud {
  weft_world* world;
  uint32_t count;
  float* radius;
  uint32_t* category;
  uint32_t* mask;
  float* ways;  // the shortest along links [count x count]
} cloud;

static void add_links(weft_scene* scene, random_source* random, uint32_t count, float* ways) {
  for (uint32_t k = 0; k < count; ++k) {
    const weft_link link = {.a = random_below(random, count),
                            .b = random_below(random, count),
                            .rest_length = random_float(random, 0.01f, 0.2f),
                            .stiffness = 1.0f};
    if (link.a == link.b || ways[link.a * count + link.b] < INFINITY) continue;
    expect_ok(weft_scene_add_links(scene, &link, 1, NULL));
    ways[link.a * count + link.b] = ways[link.b * count + link.a] = link.rest_length;
  }
}

// Floyd and Warshall 1962
static void close_ways(float* ways, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) {
    for (uint32_t i = 0; i < count; ++i) {
      for (uint32_t j = 0; j < count; ++j) {
        const float way = ways[i * count + k] + ways[k * count + j];
        if (way < ways[i * count + j]) ways[i * count + j] = way;
      }
    }
  }
}

static cloud new_cloud(random_source* random, uint32_t count, float size) {
  cloud c = {.count = count,
             .radius = malloc(count * sizeof(float)),
             .category = malloc(count * sizeof(uint32_t)),
             .mask = malloc(count * sizeof(uint32_t)),
             .ways = malloc((size_t)count * count * sizeof(float))};
  weft_scene* scene = new_scene();
  (void)add_cloud(scene, random, count, size);
  for (uint32_t i = 0; i < count * count; ++i) c.ways[i] = INFINITY;
  add_links(scene, random, count, c.ways);
  close_ways(c.ways, count);
  weft_world_def def = free_flight(1 + random_below(random, 3));
  def.iterations = 0;
  c.world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  for (uint32_t i = 0; i < count; ++i) {
    weft_contact contact = cloth_contact(random_chance(random, 2) ? 0.05f : 0.02f);
    contact.category = c.category[i] = 1u << random_below(random, 2);
    contact.mask = c.mask[i] = 1 + random_below(random, 3);
    c.radius[i] = random_chance(random, 10) ? 0.0f : contact.half_size[0];
    if (c.radius[i] > 0.0f) expect_ok(weft_world_set_contact(c.world, i, 1, &contact));
  }
  return c;
}

static void free_cloud(cloud* c) {
  weft_world_destroy(&c->world);
  free(c->radius);
  free(c->category);
  free(c->mask);
  free(c->ways);
}

static bool belongs_in_list(const cloud* c, const float* built, uint32_t a, uint32_t b, float skin,
                            bool* is_close_call) {
  const double reach = (double)c->radius[a] + (double)c->radius[b];
  const double gap = distance_between(built, a, b) - reach - (double)skin;
  const double beyond = (double)c->ways[a * c->count + b] - 1.5 * reach;
  *is_close_call = fabs(gap) < 1e-5 || fabs(beyond) < 1e-5;
  if (c->radius[a] == 0.0f || c->radius[b] == 0.0f) return false;
  if ((c->category[a] & c->mask[b]) == 0 || (c->category[b] & c->mask[a]) == 0) return false;
  return gap < 0.0 && beyond > 0.0;
}

// where particles were when lists were made, by the caller's numbers
static float* new_built(const weft_world* world, uint32_t count) {
  const weft__cloth* cloth = cloth_of(world);
  const uint32_t* solver_of = world->stepper.schedule.solver_of;
  float* built = malloc(sizeof(float[3]) * count);
  for (uint32_t i = 0; i < count; ++i) {
    built[3 * i] = cloth->tiles.built[0][cloth->place_of[solver_of[i]]];
    built[3 * i + 1] = cloth->tiles.built[1][cloth->place_of[solver_of[i]]];
    built[3 * i + 2] = cloth->tiles.built[2][cloth->place_of[solver_of[i]]];
  }
  return built;
}

START_TEST(lists_hold_the_pairs_that_are_near_and_no_others) {
  random_source random = {(uint64_t)_i};
  cloud c = new_cloud(&random, random_from(&random, 2, 250), random_float(&random, 0.2f, 1.5f));
  weft_world_step(c.world, 1);
  const weft__cloth* cloth = cloth_of(c.world);
  const uint32_t* solver_of = c.world->stepper.schedule.solver_of;
  float* built = new_built(c.world, c.count);
  uint32_t pairs = 0;
  for (uint32_t a = 0; a < c.count && cloth->on; ++a) {
    for (uint32_t b = 0; b < c.count; ++b) {
      if (a == b) continue;
      bool is_close_call = false;
      const bool expected = belongs_in_list(&c, built, a, b, cloth->skin, &is_close_call);
      const bool is_listed = weft__cloth_lists(cloth, solver_of[a], solver_of[b]);
      if (!is_close_call) require(is_listed == expected);
      require(is_listed == weft__cloth_lists(cloth, solver_of[b], solver_of[a]));
      pairs += is_listed && a < b;
    }
  }
  weft_contact_stats stats;
  expect_ok(weft_world_get_contact_stats(c.world, &stats));
  ck_assert_uint_eq(stats.cloth_pairs, pairs);
  ck_assert_uint_eq(stats.lost_pairs, 0);
  free(built);
  free_cloud(&c);
}
END_TEST

// ---- momentum ----

typedef struct momentum {
  double sum[3];
  double size;  // the sum of all that may cancel
} momentum;

static momentum momentum_of(const weft_world* world, const float* inverse_masses, uint32_t count) {
  momentum m = {{0.0, 0.0, 0.0}, 0.0};
  float* velocities = malloc(sizeof(float[3]) * count);
  expect_ok(weft_world_get_velocities(world, 0, count, velocities));
  for (uint32_t i = 0; i < count; ++i) {
    for (uint32_t axis = 0; axis < 3; ++axis) {
      const double part = (double)velocities[3 * i + axis] / (double)inverse_masses[i];
      m.sum[axis] += part;
      m.size += fabs(part);
    }
  }
  free(velocities);
  return m;
}

// free particles of any mass, all on their way to the middle; every tenth is a body
static weft_world* new_blob(random_source* random, uint32_t count, float* inverse_masses,
                            uint32_t worker_count) {
  float* positions = malloc(sizeof(float[3]) * count);
  for (uint32_t i = 0; i < 3 * count; ++i) positions[i] = random_float(random, -0.3f, 0.3f);
  for (uint32_t i = 0; i < count; ++i) inverse_masses[i] = random_float(random, 0.5f, 20.0f);
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, count, NULL));
  const weft_world_def def = free_flight(worker_count);
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  for (uint32_t i = 0; i < count; ++i) {
    weft_contact contact = cloth_contact(random_float(random, 0.01f, 0.04f));
    contact.static_friction = contact.dynamic_friction = random_float(random, 0.0f, 1.0f);
    if (i % 10 == 0) {
      // bodies meet cloth alone: what bodies do to each other is not asked here
      contact.shape = (weft_contact_shape)(WEFT_CONTACT_SPHERE + random_below(random, 3));
      for (int axis = 0; axis < 3; ++axis)
        contact.half_size[axis] = random_float(random, 0.02f, 0.1f);
      contact.category = 2;
      contact.mask = 1;
    }
    expect_ok(weft_world_set_contact(world, i, 1, &contact));
    float velocity[3];
    for (int axis = 0; axis < 3; ++axis) {
      velocity[axis] =
          -2.0f * positions[3 * i + (uint32_t)axis] + random_float(random, -0.3f, 0.3f);
    }
    expect_ok(weft_world_set_particle(world, i, positions + 3 * i, velocity));
  }
  free(positions);
  return world;
}

START_TEST(momentum_stays_in_free_flight) {
  random_source random = {(uint64_t)_i + 100};
  const uint32_t count = 600;
  float* inverse_masses = malloc(sizeof(float) * count);
  weft_world* world = new_blob(&random, count, inverse_masses, 2);
  const momentum before = momentum_of(world, inverse_masses, count);
  for (int step = 0; step < 30; ++step) weft_world_step(world, 1);
  const momentum after = momentum_of(world, inverse_masses, count);
  weft_contact_stats stats;
  expect_ok(weft_world_get_contact_stats(world, &stats));
  ck_assert_uint_gt(stats.cloth_pairs, 100);
  for (int axis = 0; axis < 3; ++axis) {
    ck_assert_double_eq_tol(after.sum[axis], before.sum[axis], 2e-5 * before.size);
  }
  weft_world_destroy(&world);
  free(inverse_masses);
}
END_TEST

static double energy_of(const weft_world* world, const float* inverse_masses, uint32_t count) {
  double energy = 0.0;
  float* velocities = malloc(sizeof(float[3]) * count);
  expect_ok(weft_world_get_velocities(world, 0, count, velocities));
  for (uint32_t i = 0; i < 3 * count; ++i) {
    energy += 0.5 * (double)velocities[i] * (double)velocities[i] / (double)inverse_masses[i / 3];
  }
  free(velocities);
  return energy;
}

START_TEST(contacts_add_no_energy) {
  random_source random = {(uint64_t)_i + 200};
  const uint32_t count = 600;
  float* inverse_masses = malloc(sizeof(float) * count);
  weft_world* world = new_blob(&random, count, inverse_masses, 1);
  double before = energy_of(world, inverse_masses, count);
  for (int step = 0; step < 30; ++step) {
    weft_world_step(world, 1);
    const double after = energy_of(world, inverse_masses, count);
    ck_assert_double_le(after, before * 1.0001);
    before = after;
  }
  weft_world_destroy(&world);
  free(inverse_masses);
}
END_TEST

START_TEST(cloth_that_starts_within_itself_parts_without_bursting) {
  random_source random = {(uint64_t)_i + 300};
  const uint32_t count = 100;
  weft_scene* scene = new_scene();
  float* positions = malloc(sizeof(float[3]) * count);
  float* inverse_masses = malloc(sizeof(float) * count);
  for (uint32_t i = 0; i < count; ++i) inverse_masses[i] = 1.0f;
  // some in the very same place
  for (uint32_t i = 0; i < 3 * count; ++i) positions[i] = 0.01f * (float)random_below(&random, 2);
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, count, NULL));
  const weft_world_def def = free_flight(1);
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  make_cloth(world, 0, count, 0.02f, 0.0f);
  for (int step = 0; step < 1000; step += 10) {
    weft_world_step(world, 10);
    ck_assert_double_le(energy_of(world, inverse_masses, count), 1e-6);
  }
  expect_ok(weft_world_get_positions(world, 0, count, positions));
  for (uint32_t a = 0; a < count; ++a) {
    for (uint32_t b = 0; b < a; ++b) require(distance_between(positions, a, b) >= 0.036);
  }
  weft_world_destroy(&world);
  free(positions);
  free(inverse_masses);
}
END_TEST

// ---- lists that stay ----

START_TEST(what_falls_as_one_makes_no_new_lists) {
  weft_scene* scene = new_scene();
  const placed_sheet sheet = {20, 20, {0.0f, 0.0f, 0.0f}, SPACING};
  const weft_body body = add_flat(scene, &sheet);
  weft_world_def def = weft_default_world_def();
  def.damping = 0.0f;
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  lay_out(world, &body, &sheet, 1.0f, 0.0f);
  make_cloth(world, 0, body.particle_count, 0.0225f, 0.0f);
  weft_world_step(world, 1);
  const float built = cloth_of(world)->tiles.built[1][0];
  weft_world_step(world, 60);
  ck_assert_float_eq(cloth_of(world)->tiles.built[1][0], built);
  ck_assert_float_lt(world->stepper.particles.pos_y[0], built - 4.0f);
  weft_world_destroy(&world);
}
END_TEST

// ---- room ----

START_TEST(any_number_in_one_place_takes_its_time_and_no_more) {
  const uint32_t count = ROUNDS(20000, 3000);
  float* positions = calloc(3 * count, sizeof(float));
  float* inverse_masses = malloc(sizeof(float) * count);
  for (uint32_t i = 0; i < count; ++i) inverse_masses[i] = 1.0f;
  // and some where no number is
  positions[3] = 1e8f;
  positions[7] = -1e8f;
  weft_scene* scene = new_scene();
  expect_ok(weft_scene_add_particles(scene, positions, inverse_masses, count, NULL));
  const weft_world_def def = free_flight(2);
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  make_cloth(world, 0, count, 0.01f, 0.1f);
  weft_world_step(world, 2);
  weft_contact_stats stats;
  expect_ok(weft_world_get_contact_stats(world, &stats));
  ck_assert_uint_gt(stats.lost_pairs, count);
  weft_world_destroy(&world);
  free(positions);
  free(inverse_masses);
}
END_TEST

#ifndef WEFT_TEST_SANITIZED
START_TEST(nothing_is_allocated_while_stepping) {
  random_source random = {9};
  float inverse_masses[500];
  weft_world* world = new_blob(&random, 500, inverse_masses, 1);
  weft_world_step(world, 1);
  const struct mallinfo2 before = mallinfo2();
  weft_world_step(world, 20);
  const struct mallinfo2 after = mallinfo2();
  ck_assert_uint_eq(after.uordblks, before.uordblks);
  ck_assert_uint_eq(after.hblkhd, before.hblkhd);
  weft_world_destroy(&world);
}
END_TEST
#endif

// ---- the same bits ----

// Folds fall on folds, on bodies and on the floor. There is enough to do for seven workers.
static uint64_t hash_of_heap(weft_isa isa, uint32_t worker_count, uint32_t max_pairs,
                             uint64_t* lost) {
  enum { HEAP = 120, TURN = HEAP / 2 };
  weft_scene* scene = new_scene();
  const placed_sheet sheet = {HEAP, HEAP, {0.0f, 0.0f, 0.0f}, SPACING};
  const weft_body body = add_flat(scene, &sheet);
  const float at[6] = {1.0f, 0.1f, 1.0f, 0.5f, 0.2f, 1.5f};
  const float inverse_masses[2] = {0.0f, 0.5f};
  expect_ok(weft_scene_add_particles(scene, at, inverse_masses, 2, NULL));
  weft_world_def def = weft_default_world_def();
  def.isa = isa;
  def.worker_count = worker_count;
  def.substeps = 2;
  weft_world* world = new_world(&def, scene);
  weft_scene_destroy(&scene);
  for (uint32_t i = 0; i < body.particle_count; ++i) {
    const uint32_t row = i / HEAP;
    const uint32_t along = row % TURN;
    const float position[3] = {SPACING * (float)(i % HEAP), 0.3f + 0.06f * (float)(row / TURN),
                               SPACING * (float)(row < TURN ? along : TURN - 1 - along)};
    expect_ok(weft_world_set_particle(world, i, position, NULL));
  }
  add_floor(world, 0.4f);
  make_cloth(world, 0, body.particle_count, 0.0225f, 0.3f);
  weft_contact contact = weft_default_contact();
  contact.shape = WEFT_CONTACT_SPHERE;
  contact.half_size[0] = 0.2f;
  expect_ok(weft_world_set_contact(world, body.particle_count, 1, &contact));
  contact.shape = WEFT_CONTACT_BOX;
  contact.half_size[1] = contact.half_size[2] = 0.1f;
  expect_ok(weft_world_set_contact(world, body.particle_count + 1, 1, &contact));
  weft_contact_limits limits = weft_default_contact_limits();
  limits.max_pairs = max_pairs;
  expect_ok(weft_world_set_contact_limits(world, &limits));
  ck_assert_uint_eq(weft__worker_pool_count(world->stepper.pool), worker_count);
  weft_world_step(world, 20);
  const uint64_t hash = weft_world_hash(world);
  weft_contact_stats stats;
  expect_ok(weft_world_get_contact_stats(world, &stats));
  ck_assert_uint_gt(stats.cloth_pairs, max_pairs == 0 ? 5000 : max_pairs / 2);
  if (max_pairs > 0) ck_assert_uint_le(stats.cloth_pairs, max_pairs);
  *lost = stats.lost_pairs;
  weft_world_destroy(&world);
  return hash;
}

START_TEST(any_isa_and_any_number_of_workers_give_the_same_bits) {
  uint64_t lost = 0;
  const uint64_t expected = hash_of_heap(WEFT_ISA_SCALAR, 1, 0, &lost);
  ck_assert_uint_eq(lost, 0);
  const uint32_t workers[] = {2, 3, 7};
  for (int k = 0; k < 3; k += ROUNDS(1, 2)) {
    ck_assert_uint_eq(hash_of_heap(WEFT_ISA_AUTO, workers[k], 0, &lost), expected);
  }
  for (int isa = next_isa(WEFT_ISA_SCALAR); isa < ISA_END; isa = next_isa(isa)) {
    ck_assert_uint_eq(hash_of_heap((weft_isa)isa, 1, 0, &lost), expected);
  }
}
END_TEST

START_TEST(what_finds_no_room_is_counted_whatever_the_workers) {
  uint64_t expected_lost = 0;
  const uint64_t expected = hash_of_heap(WEFT_ISA_AUTO, 1, 3000, &expected_lost);
  ck_assert_uint_gt(expected_lost, 1000);
  for (uint32_t workers = 2; workers <= 7; workers += 5) {
    uint64_t lost = 0;
    ck_assert_uint_eq(hash_of_heap(WEFT_ISA_AUTO, workers, 3000, &lost), expected);
    ck_assert_uint_eq(lost, expected_lost);
  }
}
END_TEST

int main(void) {
  test_suite suite = new_suite("cloth_contact");
  tcase_add_loop_test(suite.tests, lists_hold_the_pairs_that_are_near_and_no_others, 0,
                      ROUNDS(40, 10));
  tcase_add_loop_test(suite.tests, momentum_stays_in_free_flight, 0, ROUNDS(8, 3));
  tcase_add_loop_test(suite.tests, contacts_add_no_energy, 0, ROUNDS(8, 3));
  tcase_add_loop_test(suite.tests, cloth_that_starts_within_itself_parts_without_bursting, 0, 3);
  tcase_add_test(suite.tests, what_falls_as_one_makes_no_new_lists);
  tcase_add_test(suite.tests, what_finds_no_room_is_counted_whatever_the_workers);
  tcase_add_test(suite.tests, any_number_in_one_place_takes_its_time_and_no_more);
#ifndef WEFT_TEST_SANITIZED
  tcase_add_test(suite.tests, nothing_is_allocated_while_stepping);
#endif
  tcase_add_test(suite.tests, any_isa_and_any_number_of_workers_give_the_same_bits);
  return run_suite(suite);
}
