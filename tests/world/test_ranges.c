/* Calls on ranges of particles and links: strides, refused input, all or nothing. */
#include "support/moved.h"
#include "support/test.h"

enum { COLUMNS = 6, ROWS = 5, COUNT = COLUMNS * ROWS };

typedef struct range_call {
  weft_attribute attribute;
  bool is_sum;
  size_t floats;
  float low, high; /* of good numbers */
} range_call;

static const range_call calls[] = {
    {WEFT_ATTRIBUTE_POSITION, false, 3, -1.0f, 1.0f},
    {WEFT_ATTRIBUTE_VELOCITY, false, 3, -5.0f, 5.0f},
    {WEFT_ATTRIBUTE_INVERSE_MASS, false, 1, 100.0f, 2000.0f},
    {WEFT_ATTRIBUTE_TARGET, false, 3, -1.0f, 1.0f},
    {WEFT_ATTRIBUTE_FORCE, true, 3, -0.1f, 0.1f},
    {WEFT_ATTRIBUTE_FORCE, false, 3, -0.1f, 0.1f},
    {WEFT_ATTRIBUTE_POSITION, true, 3, -0.1f, 0.1f},
    {WEFT_ATTRIBUTE_VELOCITY, true, 3, -5.0f, 5.0f},
};

enum { CALL_COUNT = sizeof(calls) / sizeof(*calls) };

static weft_result change(const range_call* call, weft_world* world, uint32_t first, uint32_t count,
                          const float* values, size_t stride) {
  const weft_selection range = weft_range(first, count);
  return call->is_sum ? weft_world_add(world, call->attribute, range, values, stride)
                      : weft_world_set(world, call->attribute, range, values, stride);
}

// A sheet in motion; with pins if the call needs them.
static weft_world* new_moving(const range_call* call, weft_integrator integrator) {
  weft_world* world =
      new_plain_world(new_sheet_scene(COLUMNS, ROWS, ALL_FAMILIES), .integrator = integrator);
  if (call->attribute == WEFT_ATTRIBUTE_TARGET) pin_particles(world, 4, 11);
  weft_world_step(world, 3);
  return world;
}

// same hash, now and after more steps
static void expect_equal(weft_world* a, weft_world* b) {
  ck_assert_uint_eq(weft_world_hash(a), weft_world_hash(b));
  weft_world_step(a, 3);
  weft_world_step(b, 3);
  ck_assert_uint_eq(weft_world_hash(a), weft_world_hash(b));
}

// ---- particles ----

LOOP_TEST(a_stride_reads_the_same_elements_as_a_packed_array_and_as_single_calls, 0, CALL_COUNT) {
  const range_call* call = &calls[_i];
  for (int integrator = 0; integrator <= WEFT_INTEGRATOR_RUNGE_KUTTA_4; ++integrator) {
    random_source random = {(uint64_t)_i + 1};
    float packed[3 * 9], apart[7 * 9];
    for (uint32_t i = 0; i < 63; ++i) apart[i] = NAN;
    for (uint32_t i = 0; i < 9; ++i) {
      for (uint32_t k = 0; k < call->floats; ++k) {
        const float value = random_float(&random, call->low, call->high);
        packed[call->floats * i + k] = apart[7 * i + k] = value;
      }
    }
    weft_world* one[3];
    for (int w = 0; w < 3; ++w) one[w] = new_moving(call, (weft_integrator)integrator);
    expect_ok(change(call, one[0], 5, 9, packed, 0));
    expect_ok(change(call, one[1], 5, 9, apart, sizeof(float[7])));
    for (uint32_t i = 0; i < 9; ++i) expect_ok(change(call, one[2], 5 + i, 1, apart + 7 * i, 0));
    expect_equal(one[0], one[1]);
    weft_world_step(one[2], 3);
    ck_assert_uint_eq(weft_world_hash(one[1]), weft_world_hash(one[2]));
    weft_world_destroy(&one[2]);
  }
}

LOOP_TEST(one_element_may_be_the_same_for_all_particles, 0, CALL_COUNT) {
  const range_call* call = &calls[_i];
  const float value[3] = {call->high, call->low, call->high};
  weft_world* world = new_moving(call, WEFT_INTEGRATOR_POSITION_VERLET);
  weft_world* single = new_moving(call, WEFT_INTEGRATOR_POSITION_VERLET);
  expect_ok(change(call, world, 4, 11, value, WEFT_SAME));
  for (uint32_t i = 4; i < 15; ++i) expect_ok(change(call, single, i, 1, value, sizeof(value)));
  expect_equal(world, single);
}

LOOP_TEST(a_bad_range_array_or_stride_is_refused_and_changes_nothing, 0, CALL_COUNT) {
  const range_call* call = &calls[_i];
  weft_world* world = new_moving(call, WEFT_INTEGRATOR_POSITION_VERLET);
  float values[3 * 4];
  for (int i = 0; i < 12; ++i) values[i] = call->high;
  const size_t packed = call->floats * sizeof(float);
  expect_null(change(call, NULL, 4, 4, values, packed), "world");
  expect_error(change(call, world, 4, 4, NULL, packed), WEFT_ERROR_NULL, "values");
  const uint32_t past[][2] = {{COUNT, 1}, {COUNT - 1, 2}, {UINT32_MAX, 1}, {1, UINT32_MAX}};
  for (int i = 0; i < 4; ++i) {
    expect_past_end(change(call, world, past[i][0], past[i][1], values, packed));
  }
  const size_t strides[] = {1, 3, packed - 4, packed - 1, packed + 1, packed + 2};
  for (size_t i = 0; i < sizeof(strides) / sizeof(*strides); ++i) {
    if (strides[i] == 0) continue;
    expect_error(change(call, world, 4, 4, values, strides[i]), WEFT_ERROR_RANGE, "stride");
  }
  const float bad[] = {NAN, INFINITY, -INFINITY, 1.1e13f, -1.1e13f};
  for (size_t i = 0; i < 5 * 4 * call->floats; ++i) {
    const size_t at = i / 5;
    values[at] = bad[i % 5];
    expect_error_at(change(call, world, 4, 4, values, packed),
                    i % 5 < 3 ? WEFT_ERROR_NOT_FINITE : WEFT_ERROR_RANGE, "values",
                    at / call->floats);
    values[at] = call->high;
  }
  expect_ok(change(call, world, COUNT, 0, NULL, packed));
}

