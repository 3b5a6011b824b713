#include "geometry/triangle.h"

#include "support/test.h"

static weft__vec3 random_vector(random_source* random, float size) {
  const weft__vec3 vector = {random_float(random, -size, size), random_float(random, -size, size),
                             random_float(random, -size, size)};
  return vector;
}

static weft__vec3 blend(const weft__triangle* triangle, double b, double c) {
  const double a = 1.0 - b - c;
  return (weft__vec3){a * triangle->a.x + b * triangle->b.x + c * triangle->c.x,
                      a * triangle->a.y + b * triangle->b.y + c * triangle->c.y,
                      a * triangle->a.z + b * triangle->b.z + c * triangle->c.z};
}

static double apart(weft__vec3 a, weft__vec3 b) {
  const double x = a.x - b.x;
  const double y = a.y - b.y;
  const double z = a.z - b.z;
  return sqrt(x * x + y * y + z * z);
}

// Oracle: nested ternary search, as the distance to a point of the triangle is convex in both
// barycentric coordinates.
static double least_along_c(const weft__triangle* triangle, weft__vec3 point, double b) {
  double low = 0.0;
  double high = 1.0 - b;
  for (int i = 0; i < 60; ++i) {
    const double one = low + (high - low) / 3.0;
    const double two = high - (high - low) / 3.0;
    if (apart(point, blend(triangle, b, one)) < apart(point, blend(triangle, b, two))) {
      high = two;
    } else {
      low = one;
    }
  }
  return apart(point, blend(triangle, b, 0.5 * (low + high)));
}

static double distance_to(const weft__triangle* triangle, weft__vec3 point) {
  double low = 0.0;
  double high = 1.0;
  for (int i = 0; i < 60; ++i) {
    const double one = low + (high - low) / 3.0;
    const double two = high - (high - low) / 3.0;
    if (least_along_c(triangle, point, one) < least_along_c(triangle, point, two)) {
      high = two;
    } else {
      low = one;
    }
  }
  return least_along_c(triangle, point, 0.5 * (low + high));
}

// random triangles, thin ones, and degenerate ones
static weft__triangle random_triangle(random_source* random, int kind) {
  weft__triangle triangle = {random_vector(random, 2.0f), random_vector(random, 2.0f),
                             random_vector(random, 2.0f)};
  if (kind == 1) {
    triangle.c = blend(&triangle, 0.3, 0.0);
    triangle.c.x += 1e-6;
  }
  if (kind == 2) triangle.c = triangle.b;
  if (kind == 3) triangle.c = triangle.b = triangle.a;
  return triangle;
}

RANDOM_TEST(the_nearest_point_is_as_near_as_the_search_finds_and_is_of_the_triangle, 4) {
  for (int round = 0; round < ROUNDS(300, 20); ++round) {
    const weft__triangle triangle = random_triangle(&random, _i);
    const weft__vec3 point = random_vector(&random, 4.0f);
    const weft__triangle_point nearest = weft__nearest_on_triangle(point, &triangle);
    require(fabs(nearest.distance - distance_to(&triangle, point)) < 1e-7);
    require(fabs(apart(point, nearest.point) - nearest.distance) < 1e-12);
    const weft__vec3 blended = blend(&triangle, nearest.shares[1], nearest.shares[2]);
    require(apart(blended, nearest.point) < (_i == 1 ? 1e-6 : 1e-12));
    for (int k = 0; k < 3; ++k) require(nearest.shares[k] >= 0.0 && nearest.shares[k] <= 1.0);
    require(fabs(nearest.shares[0] + nearest.shares[1] + nearest.shares[2] - 1.0) < 1e-12);
  }
}

LOOP_TEST(a_ball_hits_where_it_first_touches_and_nowhere_else, 0, 8) {
  random_source random = {(uint64_t)_i + 100};
  int hits = 0;
  for (int round = 0; round < ROUNDS(400, 30); ++round) {
    const weft__triangle triangle = random_triangle(&random, _i % 4);
    const weft__vec3 from = random_vector(&random, 4.0f);
    const weft__vec3 to =
        random_chance(&random, 2) ? blend(&triangle, 0.2, 0.3) : random_vector(&random, 4.0f);
    const weft__vec3 way = weft__scaled(1.5, weft__minus(to, from));
    const double radius = _i < 4 ? (double)random_float(&random, 0.001f, 1.0f) : 0.0;
    weft__triangle_hit hit;
    const bool met = weft__sphere_cast_triangle(from, way, radius, 1.0, &triangle, &hit);
    double lower = INFINITY;
    for (int step = 0; step <= 40; ++step) {
      const double fraction = (met ? hit.fraction : 1.0) * step / 40.0;
      const weft__vec3 at = weft__plus(from, weft__scaled(fraction, way));
      const double distance = weft__nearest_on_triangle(at, &triangle).distance;
      if (distance < lower) lower = distance;
      if (met && hit.fraction > 0.0) require(distance > radius - 1e-9);
    }
    if (!met) {
      require(lower > radius - 1e-9 || radius == 0.0);
      continue;
    }
    hits += 1;
    const weft__vec3 at = weft__plus(from, weft__scaled(hit.fraction, way));
    require(hit.fraction >= 0.0 && hit.fraction <= 1.0);
    require(distance_to(&triangle, hit.point) < 1e-6);
    require(fabs(weft__length(hit.normal) - 1.0) < 1e-9 || _i == 6 || _i == 7);
    if (hit.fraction > 0.0) {
      require(fabs(apart(at, hit.point) - radius) < 1e-7);
      require(apart(weft__plus(hit.point, weft__scaled(radius, hit.normal)), at) < 1e-6);
    } else {
      require(distance_to(&triangle, from) <= radius + 1e-7);
    }
  }
  if (_i < 4) require(hits > ROUNDS(100, 5));
}

