#include "geometry/quickhull.h"
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

// ---- shapes with a closed form ----

static double distance_to_box(const void* scene, weft__vec3 point) {
  (void)scene;
  const double x = fabs(point.x) - 1.0;
  const double y = fabs(point.y) - 0.5;
  const double z = fabs(point.z) - 0.75;
  const double inside = fmax(x, fmax(y, z));
  if (inside <= 0.0) return inside;
  return sqrt(fmax(x, 0) * fmax(x, 0) + fmax(y, 0) * fmax(y, 0) + fmax(z, 0) * fmax(z, 0));
}

// all points of a grid, most of them inside faces, edges or the box, every third one twice
static void fill_box(point_cloud* cloud, int side) {
  cloud->count = 0;
  for (int i = 0; i < side * side * side; ++i) {
    float* point = cloud->points[cloud->count++];
    point[0] = -1.0f + 2.0f * (float)(i % side) / (float)(side - 1);
    point[1] = -0.5f + 1.0f * (float)(i / side % side) / (float)(side - 1);
    point[2] = -0.75f + 1.5f * (float)(i / side / side) / (float)(side - 1);
    if (i % 3 == 0) memcpy(cloud->points[cloud->count++], point, sizeof(*cloud->points));
  }
}

LOOP_TEST(the_hull_of_a_grid_is_a_box, 0, 4) {
  random_source random = {(uint64_t)_i + 100};
  static point_cloud cloud;
  fill_box(&cloud, 2 + 2 * _i);
  const weft_collider_def def = def_of(&cloud);
  tested_solid solid = new_solid(&weft__hull_row, &def, distance_to_box, NULL);
  // thirds are inexact in floats
  solid.tolerance = 1e-7;
  check_solid(&solid, &random, (weft__vec3){-2, -2, -2}, (weft__vec3){2, 2, 2}, ROUNDS(1000, 100));
  weft__vec3 lower;
  weft__vec3 upper;
  solid.row->bound(&solid.shape, &lower, &upper);
  require(lower.x == -1.0 && lower.y == -0.5 && lower.z == -0.75);
  require(upper.x == 1.0 && upper.y == 0.5 && upper.z == 0.75);
  solid.row->destroy(&solid.shape);
}

static void fill_ball(point_cloud* cloud, random_source* random, uint32_t count) {
  cloud->count = 0;
  while (cloud->count < count) {
    const weft__vec3 place = random_place(random, (weft__vec3){-1, -1, -1}, (weft__vec3){1, 1, 1});
    const double length = weft__length(place);
    if (length > 1.0 || length < 0.1) continue;
    float* point = cloud->points[cloud->count++];
    point[0] = (float)(place.x / length);
    point[1] = (float)(place.y / length);
    point[2] = (float)(place.z / length);
  }
}

static double distance_to_ball(const void* scene, weft__vec3 point) {
  (void)scene;
  return weft__length(point) - 1.0;
}

LOOP_TEST(the_hull_of_points_of_a_ball_is_nearly_a_ball, 0, 2) {
  random_source random = {(uint64_t)_i + 200};
  static point_cloud cloud;
  fill_ball(&cloud, &random, MOST_POINTS);
  const weft_collider_def def = def_of(&cloud);
  tested_solid solid = new_solid(&weft__hull_row, &def, distance_to_ball, NULL);
  for (int round = 0; round < ROUNDS(2000, 200); ++round) {
    const weft__vec3 point = random_place(&random, (weft__vec3){-2, -2, -2}, (weft__vec3){2, 2, 2});
    const double expected = distance_to_ball(NULL, point);
    weft__surface_point nearest;
    require(solid.row->find_nearest(&solid.shape, point, INFINITY, &nearest));
    // with this many points the faces lie at most 0.02 inside the sphere
    require(nearest.distance > expected - 1e-6 && nearest.distance < expected + 0.02);
    weft__cast cast;
    const weft__vec3 to = weft__scaled(-1.0, point);
    if (expected <= 0.02) continue;
    require(solid.row->cast(&solid.shape, point, to, 0.0, &cast));
    require(weft__length(cast.point) < 1.0 + 1e-6 && weft__length(cast.point) > 0.98);
    require(weft__dot(cast.normal, point) > 0.9 * weft__length(point));
  }
  solid.row->destroy(&solid.shape);
}

// ---- faces ----

static void check_faces(const point_cloud* cloud, const weft__hull_faces* faces, double tolerance) {
  // each directed edge occurs once, and so does its reverse
  const uint32_t edge_count = 3 * faces->count;
  uint64_t* edges = test_alloc(edge_count * sizeof(*edges));
  weft__vec3 sum = {0, 0, 0};
  for (uint32_t i = 0; i < faces->count; ++i) {
    const uint32_t* corners = &faces->corners[3 * (size_t)i];
    const weft__triangle triangle = {at(cloud, corners[0]), at(cloud, corners[1]),
                                     at(cloud, corners[2])};
    const weft__vec3 normal = weft__triangle_normal(&triangle);
    sum = weft__plus(sum, normal);
    for (uint32_t point = 0; point < cloud->count; ++point) {
      const double height = weft__dot(normal, weft__minus(at(cloud, point), triangle.a));
      require(height <= tolerance * weft__length(normal));
    }
    for (uint32_t k = 0; k < 3; ++k) {
      edges[3 * i + k] = (uint64_t)corners[k] << 32 | corners[(k + 1) % 3];
    }
  }
  require(weft__length(sum) < 1e-9);
  for (uint32_t i = 0; i < edge_count; ++i) {
    int back = 0;
    for (uint32_t j = 0; j < edge_count; ++j) {
      require(i == j || edges[i] != edges[j]);
      if (edges[j] == (edges[i] << 32 | edges[i] >> 32)) back += 1;
    }
    require(back == 1);
  }
}

LOOP_TEST(faces_close_and_have_all_points_below, 0, 6) {
  random_source random = {(uint64_t)_i + 300};
  static point_cloud cloud;
  for (int round = 0; round < ROUNDS(20, 2); ++round) {
    const uint32_t count = random_from(&random, 4, ROUNDS(300, 60));
    if (_i == 0) scatter(&cloud, &random, count);
    if (_i == 1) fill_ball(&cloud, &random, count);
    if (_i == 2) fill_box(&cloud, (int)random_from(&random, 2, 6));
    if (_i >= 3) {
      // few rounded coordinates: many points are coplanar, collinear or coincident
      scatter(&cloud, &random, count);
      for (uint32_t i = 0; i < count; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
          cloud.points[i][axis] = roundf(cloud.points[i][axis] * (_i == 3 ? 1.4f : 3.0f));
        }
      }
    }
    // nearly flat, far away
    if (_i == 5) {
      for (uint32_t i = 0; i < count; ++i) {
        cloud.points[i][1] *= 1e-5f;
        cloud.points[i][0] += 1e3f;
      }
    }
    if (!weft__points_are_solid(cloud.points[0], cloud.count)) {
      require(count < 30);
      continue;
    }
    weft__hull_faces faces;
    require(weft__quickhull(cloud.points[0], cloud.count, &faces));
    check_faces(&cloud, &faces, 1e-8);
    free(faces.corners);
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
