#include "geometry/closest_points.h"

#include "support/near.h"
#include "support/test.h"

static weft__vec3 mix(weft__vec3 a, weft__vec3 b, double share) {
  return weft__plus(weft__scaled(1.0 - share, a), weft__scaled(share, b));
}

static double gap(weft__vec3 a, weft__vec3 b) {
  const weft__vec3 apart = weft__minus(a, b);
  return sqrt(weft__dot(apart, apart));
}

// ---- segments ----

static weft__vec3 vector_of(point p) {
  return (weft__vec3){p.x[0], p.x[1], p.x[2]};
}

// corner of a small lattice, for parallel, touching and degenerate segments; or any point
static point draw_point(random_source* random, bool on_lattice) {
  point p;
  for (int k = 0; k < 3; ++k) {
    p.x[k] =
        on_lattice ? (double)random_below(random, 3) : (double)random_float(random, -1.0f, 1.0f);
  }
  return p;
}

static void expect_apart(const point p[4]) {
  weft__vec3 at[4];
  for (int k = 0; k < 4; ++k) at[k] = vector_of(p[k]);
  double along[2];
  const double found = sqrt(weft__closest_on_segments(at, at + 2, along));
  require(fabs(found - segment_to_segment(p[0], p[1], p[2], p[3])) < 1e-7);
  for (int k = 0; k < 2; ++k) require(along[k] >= 0.0 && along[k] <= 1.0);
  require(fabs(gap(mix(at[0], at[1], along[0]), mix(at[2], at[3], along[1])) - found) < 1e-9);
}

RANDOM_TEST(any_two_segments_are_as_far_apart_as_a_search_finds, 20) {
  for (int round = 0; round < ROUNDS(300, 50); ++round) {
    point p[4];
    for (int i = 0; i < 4; ++i) p[i] = draw_point(&random, _i % 2 == 0);
    expect_apart(p);
  }
}

RANDOM_TEST(segments_that_are_almost_parallel_are_as_far_apart_as_a_search_finds, 20) {
  for (int round = 0; round < ROUNDS(300, 50); ++round) {
    const double tilt = pow(10.0, (double)random_float(&random, -17.0f, -1.0f));
    point p[4];
    for (int i = 0; i < 2; ++i) p[i] = draw_point(&random, false);
    const point shift = draw_point(&random, false);
    const point turn = draw_point(&random, false);
    const double s = (double)random_float(&random, -2.0f, 2.0f);
    const double t = (double)random_float(&random, -2.0f, 2.0f);
    for (int k = 0; k < 3; ++k) {
      const double along = p[1].x[k] - p[0].x[k];
      p[2].x[k] = p[0].x[k] + s * along + 0.1 * shift.x[k];
      p[3].x[k] = p[0].x[k] + t * along + 0.1 * shift.x[k] + tilt * turn.x[k];
    }
    expect_apart(p);
  }
}

TEST(lengths_from_far_below_a_float_to_far_above_give_numbers) {
  const double sizes[] = {1e-45, 1e-20, 1.0, 1e20, 3e38};
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) {
      const weft__vec3 o = {0.0, 0.0, 0.0};
      const weft__vec3 x[2] = {o, {sizes[i], 0.0, 0.0}};
      const weft__vec3 y[3] = {o, {0.0, sizes[j], 0.0}, {0.0, 2.0 * sizes[j], 0.0}};
      double along[2];
      ck_assert_double_eq(weft__closest_on_segments(x, y, along), 0.0);
      ck_assert_double_eq(sqrt(weft__closest_on_segments(x, y + 1, along)), sizes[j]);
    }
  }
}
