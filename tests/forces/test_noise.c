/* Noise: smooth, bounded and reproducible. */
#include "forces/noise.h"

#include "support/test.h"

static double at(uint32_t seed, double x, double y, double z, double time) {
  const double point[3] = {x, y, z};
  weft__noise noise = weft__noise_at(seed, time);
  return weft__noise_value(&noise, point);
}

static double draw(random_source* random, float size) {
  return (double)random_float(random, -size, size);
}

TEST(noise_is_within_one_and_uses_most_of_it) {
  random_source random = {1};
  double lower = 0.0;
  double upper = 0.0;
  double sum = 0.0;
  const int count = ROUNDS(100000, 10000);
  for (int i = 0; i < count; ++i) {
    const double value = at(3, draw(&random, 100.0f), draw(&random, 100.0f), draw(&random, 100.0f),
                            draw(&random, 100.0f));
    require(value >= -1.0 && value <= 1.0);
    lower = fmin(lower, value);
    upper = fmax(upper, value);
    sum += value;
  }
  ck_assert_double_lt(lower, -0.7);
  ck_assert_double_gt(upper, 0.7);
  ck_assert_double_lt(fabs(sum / count), 0.02);
}

TEST(noise_has_no_jumps_in_space_or_time) {
  // the slope of 3 f^2 - 2 f^3 is 1.5 at most; values differ by up to 2: 3 along each axis
  random_source random = {2};
  const double step = 1e-3;
  for (int i = 0; i < 20000; ++i) {
    double p[4];
    for (int k = 0; k < 4; ++k) p[k] = draw(&random, 3.0f);
    const double here = at(1, p[0], p[1], p[2], p[3]);
    p[i % 4] += step;
    require(fabs(at(1, p[0], p[1], p[2], p[3]) - here) <= 3.0 * step + 1e-12);
  }
  // continuity across cell borders, at negative coordinates too
  for (int cell = -3; cell <= 3; ++cell) {
    for (int k = 0; k < 4; ++k) {
      double below[4] = {0.3, 0.6, 0.2, 0.7};
      double above[4] = {0.3, 0.6, 0.2, 0.7};
      below[k] = cell - 1e-9;
      above[k] = cell + 1e-9;
      ck_assert_double_eq_tol(at(9, below[0], below[1], below[2], below[3]),
                              at(9, above[0], above[1], above[2], above[3]), 1e-8);
    }
  }
}

TEST(seeds_and_axes_and_moments_give_different_noise) {
  int same = 0;
  for (int i = 0; i < 200; ++i) {
    const double p = 0.37 * i;
    same += at(1, p, 0.5, 0.5, 0.5) == at(2, p, 0.5, 0.5, 0.5);
    same += at(1, p, 0.25, 0.5, 0.5) == at(1, 0.25, p, 0.5, 0.5);
    same += at(1, p, 0.5, 0.5, 0.5) == at(1, p, 0.5, 0.5, 1.5);
  }
  ck_assert_int_lt(same, 3);
}

TEST(places_that_are_no_numbers_or_too_far_are_still) {
  const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY, 1e30, -1e300};
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); ++i) {
    ck_assert(at(1, bad[i], 0.5, 0.5, 0.5) == 0.0);
    ck_assert(at(1, 0.5, 0.5, bad[i], 0.5) == 0.0);
    ck_assert(isfinite(at(1, 0.5, 0.5, 0.5, bad[i])));
  }
  ck_assert(isfinite(at(1, 1e18, -1e18, 4e18, 4e18)));
}