TEST(inverse_masses_out_of_range_are_refused) {
  const float bad[] = {-1e-30f, 1e-45f, 0.99f * WEFT_MIN_INVERSE_MASS,
                       1.01f * WEFT_MAX_INVERSE_MASS};
  weft_world* world = new_moving(&calls[0], WEFT_INTEGRATOR_POSITION_VERLET);
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); ++i) {
    const float values[3] = {0.0f, 1.0f, bad[i]};
    expect_error_at(weft_world_set(world, WEFT_ATTRIBUTE_INVERSE_MASS, weft_range(0, 3), values, 0),
                    WEFT_ERROR_RANGE, "values", 2);
  }
}

TEST(targets_of_a_range_with_a_free_particle_are_refused_as_a_whole) {
  const range_call* call = &calls[3];
  const float target[3] = {0.5f, 0.0f, 0.0f};
  weft_world* world = new_moving(call, WEFT_INTEGRATOR_POSITION_VERLET);
  expect_error_at(
      weft_world_set(world, WEFT_ATTRIBUTE_TARGET, weft_range(4, 12), target, WEFT_SAME),
      WEFT_ERROR_RANGE, "selection.first", 11);
}

LOOP_TEST(setting_positions_keeps_velocities_and_setting_velocities_keeps_positions, 0, 5) {
  weft_world* world = new_moving(&calls[0], (weft_integrator)_i);
  const float place[3] = {0.3f, -0.2f, 0.7f}, speed[3] = {1.0f, 2.0f, -3.0f};
  float position[3], before[3], velocity[3];
  get_one(world, 7, position, before);
  expect_set(world, WEFT_ATTRIBUTE_POSITION, 7, 1, place, 0);
  get_one(world, 7, position, velocity);
  for (int axis = 0; axis < 3; ++axis) {
    ck_assert_float_eq(position[axis], place[axis]);
    ck_assert_float_eq_tol(velocity[axis], before[axis], 1e-4f);
  }
  expect_set(world, WEFT_ATTRIBUTE_VELOCITY, 7, 1, speed, 0);
  get_one(world, 7, position, velocity);
  for (int axis = 0; axis < 3; ++axis) {
    ck_assert_float_eq(position[axis], place[axis]);
    ck_assert_float_eq_tol(velocity[axis], speed[axis], 1e-4f);
  }
}

// ---- links ----

TEST(a_range_of_links_is_torn_and_switched_like_its_links_one_by_one) {
  weft_world* world = new_moving(&calls[0], WEFT_INTEGRATOR_POSITION_VERLET);
  weft_world* single = new_moving(&calls[0], WEFT_INTEGRATOR_POSITION_VERLET);
  expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, 10, 30, &(bool){false}, WEFT_SAME);
  expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, 20, 15, &(bool){true}, WEFT_SAME);
  expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, 15, 10, &(bool){true}, WEFT_SAME);
  for (uint32_t i = 10; i < 40; ++i)
    expect_set(single, WEFT_ATTRIBUTE_LINK_ENABLED, i, 1, &(bool){false}, 0);
  for (uint32_t i = 20; i < 35; ++i)
    expect_set(single, WEFT_ATTRIBUTE_LINK_TORN, i, 1, &(bool){true}, 0);
  for (uint32_t i = 15; i < 25; ++i)
    expect_set(single, WEFT_ATTRIBUTE_LINK_ENABLED, i, 1, &(bool){true}, 0);
  expect_equal(world, single);
  uint32_t links[20], count = 0;
  expect_ok(weft_world_take_torn(world, 20, links, &count));
  ck_assert_uint_eq(count, 15);
  for (uint32_t i = 0; i < count; ++i) ck_assert_uint_eq(links[i], 20 + i);
}

TEST(ranges_of_links_past_the_end_are_refused_and_empty_ones_do_nothing) {
  weft_world* world = new_moving(&calls[0], WEFT_INTEGRATOR_POSITION_VERLET);
  const uint32_t end = stats_of(world).link_count;
  const uint32_t past[][2] = {{end, 1}, {end - 1, 2}, {UINT32_MAX, 1}, {1, UINT32_MAX}};
  for (int i = 0; i < 4; ++i) {
    expect_past_end(weft_world_set(world, WEFT_ATTRIBUTE_LINK_TORN,
                                   weft_range(past[i][0], past[i][1]), &(bool){true}, WEFT_SAME));
    expect_past_end(weft_world_set(world, WEFT_ATTRIBUTE_LINK_ENABLED,
                                   weft_range(past[i][0], past[i][1]), &(bool){false}, WEFT_SAME));
  }
  expect_set(world, WEFT_ATTRIBUTE_LINK_TORN, end, 0, &(bool){true}, WEFT_SAME);
  expect_set(world, WEFT_ATTRIBUTE_LINK_ENABLED, end, 0, &(bool){false}, WEFT_SAME);
}
