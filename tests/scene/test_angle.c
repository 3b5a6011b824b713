/* Distance between the ends of two arms at an angle. */
#include "support/test.h"

#define HALF_TURN 3.14159265358979323846

static float length_at(float arm_a, float arm_b, double angle) {
  float length = 0.0f;
  expect_ok(weft_length_at_angle(arm_a, arm_b, (float)angle, &length));
  return length;
}

TEST(known_triangles_have_their_third_sides) {
  ck_assert_float_eq_tol(length_at(1.0f, 1.0f, HALF_TURN / 3.0), 1.0f, 1e-7f);
  ck_assert_float_eq_tol(length_at(3.0f, 4.0f, HALF_TURN / 2.0), 5.0f, 1e-6f);
  ck_assert_float_eq_tol(length_at(1.0f, 1.0f, HALF_TURN / 2.0), sqrtf(2.0f), 1e-6f);
  ck_assert_float_eq_tol(length_at(3.0f, 5.0f, 2.0 * HALF_TURN / 3.0), 7.0f, 1e-6f);
  ck_assert_float_eq(length_at(2.0f, 5.0f, 0.0), 3.0f);
  ck_assert_float_eq(length_at(2.0f, 5.0f, HALF_TURN), 7.0f);
}

// reference: distance between the ends of the arms, from coordinates in long double
RANDOM_TEST(random_triangles_close, 10) {
  for (int i = 0; i < 1000; ++i) {
    const float a = expf(random_float(&random, -20.0f, 20.0f));
    const float b = random_chance(&random, 3) ? a : expf(random_float(&random, -20.0f, 20.0f));
    const float angle = random_chance(&random, 3) ? expf(random_float(&random, -15.0f, 1.0f))
                                                  : random_float(&random, 0.0f, 3.14159f);
    if (a == b && angle < 1e-6f) continue;
    const long double x = (long double)a * cosl((long double)angle) - (long double)b;
    const long double y = (long double)a * sinl((long double)angle);
    const double expected = (double)sqrtl(x * x + y * y);
    require(fabs((double)length_at(a, b, (double)angle) - expected) <= 1e-7 * expected);
  }
}

TEST(arms_and_angles_that_are_none_are_refused) {
  const float bad[] = {NAN, INFINITY, -INFINITY, -1.0f, 0.0f};
  float length = 7.0f;
  for (int i = 0; i < 5; ++i) {
    const weft_error error = isfinite(bad[i]) ? WEFT_ERROR_RANGE : WEFT_ERROR_NOT_FINITE;
    expect_error(weft_length_at_angle(bad[i], 1.0f, 1.0f, &length), error, "arm_a");
    expect_error(weft_length_at_angle(1.0f, bad[i], 1.0f, &length), error, "arm_b");
    if (bad[i] == 0.0f) continue;
    expect_error(weft_length_at_angle(1.0f, 2.0f, bad[i], &length), error, "angle");
  }
  const float beyond = nextafterf((float)HALF_TURN, 4.0f);
  expect_error(weft_length_at_angle(1.0f, 2.0f, beyond, &length), WEFT_ERROR_RANGE, "angle");
  expect_null(weft_length_at_angle(1.0f, 2.0f, 1.0f, NULL), "length");
  expect_error(weft_length_at_angle(1.0f, 1.0f, 0.0f, &length), WEFT_ERROR_DEGENERATE, "angle");
  expect_error(weft_length_at_angle(1e-44f, 1e-44f, 1e-3f, &length), WEFT_ERROR_DEGENERATE,
               "angle");
  expect_error(weft_length_at_angle(3e38f, 3e38f, 3.0f, &length), WEFT_ERROR_RANGE, "arm_a");
  ck_assert_float_eq(length, 7.0f);
}
