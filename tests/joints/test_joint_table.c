/* Table of joints: numbers, colours and order as joints are added and removed. */
#include "support/test.h"
#include "tables/joints.h"

enum { CAPACITY = 60 };

static weft__joint draw_joint(random_source* random, uint32_t particles) {
  weft__joint joint = {.end_count = random_from(random, 2, WEFT__JOINT_ENDS)};
  for (uint32_t e = 0; e < joint.end_count; ++e) {
    bool again = true;
    while (again) {
      joint.particle[e] = random_below(random, particles);
      again = false;
      for (uint32_t before = 0; before < e; ++before) {
        again = again || joint.particle[before] == joint.particle[e];
      }
    }
  }
  return joint;
}

static bool share_a_particle(const weft__joint* left, const weft__joint* right) {
  for (uint32_t i = 0; i < left->end_count; ++i) {
    for (uint32_t j = 0; j < right->end_count; ++j) {
      if (left->particle[i] == right->particle[j]) return true;
    }
  }
  return false;
}

// lowest colour not used by another joint at the same particles
static bool has_joint(const weft__joints* joints, uint32_t index) {
  return index < joints->end && joints->joints[index].state != WEFT__JOINT_FREE;
}

static uint32_t lowest_color(const weft__joints* joints, const weft__joint* joint) {
  for (uint32_t color = 0;; ++color) {
    bool taken = false;
    for (uint32_t i = 0; i < joints->end; ++i) {
      taken = taken || (has_joint(joints, i) && joints->joints[i].color == color &&
                        share_a_particle(&joints->joints[i], joint));
    }
    if (!taken) return color;
  }
}

static void check_colors(const weft__joints* joints) {
  for (uint32_t i = 0; i < joints->end; ++i) {
    for (uint32_t j = i + 1; j < joints->end; ++j) {
      const weft__joint* left = &joints->joints[i];
      const weft__joint* right = &joints->joints[j];
      if (!has_joint(joints, i) || !has_joint(joints, j)) continue;
      require(left->color != right->color || !share_a_particle(left, right));
    }
  }
}

// expects each joint once, ordered by colour and then by number
static void check_order(weft__joints* joints, const bool* expected) {
  weft__joints_sort(joints);
  uint32_t listed = 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < CAPACITY; ++i) {
    require(has_joint(joints, i) == expected[i]);
    count += expected[i];
  }
  require(joints->count == count && joints->color_first[0] == 0);
  for (uint32_t c = 0; c < joints->color_count; ++c) {
    for (uint32_t i = joints->color_first[c]; i < joints->color_first[c + 1]; ++i) {
      require(has_joint(joints, joints->order[i]));
      require(joints->joints[joints->order[i]].color == c);
      require(i == joints->color_first[c] || joints->order[i - 1] < joints->order[i]);
      ++listed;
    }
  }
  require(listed == count && joints->color_first[joints->color_count] == count);
}

RANDOM_TEST(joints_of_one_color_never_share_a_particle_whatever_comes_and_goes, ROUNDS(40, 8)) {
  const uint32_t particles = random_from(&random, WEFT__JOINT_ENDS, 200);
  weft__joints joints;
  ck_assert(weft__joints_create(&joints, CAPACITY));
  bool expected[CAPACITY] = {false};
  for (int round = 0; round < 400; ++round) {
    const bool more = random_below(&random, 100) < (round / 100 % 2 == 0 ? 70u : 30u);
    if (more && joints.count < CAPACITY) {
      const weft__joint joint = draw_joint(&random, particles);
      const uint32_t color = lowest_color(&joints, &joint);
      const uint32_t number = weft__joints_add(&joints, &joint).index;
      require(number < CAPACITY && !expected[number]);
      require(joints.joints[number].color == color);
      expected[number] = true;
    } else if (joints.count > 0) {
      uint32_t number = random_below(&random, CAPACITY);
      while (!expected[number]) number = (number + 1) % CAPACITY;
      weft__joints_remove(&joints, number);
      expected[number] = false;
    }
    if (round % 20 == 0) check_colors(&joints);
    if (random_chance(&random, 5)) check_order(&joints, expected);
  }
  require(weft__joints_count_whole(&joints) == joints.count);
  weft__joints_destroy(&joints);
}

TEST(numbers_count_up_and_the_last_one_given_up_comes_next) {
  weft__joints joints;
  ck_assert(weft__joints_create(&joints, 5));
  random_source random = {1};
  const weft__joint joint = draw_joint(&random, 9);
  for (uint32_t i = 0; i < 5; ++i) ck_assert_uint_eq(weft__joints_add(&joints, &joint).index, i);
  weft__joints_remove(&joints, 1);
  weft__joints_remove(&joints, 3);
  ck_assert(!has_joint(&joints, 1) && has_joint(&joints, 4) && !has_joint(&joints, 5));
  ck_assert_uint_eq(weft__joints_add(&joints, &joint).index, 3);
  ck_assert_uint_eq(weft__joints_add(&joints, &joint).index, 1);
  weft__joints_destroy(&joints);
}

TEST(a_generation_wraps_past_that_of_null_handles) {
  weft__joints joints;
  ck_assert(weft__joints_create(&joints, 1));
  random_source random = {1};
  const weft__joint joint = draw_joint(&random, 9);
  // after 2^31 - 1 joints of the slot
  joints.joints[0].generation = UINT32_MAX - 1;
  const weft_joint last = weft__joints_add(&joints, &joint);
  ck_assert_uint_eq(last.generation, UINT32_MAX);
  ck_assert_ptr_eq(weft__joints_find(&joints, last), &joints.joints[0]);
  weft__joints_remove(&joints, 0);
  ck_assert_ptr_null(weft__joints_find(&joints, last));
  ck_assert_ptr_null(weft__joints_find(&joints, (weft_joint){0, 0}));
  ck_assert_uint_eq(weft__joints_add(&joints, &joint).generation, 1);
  ck_assert_ptr_null(weft__joints_find(&joints, (weft_joint){0, 0}));
  weft__joints_destroy(&joints);
}

TEST(a_table_without_room_is_one) {
  weft__joints joints;
  ck_assert(weft__joints_create(&joints, 0));
  weft__joints_sort(&joints);
  ck_assert_uint_eq(joints.color_count, 0);
  ck_assert_uint_eq(weft__joints_count_whole(&joints), 0);
  ck_assert_ptr_null(weft__joints_find(&joints, (weft_joint){0, 1}));
  weft__joints_destroy(&joints);
}