// ---- boxes ----

// oracle: the triangle clipped by the sides of the box
static int cut_polygon(weft__vec3* corners, int count, weft__vec3 axis, double upper) {
  weft__vec3 kept[16];
  int kept_count = 0;
  for (int k = 0; k < count; ++k) {
    const weft__vec3 a = corners[k];
    const weft__vec3 b = corners[(k + 1) % count];
    const double at_a = weft__dot(a, axis) - upper;
    const double at_b = weft__dot(b, axis) - upper;
    if (at_a <= 0.0) kept[kept_count++] = a;
    if ((at_a < 0.0 && at_b > 0.0) || (at_a > 0.0 && at_b < 0.0)) {
      kept[kept_count++] = weft__plus(a, weft__scaled(at_a / (at_a - at_b), weft__minus(b, a)));
    }
  }
  memcpy(corners, kept, (size_t)kept_count * sizeof(*kept));
  return kept_count;
}

static bool cut_by_box(const weft__triangle* triangle, weft__vec3 center,
                       const weft__vec3 half_edges[3], double grown) {
  weft__vec3 corners[16] = {weft__minus(triangle->a, center), weft__minus(triangle->b, center),
                            weft__minus(triangle->c, center)};
  int count = 3;
  for (int k = 0; k < 6 && count > 0; ++k) {
    const double length = weft__length(half_edges[k / 2]);
    const weft__vec3 unit = weft__scaled((k % 2 == 0 ? 1.0 : -1.0) / length, half_edges[k / 2]);
    count = cut_polygon(corners, count, unit, length + grown);
  }
  return count > 0;
}

LOOP_TEST(a_triangle_meets_the_boxes_that_leave_something_of_it, 0, 4) {
  random_source random = {(uint64_t)_i + 300};
  int counts[2] = {0, 0};
  for (int round = 0; round < ROUNDS(4000, 300); ++round) {
    const weft__triangle triangle = random_triangle(&random, _i);
    const weft__vec3 center = random_vector(&random, 3.0f);
    // perpendicular half edges
    weft__vec3 half_edges[3] = {
        random_vector(&random, 1.0f), random_vector(&random, 1.0f), {0, 0, 0}};
    half_edges[2] = weft__cross(half_edges[0], half_edges[1]);
    half_edges[1] = weft__cross(half_edges[2], half_edges[0]);
    const bool meets = weft__triangle_meets_box(&triangle, center, half_edges);
    if (cut_by_box(&triangle, center, half_edges, -1e-7)) require(meets);
    if (!cut_by_box(&triangle, center, half_edges, 1e-7)) require(!meets);
    counts[meets ? 1 : 0] += 1;
  }
  require(counts[0] > ROUNDS(50, 2) && counts[1] > ROUNDS(50, 2));
}

TEST(flat_boxes_meet_what_goes_through_them) {
  const weft__triangle triangle = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const weft__vec3 zero = {0, 0, 0};
  const weft__vec3 point_box[3] = {zero, zero, zero};
  require(weft__triangle_meets_box(&triangle, (weft__vec3){0.25, 0.25, 0}, point_box));
  require(!weft__triangle_meets_box(&triangle, (weft__vec3){0.25, 0.25, 0.001}, point_box));
  require(!weft__triangle_meets_box(&triangle, (weft__vec3){0.75, 0.75, 0}, point_box));
  const weft__vec3 needle[3] = {{0, 0, 1}, zero, zero};
  require(weft__triangle_meets_box(&triangle, (weft__vec3){0.25, 0.25, 0.5}, needle));
  require(!weft__triangle_meets_box(&triangle, (weft__vec3){0.6, 0.6, 0.5}, needle));
  const weft__vec3 lying[3] = {{0.5, 0.5, 0}, zero, zero};
  require(weft__triangle_meets_box(&triangle, (weft__vec3){-0.2, -0.2, 0}, lying));
  require(!weft__triangle_meets_box(&triangle, (weft__vec3){-0.7, 0.7, 0}, lying));
  const weft__vec3 sheet[3] = {{0, 0, 1}, {1, 0, 0}, zero};
  require(weft__triangle_meets_box(&triangle, (weft__vec3){0, 0.5, 0}, sheet));
  require(!weft__triangle_meets_box(&triangle, (weft__vec3){0, 1.5, 0}, sheet));
}
