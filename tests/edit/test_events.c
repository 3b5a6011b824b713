/* Torn links, taken out in the order of their tears. */
#include "support/test.h"

enum { SIDE = 24 };

// sheet that tears under its own weight, a little more in each step; returns world and scene
static weft_world* new_tearing_world(uint32_t max_events, uint32_t workers, weft_isa isa,
                                     weft_scene** scene) {
  *scene = new_scene();
  (void)add_cloth(*scene, .side = SIDE, .tear_ratio = 1.03f);
  for (uint32_t i = 0; i < SIDE; i += 5) expect_ok(weft_scene_pin(*scene, weft_range(i, 1)));
  weft_world_def def =
      plain_def(.iterations = 3, .substeps = 2, .worker_count = workers, .isa = isa);
  def.max_events = max_events;
  return new_world(&def, *scene);
}

static void read_torn(const weft_world* world, bool* torn, uint32_t count) {
  expect_get(world, WEFT_ATTRIBUTE_LINK_TORN, 0, count, torn);
}

static uint32_t take(weft_world* world, uint32_t capacity, uint32_t* links) {
  uint32_t count = UINT32_MAX;
  expect_ok(weft_world_take_torn(world, capacity, links, &count));
  require(count <= capacity);
  return count;
}

// appends the links torn since `before`, in ascending order
static uint32_t list_new(const weft_world* world, bool* before, uint32_t count, uint32_t* list) {
  uint32_t listed = 0;
  bool* now = test_alloc(count);
  read_torn(world, now, count);
  for (uint32_t i = 0; i < count; ++i) {
    if (now[i] && !before[i]) list[listed++] = i;
  }
  memcpy(before, now, count);
  return listed;
}

LOOP_TEST(all_that_tore_is_told_step_by_step_and_by_number_within_a_step, 0, ROUNDS(20, 6)) {
  weft_scene* scene = NULL;
  weft_world* world = new_tearing_world(100000, 1 + (uint32_t)_i % 3, WEFT_ISA_AUTO, &scene);
  random_source random = {(uint64_t)_i};
  const uint32_t count = weft_scene_link_count(scene);
  bool* before = test_alloc(count * 1);
  uint32_t* expected = test_alloc(sizeof(uint32_t) * count);
  uint32_t* taken = test_alloc(sizeof(uint32_t) * count);
  uint32_t expected_count = 0, taken_count = 0;
  for (int step = 0; step < 40; ++step) {
    weft_world_step(world, 1);
    expected_count += list_new(world, before, count, expected + expected_count);
    if (random_chance(&random, 3)) {
      const float at[3] = {random_float(&random, 0.0f, 1.2f), random_float(&random, -1.2f, 0.0f),
                           0};
      expect_ok(weft_world_tear_near(world, at, at, 0.1f, NULL));
      expected_count += list_new(world, before, count, expected + expected_count);
    }
    if (random_chance(&random, 4)) {
      expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, random_below(&random, count), 1, &(bool){true},
                 0);
      expected_count += list_new(world, before, count, expected + expected_count);
    }
    // request sizes below and above the number of events, and zero
    const uint32_t wanted = random_below(&random, 60);
    taken_count += take(world, wanted < count - taken_count ? wanted : count - taken_count,
                        taken + taken_count);
  }
  taken_count += take(world, count - taken_count, taken + taken_count);
  ck_assert_uint_gt(expected_count, 100);
  ck_assert_uint_eq(taken_count, expected_count);
  ck_assert_mem_eq(taken, expected, sizeof(uint32_t) * expected_count);
  ck_assert_uint_eq(stats_of(world).torn_count, expected_count);
  ck_assert_uint_eq(stats_of(world).lost_events, 0);
}

TEST(several_steps_in_one_call_are_still_told_apart) {
  uint32_t links[2][4096], count[2] = {0, 0};
  for (int i = 0; i < 2; ++i) {
    weft_scene* scene = NULL;
    weft_world* world = new_tearing_world(4096, 2, WEFT_ISA_AUTO, &scene);
    for (uint32_t step = 0; step < 20; step += i == 0 ? 1 : 20) {
      weft_world_step(world, i == 0 ? 1 : 20);
      count[i] += take(world, 4096 - count[i], links[i] + count[i]);
    }
  }
  ck_assert_uint_gt(count[0], 20);
  ck_assert_uint_eq(count[0], count[1]);
  ck_assert_mem_eq(links[0], links[1], sizeof(uint32_t) * count[0]);
}

LOOP_TEST(what_finds_the_buffer_full_is_counted_and_what_waits_stays, 0, 12) {
  weft_world_def def = weft_plain_world_def();
  def.max_events = (uint32_t)_i;
  weft_world* world = new_world(&def, new_sheet_scene(10, 10, ALL_FAMILIES));
  uint32_t links[16] = {0}, next = 0;
  uint64_t lost = 0;
  uint32_t held = 0, oldest = 0;
  random_source random = {(uint64_t)_i};
  for (int round = 0; round < 60; ++round) {
    for (uint32_t i = random_below(&random, 5); i > 0; --i, ++next) {
      expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, next, 1, &(bool){true}, 0);
      // a full event ring drops the event
      if (held == def.max_events) {
        ++lost;
      } else {
        links[held++] = next;
      }
    }
    uint32_t taken[16];
    const uint32_t wanted = random_below(&random, 5);
    const uint32_t count = take(world, wanted, taken);
    ck_assert_uint_eq(count, wanted < held ? wanted : held);
    if (count > 0) ck_assert_mem_eq(taken, links, sizeof(uint32_t) * count);
    memmove(links, links + count, sizeof(uint32_t) * (held - count));
    held -= count;
    oldest += count;
  }
  ck_assert_uint_eq(stats_of(world).lost_events, lost);
  ck_assert_uint_eq(stats_of(world).torn_count, next);
  ck_assert_uint_eq(oldest + lost + held, next);
}

TEST(what_is_wrong_is_named_and_takes_nothing) {
  weft_world* world = new_world_of(new_sheet_scene(4, 4, STRUCTURAL));
  expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, 2, 1, &(bool){true}, 0);
  uint32_t links[2] = {9, 9}, count = 9;
  expect_null(weft_world_take_torn(NULL, 2, links, &count), "world");
  expect_null(weft_world_take_torn(world, 2, NULL, &count), "links");
  expect_null(weft_world_take_torn(world, 2, links, NULL), "count");
  ck_assert(links[0] == 9 && count == 9);
  expect_ok(weft_world_take_torn(world, 0, NULL, &count));
  ck_assert_uint_eq(count, 0);
  ck_assert_uint_eq(take(world, 2, links), 1);
  ck_assert_uint_eq(links[0], 2);
  ck_assert_uint_eq(take(world, 2, links), 0);
}

TEST(switching_off_is_no_event) {
  weft_world* world = new_world_of(new_sheet_scene(4, 4, STRUCTURAL));
  expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, 1, 1, &(bool){false}, 0);
  uint32_t link = 0;
  ck_assert_uint_eq(take(world, 1, &link), 0);
  expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, 1, 1, &(bool){true}, 0);
  expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, 1, 1, &(bool){true}, 0);
  ck_assert_uint_eq(take(world, 1, &link), 1);
  ck_assert_uint_eq(link, 1);
  ck_assert_uint_eq(take(world, 1, &link), 0);
}
