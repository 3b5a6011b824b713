#include "step/fixed_step.h"

#include "support/random.h"
#include "support/suite.h"

static const int64_t step_sizes[] = {1000, 999983, 16666667, 33333333, 1000000000};
enum { STEP_SIZES = sizeof(step_sizes) / sizeof(*step_sizes) };

START_TEST(what_is_left_over_is_carried_to_the_next_call) {
  weft__fixed_step fixed = {.step_ns = 1000, .max_steps = 8};
  ck_assert_uint_eq(weft__fixed_step_add(&fixed, 999).steps, 0);
  ck_assert_uint_eq(weft__fixed_step_add(&fixed, 1).steps, 1);
  ck_assert_int_eq(fixed.leftover_ns, 0);
  ck_assert_uint_eq(weft__fixed_step_add(&fixed, 2500).steps, 2);
  ck_assert_uint_eq(weft__fixed_step_add(&fixed, 2500).steps, 3);
  ck_assert_int_eq(fixed.leftover_ns, 0);
  ck_assert_uint_eq(weft__fixed_step_add(&fixed, 0).steps, 0);
}
END_TEST

// mostly a fraction of a step or a few, seldom seconds
static int64_t draw_elapsed(random_source* random, int64_t step_ns) {
  const uint64_t bound =
      random_chance(random, 1000) ? 100 * (uint64_t)step_ns : 3 * (uint64_t)step_ns;
  return (int64_t)(random_bits(random) % bound);
}

START_TEST(a_million_calls_lose_and_win_no_nanosecond) {
  random_source random = {(uint64_t)_i};
  weft__fixed_step fixed = {.step_ns = step_sizes[_i], .max_steps = 8};
  int64_t elapsed = 0;
  int64_t accounted = 0;
  for (int call = 0; call < ROUNDS(1000000, 100000); ++call) {
    const int64_t now = draw_elapsed(&random, fixed.step_ns);
    const weft_advance due = weft__fixed_step_add(&fixed, now);
    elapsed += now;
    accounted += (int64_t)due.steps * fixed.step_ns + due.dropped_ns;
    require(accounted + fixed.leftover_ns == elapsed);
    require(fixed.leftover_ns >= 0 && fixed.leftover_ns < fixed.step_ns);
    require(due.steps <= 8);
    require(due.dropped_ns == 0 || due.steps == 8);
    require(due.dropped_ns % fixed.step_ns == 0);
    require(due.interpolation >= 0.0f && due.interpolation <= 1.0f);
  }
}
END_TEST

START_TEST(interpolation_is_the_share_of_a_step_that_is_left_over) {
  weft__fixed_step fixed = {.step_ns = step_sizes[_i], .max_steps = 1};
  float before = -1.0f;
  for (int64_t part = 0; part < 1000; ++part) {
    fixed.leftover_ns = 0;
    const int64_t left = fixed.step_ns / 1000 * part;
    const float here = weft__fixed_step_add(&fixed, left).interpolation;
    require(here >= 0.0f && here < 1.0f && here > before);
    ck_assert_float_eq_tol(here, (float)part / 1000.0f, 1e-3f);
    before = here;
  }
}
END_TEST

START_TEST(no_more_than_max_steps_are_taken_and_the_rest_is_dropped) {
  const uint32_t limits[] = {1, 2, 8, 1000, UINT32_MAX};
  for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); ++i) {
    weft__fixed_step fixed = {.step_ns = 1000, .max_steps = limits[i]};
    const int64_t limit_ns = 1000 * (int64_t)limits[i];
    weft_advance due = weft__fixed_step_add(&fixed, limit_ns + 999);
    ck_assert_uint_eq(due.steps, limits[i]);
    ck_assert_int_eq(due.dropped_ns, 0);
    due = weft__fixed_step_add(&fixed, limit_ns + 1);
    ck_assert_uint_eq(due.steps, limits[i]);
    ck_assert_int_eq(due.dropped_ns, 1000);
    ck_assert_int_eq(fixed.leftover_ns, 0);
  }
}
END_TEST

START_TEST(the_longest_time_there_is_does_not_overflow) {
  for (uint32_t max_steps = 1; max_steps < 10; ++max_steps) {
    weft__fixed_step fixed = {.step_ns = step_sizes[_i], .max_steps = max_steps};
    fixed.leftover_ns = fixed.step_ns - 1;
    const weft_advance due = weft__fixed_step_add(&fixed, INT64_MAX);
    ck_assert_uint_eq(due.steps, max_steps);
    ck_assert_int_gt(due.dropped_ns, 0);
    // in unsigned numbers, which have room for the sum
    const uint64_t accounted = (uint64_t)due.dropped_ns + (uint64_t)fixed.leftover_ns +
                               (uint64_t)max_steps * (uint64_t)fixed.step_ns;
    ck_assert_uint_eq(accounted, (uint64_t)INT64_MAX + (uint64_t)fixed.step_ns - 1);
  }
}
END_TEST

int main(void) {
  const test_suite suite = new_suite("fixed_step");
  TCase* tests = suite.tests;
  tcase_add_test(tests, what_is_left_over_is_carried_to_the_next_call);
  tcase_add_loop_test(tests, a_million_calls_lose_and_win_no_nanosecond, 0, STEP_SIZES);
  tcase_add_loop_test(tests, interpolation_is_the_share_of_a_step_that_is_left_over, 0, STEP_SIZES);
  tcase_add_test(tests, no_more_than_max_steps_are_taken_and_the_rest_is_dropped);
  tcase_add_loop_test(tests, the_longest_time_there_is_does_not_overflow, 0, STEP_SIZES);
  return run_suite(suite);
}
