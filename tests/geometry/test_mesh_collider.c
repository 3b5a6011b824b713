#include "geometry/triangle.h"
#include "geometry/triangle_list.h"
#include "support/solid.h"
#include "support/test.h"

enum { MOST_POINTS = 200, MOST_TRIANGLES = 300 };

typedef struct triangle_soup {
  float points[MOST_POINTS][3];
  uint32_t triangles[MOST_TRIANGLES][3];
  uint32_t point_count, triangle_count;
} triangle_soup;

static weft_collider_def def_of(const triangle_soup* soup) {
  weft_collider_def def = {.shape = WEFT_COLLIDER_SHAPE_MESH,
                           .points = soup->points[0],
                           .point_count = soup->point_count,
                           .triangles = soup->triangles[0],
                           .triangle_count = soup->triangle_count};
  return def;
}

static weft__triangle triangle_of(const triangle_soup* soup, uint32_t number) {
  weft__vec3 corners[3];
  for (int k = 0; k < 3; ++k) {
    const float* at = soup->points[soup->triangles[number][k]];
    corners[k] = (weft__vec3){at[0], at[1], at[2]};
  }
  return (weft__triangle){corners[0], corners[1], corners[2]};
}

// oracle: minimum over all triangles
static double distance_to_soup(const void* scene, weft__vec3 point) {
  const triangle_soup* soup = scene;
  double lower = INFINITY;
  for (uint32_t i = 0; i < soup->triangle_count; ++i) {
    const weft__triangle triangle = triangle_of(soup, i);
    const double distance = weft__nearest_on_triangle(point, &triangle).distance;
    if (distance < lower) lower = distance;
  }
  return lower;
}

static void fill_soup(triangle_soup* soup, random_source* random) {
  soup->point_count = random_from(random, 3, MOST_POINTS);
  soup->triangle_count = random_from(random, 1, 60);
  for (uint32_t i = 0; i < soup->point_count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      soup->points[i][axis] = random_float(random, -2.0f, 2.0f);
    }
  }
  for (uint32_t i = 0; i < soup->triangle_count; ++i) {
    const uint32_t first = random_below(random, soup->point_count);
    const uint32_t step = random_from(random, 1, (soup->point_count - 1) / 2);
    for (uint32_t k = 0; k < 3; ++k) {
      soup->triangles[i][k] = (first + k * step) % soup->point_count;
    }
  }
}

RANDOM_TEST(a_mesh_is_all_of_its_triangles, 4) {
  for (int round = 0; round < ROUNDS(10, 2); ++round) {
    triangle_soup soup;
    fill_soup(&soup, &random);
    const weft_collider_def def = def_of(&soup);
    tested_solid solid = new_solid(&weft__mesh_row, &def, distance_to_soup, &soup);
    check_solid(&solid, &random, (weft__vec3){-3, -3, -3}, (weft__vec3){3, 3, 3}, 100);
    solid.row->destroy(&solid.shape);
  }
}

// ---- lists ----

// metres
static weft__vec3 random_step(random_source* random, double length) {
  return weft__scaled(length, (weft__vec3){(double)random_float(random, -1.0f, 1.0f),
                                           (double)random_float(random, -1.0f, 1.0f),
                                           (double)random_float(random, -1.0f, 1.0f)});
}

// False if there is no list.
static bool expect_same_contacts(const weft__shape* shape, weft__triangle_list* list,
                                 weft__vec3 from, weft__vec3 to, double radius) {
  weft__triangle_set near;
  weft__surface_point nearest[2];
  weft__cast cast[2];
  if (!weft__mesh_row.listed->find(shape, from, to, 1.0625 * radius, list, &near)) return false;
  const bool is_near = weft__mesh_row.find_nearest(shape, to, radius, &nearest[0]);
  const bool is_hit = weft__mesh_row.cast(shape, from, to, radius, &cast[0]);
  ck_assert_int_eq(weft__mesh_row.listed->find_nearest(shape, &near, to, radius, &nearest[1]),
                   is_near);
  ck_assert_int_eq(weft__mesh_row.listed->cast(shape, &near, from, to, radius, &cast[1]), is_hit);
  if (is_near) ck_assert_mem_eq(&nearest[0], &nearest[1], sizeof(nearest[0]));
  if (is_hit) ck_assert_mem_eq(&cast[0], &cast[1], sizeof(cast[0]));
  return true;
}

RANDOM_TEST(triangles_listed_near_a_path_give_the_contacts_of_the_whole_mesh, 4) {
  static const double steps[] = {0.0, 0.001, 0.03, 0.3};
  for (int round = 0; round < ROUNDS(20, 3); ++round) {
    triangle_soup soup;
    fill_soup(&soup, &random);
    const weft_collider_def def = def_of(&soup);
    tested_solid solid = new_solid(&weft__mesh_row, &def, distance_to_soup, &soup);
    weft__triangle_list list = {0};
    weft__vec3 at = random_step(&random, 2.0);
    int listed = 0;
    for (int n = 0; n < 400; ++n) {
      const double radius =
          random_below(&random, 4) == 0 ? 0.0 : (double)random_float(&random, 0.0f, 0.1f);
      const weft__vec3 to = weft__plus(at, random_step(&random, steps[random_below(&random, 4)]));
      listed += expect_same_contacts(&solid.shape, &list, at, to, radius);
      at = weft__length(to) < 3.0 ? to : random_step(&random, 2.0);
    }
    ck_assert_int_gt(listed, 300);
    solid.row->destroy(&solid.shape);
  }
}

