#include "geometry/triangle.h"
#include "support/solid.h"
#include "support/test.h"

enum { MOST_POINTS = 3000 };

typedef struct point_cloud {
  float points[MOST_POINTS][3];
  uint32_t count;
} point_cloud;

static weft__vec3 at(const point_cloud* cloud, uint32_t i) {
  return (weft__vec3){cloud->points[i][0], cloud->points[i][1], cloud->points[i][2]};
}

static weft_collider_def def_of(const point_cloud* cloud) {
  weft_collider_def def = {
      .shape = WEFT_COLLIDER_SHAPE_HULL, .points = cloud->points[0], .point_count = cloud->count};
  return def;
}

// ---- oracle for few points ----

typedef struct hull_sides {
  weft__triangle triangles[400];
  uint32_t count;
} hull_sides;

// all triangles of three points with no point above them
static void find_sides(const point_cloud* cloud, hull_sides* sides) {
  sides->count = 0;
  for (uint32_t a = 0; a < cloud->count; ++a) {
    for (uint32_t b = 0; b < cloud->count; ++b) {
      for (uint32_t c = 0; c < cloud->count; ++c) {
        if (a >= b || a >= c || b == c) continue;
        const weft__triangle triangle = {at(cloud, a), at(cloud, b), at(cloud, c)};
        const weft__vec3 normal = weft__triangle_normal(&triangle);
        bool is_side = weft__length(normal) > 1e-12;
        for (uint32_t i = 0; i < cloud->count; ++i) {
          if (weft__dot(normal, weft__minus(at(cloud, i), triangle.a)) > 1e-12) is_side = false;
        }
        if (is_side) sides->triangles[sides->count++] = triangle;
      }
    }
  }
}

static double distance_to_sides(const void* scene, weft__vec3 point) {
  const hull_sides* sides = scene;
  double highest = -INFINITY;
  double nearest = INFINITY;
  for (uint32_t i = 0; i < sides->count; ++i) {
    const weft__vec3 normal = weft__triangle_normal(&sides->triangles[i]);
    const double height = weft__dot(normal, weft__minus(point, sides->triangles[i].a));
    if (height / weft__length(normal) > highest) highest = height / weft__length(normal);
    const double distance = weft__nearest_on_triangle(point, &sides->triangles[i]).distance;
    if (distance < nearest) nearest = distance;
  }
  return highest <= 0.0 ? highest : nearest;
}

static void scatter(point_cloud* cloud, random_source* random, uint32_t count) {
  cloud->count = count;
  for (uint32_t i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      cloud->points[i][axis] = random_float(random, -1.5f, 1.5f);
    }
  }
}

RANDOM_TEST(a_hull_is_what_all_triples_without_a_point_above_enclose, 3) {
  static point_cloud cloud;
  static hull_sides sides;
  for (int round = 0; round < ROUNDS(20, 3); ++round) {
    scatter(&cloud, &random, random_from(&random, 4, 14));
    find_sides(&cloud, &sides);
    const weft_collider_def def = def_of(&cloud);
    tested_solid solid = new_solid(&weft__hull_row, &def, distance_to_sides, &sides);
    check_solid(&solid, &random, (weft__vec3){-2, -2, -2}, (weft__vec3){2, 2, 2}, 60);
    solid.row->destroy(&solid.shape);
  }
}

// ---- input ----

LOOP_TEST(what_is_wrong_with_a_hull_is_named, 0, 5) {
  static point_cloud cloud;
  random_source random = {(uint64_t)_i + 400};
  const weft__shape_row* row = &weft__hull_row;
  scatter(&cloud, &random, 20);
  weft_collider_def def = def_of(&cloud);
  def.point_count = 0;
  expect_error(row->check(&def), WEFT_ERROR_EMPTY, "weft_collider_def.point_count");
  def.point_count = 65536;
  expect_error(row->check(&def), WEFT_ERROR_TOO_MANY, "weft_collider_def.point_count");
  def.point_count = 3;
  expect_error(row->check(&def), WEFT_ERROR_DEGENERATE, "weft_collider_def.points");
  def.point_count = 20;
  expect_ok(row->check(&def));
  const float bad[] = {NAN, INFINITY, -INFINITY};
  for (uint32_t k = 0; k < 3; ++k) {
    scatter(&cloud, &random, 20);
    cloud.points[13][k] = bad[k];
    expect_error_at(row->check(&def), WEFT_ERROR_NOT_FINITE, "weft_collider_def.points", 13);
  }
  // coplanar at any angle, collinear, coincident, two distinct points
  const weft__vec3 one = {1, -1, -1};
  const weft__vec3 along = random_place(&random, one, (weft__vec3){2, 1, 1});
  const weft__vec3 across = random_place(&random, one, (weft__vec3){2, 1, 1});
  for (int kind = 0; kind < 4; ++kind) {
    for (uint32_t i = 0; i < 20; ++i) {
      double u = (double)random_float(&random, -1.0f, 1.0f);
      const double v = kind == 0 ? (double)random_float(&random, -1.0f, 1.0f) : 0.0;
      if (kind == 2) u = 0.0;
      if (kind == 3) u = i % 2;
      const weft__vec3 place =
          weft__plus(weft__plus(one, weft__scaled(u, along)), weft__scaled(v, across));
      cloud.points[i][0] = (float)place.x;
      cloud.points[i][1] = (float)place.y;
      cloud.points[i][2] = (float)place.z;
    }
    expect_error(row->check(&def), WEFT_ERROR_DEGENERATE, "weft_collider_def.points");
  }
}
