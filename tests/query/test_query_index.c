/* Index of queries: results are the same bits with and without it, for any motion since its build,
 * any worker count and any ISA. */
#include "modules/query/index.h"

#include <pthread.h>

#include "support/ask.h"
#include "support/query_oracle.h"
#include "support/questions.h"
#include "support/test.h"
#include "world/world.h"

static const weft__query_index* index_of(const weft_world* world) {
  return world->stepper.stages.of[WEFT__STAGE_INDEX];
}

// runs `count` queries of all kinds on both worlds, which must give the same results
static void compare(const weft_world* one, const weft_world* other, uint64_t seed, int count) {
  random_source random = {seed};
  for (int i = 0; i < count; ++i) {
    const question q = random_question(&random, (question_kind)(i % 7));
    answers a;
    answers b;
    ask(one, &q, &a);
    ask(other, &q, &b);
    require(same_answers(&a, &b));
  }
}

LOOP_TEST(an_index_changes_no_bit_of_an_answer, 0, ROUNDS(24, 8)) {
  query_scene plain = new_query_scene((uint64_t)_i, 1, WEFT_ISA_SCALAR);
  query_scene indexed = new_query_scene((uint64_t)_i, 1, WEFT_ISA_AUTO);
  expect_ok(weft_world_build_index(indexed.world));
  ck_assert(index_of(indexed.world)->is_built);
  compare(plain.world, indexed.world, (uint64_t)_i, ROUNDS(700, 70));
}

RANDOM_TEST(an_index_that_is_out_of_date_or_made_again_changes_no_bit_either, ROUNDS(24, 8)) {
  query_scene plain = new_query_scene((uint64_t)_i, 1, WEFT_ISA_AUTO);
  query_scene indexed = new_query_scene((uint64_t)_i, 1, WEFT_ISA_AUTO);
  weft_world* worlds[2] = {plain.world, indexed.world};
  expect_ok(weft_world_build_index(indexed.world));
  const uint32_t particles = particle_count_of(plain.world);
  const uint32_t links = weft_scene_link_count(plain.scene);
  for (int round = 0; round < ROUNDS(16, 8); ++round) {
    const uint32_t kind = random_below(&random, 8);
    const uint32_t particle = random_below(&random, particles);
    const uint32_t link = random_below(&random, links + 1);
    const float place[3] = {random_float(&random, -1.0f, 2.0f), random_float(&random, -1.0f, 2.0f),
                            random_float(&random, -1.0f, 2.0f)};
    const weft_body body = {.first_particle = particle, .particle_count = 1};
    weft_particle_shape_def contact = weft_default_particle_shape_def();
    contact.shape = WEFT_PARTICLE_SHAPE_SPHERE;
    contact.half_size[0] = 0.3f;
    for (int w = 0; w < 2; ++w) {
      weft_world* world = worlds[w];
      if (kind == 0) weft_world_step(world, 2);
      if (kind == 1) place_particle(world, particle, place, NULL);
      if (kind == 2) {
        weft_grip grip;
        expect_ok(weft_world_add_grip(world, place, 1.0f, &grip));
        expect_ok(weft_world_move_grip(world, grip, plain.colliders[0].position));
        weft_world_step(world, 1);
        expect_ok(weft_world_remove_grip(world, grip));
      }
      if (kind == 3)
        expect_add(world, WEFT_ATTRIBUTE_POSITION, body.first_particle, body.particle_count, place,
                   WEFT_SAME);
      if (kind == 4 && link < links)
        expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, link, 1, &(bool){false}, 0);
      if (kind == 5 && link < links)
        expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, link, 1, &(bool){true}, 0);
      if (kind == 6 && link < links)
        expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, link, 1, &(bool){true}, 0);
      if (kind == 7)
        expect_ok(weft_world_set_particle_shape(world, weft_range(particle, 1), &contact));
    }
    compare(plain.world, indexed.world, (uint64_t)round, 21);
    if (random_chance(&random, 2)) continue;
    expect_ok(weft_world_build_index(indexed.world));
    compare(plain.world, indexed.world, (uint64_t)round, 21);
  }
}

static weft_world* new_large_world(uint32_t workers, weft_isa isa) {
  weft_scene* scene = new_scene();
  (void)add_sheet(scene, ROUNDS(100, 60), ROUNDS(100, 60), ALL_FAMILIES);
  expect_ok(weft_scene_pin(scene, weft_range(0, 1)));
  weft_world_def def = weft_plain_world_def();
  def.worker_count = workers;
  def.isa = isa;
  return new_world(&def, scene);
}

// ---- concurrent queries ----

enum { THREADS = 4, ASKED = ROUNDS(350, 70) };

typedef struct asker {
  const weft_world* world;
  answers* answers;
  pthread_t thread;
} asker;

static void* ask_all(void* context) {
  asker* a = context;
  random_source random = {7};
  for (int i = 0; i < ASKED; ++i) {
    const question q = random_question(&random, (question_kind)(i % 7));
    ask(a->world, &q, &a->answers[i]);
  }
  return NULL;
}