// ---- watertightness ----

// bumpy sheet of squares with points at binary fractions, so that rays hit edges and corners
// exactly
static void fill_sheet(triangle_soup* soup, random_source* random, float bump) {
  enum { SIDE = 9 };
  *soup = (triangle_soup){.point_count = SIDE * SIDE};
  for (uint32_t i = 0; i < SIDE * SIDE; ++i) {
    soup->points[i][0] = 0.125f * (float)(i % SIDE);
    soup->points[i][1] = random_float(random, -bump, bump);
    soup->points[i][2] = 0.125f * (float)(i / SIDE);
  }
  for (uint32_t i = 0; i < (SIDE - 1) * (SIDE - 1); ++i) {
    const uint32_t a = i / (SIDE - 1) * SIDE + i % (SIDE - 1);
    const uint32_t quad[6] = {a, a + 1, a + SIDE, a + 1, a + SIDE + 1, a + SIDE};
    for (int k = 0; k < 6; ++k)
      soup->triangles[soup->triangle_count + (uint32_t)k / 3][k % 3] = quad[k];
    soup->triangle_count += 2;
  }
}

LOOP_TEST(nothing_passes_a_sheet_at_edges_and_corners_however_thin_and_fast, 0, 4) {
  random_source random = {(uint64_t)_i + 100};
  triangle_soup soup;
  fill_sheet(&soup, &random, _i % 2 == 0 ? 0.0f : 0.05f);
  const weft_collider_def def = def_of(&soup);
  tested_solid solid = new_solid(&weft__mesh_row, &def, distance_to_soup, &soup);
  static const double radii[] = {0.0, 1e-9, 1e-4, 0.01};
  for (int round = 0; round < ROUNDS(4000, 300); ++round) {
    // corners, midpoints of edges and other points of edges
    const uint32_t point = 10 + random_below(&random, 7) + 9 * random_below(&random, 7);
    const uint32_t other = point + (random_chance(&random, 2)   ? 1
                                    : random_chance(&random, 2) ? 9
                                                                : 8);
    const double share = random_chance(&random, 3) ? 0.0 : 0.125 * random_below(&random, 9);
    weft__vec3 target;
    const float* a = soup.points[point];
    const float* b = soup.points[other];
    target.x = (double)a[0] + share * ((double)b[0] - (double)a[0]);
    target.y = (double)a[1] + share * ((double)b[1] - (double)a[1]);
    target.z = (double)a[2] + share * ((double)b[2] - (double)a[2]);
    // vertical or oblique, 1.6 metres: about 100 metres a second at 60 steps a second
    weft__vec3 way = {0.0, random_chance(&random, 2) ? 0.8 : -0.8, 0.0};
    if (random_chance(&random, 2)) way.x = (double)random_float(&random, -0.3f, 0.3f);
    if (random_chance(&random, 2)) way.z = (double)random_float(&random, -0.3f, 0.3f);
    weft__cast cast;
    require(solid.row->cast(&solid.shape, weft__minus(target, way), weft__plus(target, way),
                            radii[round % 4], &cast));
    require(cast.fraction < 0.51);
    require(weft__dot(cast.normal, way) < 0.0);
  }
  solid.row->destroy(&solid.shape);
}

// ---- input ----

TEST(what_is_wrong_with_a_mesh_is_named) {
  random_source random = {1};
  triangle_soup soup;
  fill_sheet(&soup, &random, 0.05f);
  const weft__shape_row* row = &weft__mesh_row;
  weft_collider_def def = def_of(&soup);
  def.triangles = NULL;
  expect_null(row->check(&def), "weft_collider_def.triangles");
  def = def_of(&soup);
  soup.triangles[5][2] = soup.point_count;
  expect_error_at(row->check(&def), WEFT_ERROR_INDEX, "weft_collider_def.triangles", 5);
  soup.triangles[5][2] = soup.triangles[5][0];
  expect_error_at(row->check(&def), WEFT_ERROR_DEGENERATE, "weft_collider_def.triangles", 5);
  // three collinear points of a sheet without bumps
  fill_sheet(&soup, &random, 0.0f);
  soup.triangles[7][0] = 2;
  soup.triangles[7][1] = 3;
  soup.triangles[7][2] = 5;
  expect_error_at(row->check(&def), WEFT_ERROR_DEGENERATE, "weft_collider_def.triangles", 7);
  const float bad[] = {NAN, INFINITY, -INFINITY};
  for (uint32_t k = 0; k < 3; ++k) {
    fill_sheet(&soup, &random, 0.05f);
    soup.points[11][k] = bad[k];
    expect_error_at(row->check(&def), WEFT_ERROR_NOT_FINITE, "weft_collider_def.points", 11);
  }
}
