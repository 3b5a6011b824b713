/* Segments cut by a triangle. */
#include "edit/blade.h"

#include "support/near.h"
#include "support/test.h"

static weft__vec3 vector_of(point p) {
  return (weft__vec3){p.x[0], p.x[1], p.x[2]};
}

static weft__blade blade_of(const point t[3]) {
  return (weft__blade){{vector_of(t[0]), vector_of(t[1]), vector_of(t[2])}};
}

static bool cuts(const point t[3], point a, point b) {
  const weft__blade blade = blade_of(t);
  return weft__blade_touches(&blade, vector_of(a), vector_of(b));
}

static point draw_point(random_source* random) {
  point p;
  for (int k = 0; k < 3; ++k) p.x[k] = (double)random_float(random, -1.0f, 1.0f);
  return p;
}

// lattice corner: segments lie in the plane or along edges, end on them, or pass through corners
static point draw_corner(random_source* random) {
  point p;
  for (int k = 0; k < 3; ++k) p.x[k] = (double)random_below(random, 4);
  return p;
}

static bool has_area(const point t[3]) {
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3;
    const int j = (k + 2) % 3;
    const double area = (t[1].x[i] - t[0].x[i]) * (t[2].x[j] - t[0].x[j]) -
                        (t[1].x[j] - t[0].x[j]) * (t[2].x[i] - t[0].x[i]);
    sum += area * area;
  }
  return sum > 0.0;
}

RANDOM_TEST(a_segment_is_cut_where_a_search_finds_no_distance, 20) {
  int both[2] = {0, 0};
  for (int round = 0; round < ROUNDS(400, 60); ++round) {
    const point t[3] = {draw_point(&random), draw_point(&random), draw_point(&random)};
    const point a = draw_point(&random);
    const point b = draw_point(&random);
    const double distance = segment_to_triangle(a, b, t);
    if (distance > 1e-8 && distance < 1e-6) continue;
    const bool expected = distance < 1e-6;
    require(cuts(t, a, b) == expected && cuts(t, b, a) == expected);
    ++both[expected];
  }
  ck_assert_int_gt(both[0], 0);
  ck_assert_int_gt(both[1], 0);
}

RANDOM_TEST(touching_counts_and_so_does_lying_in_the_plane, 10) {
  for (int round = 0; round < ROUNDS(1000, 100); ++round) {
    const point t[3] = {draw_corner(&random), draw_corner(&random), draw_corner(&random)};
    const point a = draw_corner(&random);
    const point b = draw_corner(&random);
    // integer coordinates below 4: segments that do not touch are a hundredth apart at least
    const bool expected = has_area(t) && segment_to_triangle(a, b, t) < 1e-3;
    require(cuts(t, a, b) == expected);
  }
}

// touching in a tilted plane, with rounded products
RANDOM_TEST(what_lies_in_a_tilted_plane_is_cut_where_it_touches, 10) {
  for (int round = 0; round < ROUNDS(400, 60); ++round) {
    point p[5];
    for (int i = 0; i < 5; ++i) {
      // x + y + z = 1, without rounding
      p[i].x[0] = (double)random_below(&random, 1u << 23) * 0x1p-23;
      p[i].x[1] = (double)random_below(&random, 1u << 23) * 0x1p-23;
      p[i].x[2] = 1.0 - p[i].x[0] - p[i].x[1];
    }
    const double distance = segment_to_triangle(p[3], p[4], p);
    if (!has_area(p) || (distance > 1e-8 && distance < 1e-6)) continue;
    require(cuts(p, p[3], p[4]) == (distance < 1e-6));
  }
}

RANDOM_TEST(nothing_slips_through_between_two_triangles_with_an_edge_in_common, 10) {
  for (int round = 0; round < 1000; ++round) {
    const point p = draw_point(&random);
    const point q = draw_point(&random);
    const double share = (double)random_float(&random, 0.01f, 0.99f);
    const point a = draw_point(&random);
    point left = draw_point(&random);
    point right, b;
    for (int k = 0; k < 3; ++k) {
      const double on_edge = (1.0 - share) * p.x[k] + share * q.x[k];
      // b and the second triangle: reflections through a point of the edge and through its
      // midpoint, up to rounding
      b.x[k] = 2.0 * on_edge - a.x[k];
      right.x[k] = p.x[k] + q.x[k] - left.x[k];
    }
    const point one[3] = {p, q, left};
    const point other[3] = {q, p, right};
    require(cuts(one, a, b) || cuts(other, a, b));
  }
}

TEST(a_triangle_without_area_cuts_nothing) {
  const point o = {{0.0, 0.0, 0.0}};
  const point e = {{1.0, 1.0, 1.0}};
  const point m = {{0.5, 0.5, 0.5}};
  ck_assert(!cuts((point[]){o, o, o}, o, e));
  ck_assert(!cuts((point[]){o, e, e}, o, e));
  ck_assert(!cuts((point[]){o, m, e}, o, e));
}

TEST(a_segment_that_is_a_point_is_cut_where_it_lies_in_the_triangle) {
  const point t[3] = {{{0.0, 0.0, 0.0}}, {{1.0, 0.0, 0.0}}, {{0.0, 1.0, 0.0}}};
  const point inside = {{0.25, 0.25, 0.0}};
  const point beside = {{0.75, 0.75, 0.0}};
  const point above = {{0.25, 0.25, 1e-30}};
  ck_assert(cuts(t, inside, inside));
  ck_assert(cuts(t, t[1], t[1]));
  ck_assert(!cuts(t, beside, beside));
  ck_assert(!cuts(t, above, above));
}