LOOP_TEST(threads_that_ask_at_one_time_get_the_same_answers, 0, 2) {
  query_scene scene = new_query_scene(3, 1, WEFT_ISA_AUTO);
  if (_i == 1) expect_ok(weft_world_build_index(scene.world));
  asker askers[THREADS + 1];
  for (int i = 0; i <= THREADS; ++i) {
    askers[i] = (asker){.world = scene.world, .answers = test_alloc(ASKED * sizeof(answers))};
  }
  for (int i = 0; i < THREADS; ++i) {
    ck_assert_int_eq(pthread_create(&askers[i].thread, NULL, ask_all, &askers[i]), 0);
  }
  for (int i = 0; i < THREADS; ++i) ck_assert_int_eq(pthread_join(askers[i].thread, NULL), 0);
  (void)ask_all(&askers[THREADS]);
  for (int i = 0; i <= THREADS; ++i) {
    require(memcmp(askers[i].answers, askers[THREADS].answers, ASKED * sizeof(answers)) == 0);
  }
}

// ---- invalid positions ----

LOOP_TEST(what_is_nowhere_is_met_by_nothing_and_hangs_nothing, 0, 12) {
  static const float bad[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f};
  random_source random = {(uint64_t)_i};
  query_scene plain = new_query_scene((uint64_t)_i, 1, WEFT_ISA_AUTO);
  query_scene indexed = new_query_scene((uint64_t)_i, 1, WEFT_ISA_AUTO);
  const uint32_t particles = particle_count_of(plain.world);
  if (_i % 2 == 0) expect_ok(weft_world_build_index(indexed.world));
  for (uint32_t i = 0; i < particles; ++i) {
    if (!random_chance(&random, 1 + (uint32_t)_i)) continue;
    const float value = bad[random_below(&random, 5)];
    plain.world->stepper.particles.pos_x[i] = value;
    indexed.world->stepper.particles.pos_x[i] = value;
  }
  indexed.world->changes += 1;
  expect_ok(weft_world_build_index(indexed.world));
  compare(plain.world, indexed.world, (uint64_t)_i, 140);
}

LOOP_TEST(links_and_faces_that_are_gone_are_absent_and_come_back, 0, 2) {
  weft_scene* scene = new_scene();
  weft_sheet_def sheet = weft_default_sheet_def();
  sheet.columns = sheet.rows = 2;
  sheet.spacing = 1.0f;
  expect_ok(weft_scene_add_sheet(scene, &sheet, NULL));
  weft_world_def def = weft_plain_world_def();
  weft_world* world = new_world(&def, scene);
  const uint32_t links = weft_scene_link_count(scene);
  weft_query_def filter = weft_default_query_def();
  filter.particles = filter.colliders = false;
  const float point[3] = {0.0f, 0.0f, 0.0f};
  uint32_t all = 0;
  uint32_t count = 0;
  if (_i == 1) expect_ok(weft_world_build_index(world));
  expect_ok(ask_sphere(world, point, 10.0f, &filter, 0, NULL, &all));
  ck_assert_uint_eq(all, links + 2);
  for (uint32_t link = 0; link < links; ++link) {
    expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, link, 1, &(bool){false}, 0);
    expect_ok(ask_sphere(world, point, 10.0f, &filter, 0, NULL, &count));
    uint32_t faces = 0;
    expect_ok(weft_world_get_faces(world, 0, NULL, &faces));
    ck_assert_uint_eq(count, links - 1 + faces);
    if (_i == 1) expect_ok(weft_world_build_index(world));
    expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, link, 1, &(bool){true}, 0);
    expect_ok(ask_sphere(world, point, 10.0f, &filter, 0, NULL, &count));
    ck_assert_uint_eq(count, all);
    if (_i == 1) expect_ok(weft_world_build_index(world));
    expect_ok(ask_sphere(world, point, 10.0f, &filter, 0, NULL, &count));
    ck_assert_uint_eq(count, all);
  }
}

TEST(an_index_that_has_become_bad_gets_another_form_and_answers_the_same) {
  random_source random = {4};
  weft_scene* scene = new_scene();
  (void)add_cloud(scene, &random, 2000, 2.0f);
  weft_world* indexed = new_world_of(scene);
  random.state = 4;
  scene = new_scene();
  (void)add_cloud(scene, &random, 2000, 2.0f);
  weft_world* plain = new_world_of(scene);
  expect_ok(weft_world_build_index(indexed));
  const double cost = index_of(indexed)->built_cost[WEFT_ELEMENT_PARTICLE];
  for (uint32_t i = 0; i < 2000; ++i) {
    const float place[3] = {random_float(&random, 0.0f, 2.0f), random_float(&random, 0.0f, 2.0f),
                            random_float(&random, 0.0f, 2.0f)};
    place_particle(indexed, i, place, NULL);
    place_particle(plain, i, place, NULL);
  }
  compare(plain, indexed, 1, 70);
  expect_ok(weft_world_build_index(indexed));
  // a refitted tree of the old shape would have boxes as large as the cloud
  ck_assert(index_of(indexed)->built_cost[WEFT_ELEMENT_PARTICLE] != cost);
  ck_assert(index_of(indexed)->built_cost[WEFT_ELEMENT_PARTICLE] < 2.0 * cost);
  compare(plain, indexed, 1, 70);
}

TEST(an_index_is_counted_in_the_worlds_memory_and_a_new_one_takes_none) {
  weft_world_stats before;
  weft_world* world = new_large_world(2, WEFT_ISA_AUTO);
  expect_ok(weft_world_get_stats(world, &before));
  expect_ok(weft_world_build_index(world));
  const weft_world_stats after = stats_of(world);
  ck_assert_uint_gt(after.bytes, before.bytes + before.particle_count * sizeof(float[6]));
  weft_world_step(world, 1);
  expect_ok(weft_world_build_index(world));
  expect_ok(weft_world_get_stats(world, &before));
  ck_assert_uint_eq(after.bytes, before.bytes);
}
