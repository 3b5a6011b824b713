/* Distance between two segments. */
#include "edit/capsule.h"

#include <math.h>

#include "support/near.h"
#include "support/random.h"
#include "support/suite.h"

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

static void expect_apart(point a, point b, point c, point d) {
  const double expected = segment_to_segment(a, b, c, d);
  const double apart =
      sqrt(weft__segment_distance_sq(vector_of(a), vector_of(b), vector_of(c), vector_of(d)));
  require(fabs(apart - expected) < 1e-7);
}

START_TEST(any_two_segments_are_as_far_apart_as_a_search_finds) {
  random_source random = {(uint64_t)_i};
  for (int round = 0; round < ROUNDS(300, 50); ++round) {
    point p[4];
    for (int i = 0; i < 4; ++i) p[i] = draw_point(&random, _i % 2 == 0);
    expect_apart(p[0], p[1], p[2], p[3]);
  }
}
END_TEST

START_TEST(segments_that_are_almost_parallel_are_as_far_apart_as_a_search_finds) {
  random_source random = {(uint64_t)_i};
  for (int round = 0; round < ROUNDS(300, 50); ++round) {
    const double tilt = pow(10.0, (double)random_float(&random, -17.0f, -1.0f));
    const point a = draw_point(&random, false);
    const point b = draw_point(&random, false);
    const point shift = draw_point(&random, false);
    const point turn = draw_point(&random, false);
    const double s = (double)random_float(&random, -2.0f, 2.0f);
    const double t = (double)random_float(&random, -2.0f, 2.0f);
    point c, d;
    for (int k = 0; k < 3; ++k) {
      const double along = b.x[k] - a.x[k];
      c.x[k] = a.x[k] + s * along + 0.1 * shift.x[k];
      d.x[k] = a.x[k] + t * along + 0.1 * shift.x[k] + tilt * turn.x[k];
    }
    expect_apart(a, b, c, d);
  }
}
END_TEST

START_TEST(lengths_from_far_below_a_float_to_far_above_give_numbers) {
  const double sizes[] = {1e-45, 1e-20, 1.0, 1e20, 3e38};
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) {
      const weft__vec3 o = {0.0, 0.0, 0.0};
      const weft__vec3 x = {sizes[i], 0.0, 0.0};
      const weft__vec3 y = {0.0, sizes[j], 0.0};
      const weft__vec3 far_y = {0.0, 2.0 * sizes[j], 0.0};
      ck_assert_double_eq(weft__segment_distance_sq(o, x, o, y), 0.0);
      ck_assert_double_eq(sqrt(weft__segment_distance_sq(o, x, y, far_y)), sizes[j]);
    }
  }
}
END_TEST

START_TEST(the_surface_of_a_capsule_belongs_to_it) {
  const weft__capsule sphere = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 0.5};
  const weft__vec3 a = {0.5, -1.0, 0.0};
  const weft__vec3 b = {0.5, 1.0, 0.0};
  ck_assert(weft__capsule_touches(&sphere, a, b));
  ck_assert(weft__capsule_touches(&sphere, a, (weft__vec3){0.5, 0.0, 0.0}));
  ck_assert(!weft__capsule_touches(&sphere, a, (weft__vec3){0.5, -1e-6, 0.0}));
  const double next = nextafter(0.5, 1.0);
  ck_assert(
      !weft__capsule_touches(&sphere, (weft__vec3){next, -1.0, 0.0}, (weft__vec3){next, 1.0, 0.0}));
}
END_TEST

START_TEST(what_is_no_number_touches_nothing) {
  const weft__capsule capsule = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, 10.0};
  const weft__vec3 a = {NAN, 0.0, 0.0};
  ck_assert(!weft__capsule_touches(&capsule, a, (weft__vec3){0.0, 0.0, 0.0}));
}
END_TEST

SUITE(capsule) {
  tcase_add_loop_test(tests, any_two_segments_are_as_far_apart_as_a_search_finds, 0, 20);
  tcase_add_loop_test(tests, segments_that_are_almost_parallel_are_as_far_apart_as_a_search_finds,
                      0, 20);
  tcase_add_test(tests, lengths_from_far_below_a_float_to_far_above_give_numbers);
  tcase_add_test(tests, the_surface_of_a_capsule_belongs_to_it);
  tcase_add_test(tests, what_is_no_number_touches_nothing);
}
