#include "geometry/triangle.h"
#include "support/solid.h"
#include "support/test.h"

enum { MOST_SIDE = 30 };

typedef struct terrain {
  float heights[MOST_SIDE * MOST_SIDE];
  uint32_t columns, rows;
  float spacing;
} terrain;

static weft_collider_def def_of(const terrain* of) {
  weft_collider_def def = {.shape = WEFT_COLLIDER_SHAPE_HEIGHTFIELD,
                           .samples = of->heights,
                           .size = {of->columns, 0, of->rows},
                           .spacing = of->spacing};
  return def;
}

static void raise_terrain(terrain* made, random_source* random, float bump) {
  made->columns = random_from(random, 2, MOST_SIDE);
  made->rows = random_from(random, 2, MOST_SIDE);
  made->spacing = 2.0f / (float)(made->columns > made->rows ? made->columns : made->rows);
  for (uint32_t i = 0; i < made->columns * made->rows; ++i) {
    made->heights[i] = random_float(random, -bump, bump);
  }
}

// ---- oracle: each triangle, and the walls as triangles that extend far down ----

static weft__vec3 top_at(const terrain* of, uint32_t i, uint32_t j) {
  return (weft__vec3){i * (double)of->spacing, (double)of->heights[j * of->columns + i],
                      j * (double)of->spacing};
}

static double nearer(double lower, weft__vec3 point, weft__vec3 a, weft__vec3 b, weft__vec3 c) {
  const weft__triangle triangle = {a, b, c};
  const double distance = weft__nearest_on_triangle(point, &triangle).distance;
  return distance < lower ? distance : lower;
}

static double nearer_wall(double lower, weft__vec3 point, weft__vec3 a, weft__vec3 b) {
  weft__vec3 low_a = a;
  weft__vec3 low_b = b;
  low_a.y = low_b.y = -100.0;
  lower = nearer(lower, point, a, b, low_a);
  return nearer(lower, point, low_a, low_b, b);
}

// true if a point is below a triangle, by the orientation of its edges seen from above
static bool is_below(weft__vec3 p, weft__vec3 a, weft__vec3 b, weft__vec3 c) {
  const double ab = (b.x - a.x) * (p.z - a.z) - (b.z - a.z) * (p.x - a.x);
  const double bc = (c.x - b.x) * (p.z - b.z) - (c.z - b.z) * (p.x - b.x);
  const double ca = (a.x - c.x) * (p.z - c.z) - (a.z - c.z) * (p.x - c.x);
  if (!((ab >= 0 && bc >= 0 && ca >= 0) || (ab <= 0 && bc <= 0 && ca <= 0))) return false;
  const double sum = ab + bc + ca;
  return p.y < (bc * a.y + ca * b.y + ab * c.y) / sum;
}

static double distance_to_terrain(const void* scene, weft__vec3 point) {
  const terrain* of = scene;
  double lower = INFINITY;
  bool inside = false;
  for (uint32_t j = 0; j + 1 < of->rows; ++j) {
    for (uint32_t i = 0; i + 1 < of->columns; ++i) {
      const weft__vec3 a = top_at(of, i, j);
      const weft__vec3 b = top_at(of, i + 1, j);
      const weft__vec3 c = top_at(of, i, j + 1);
      const weft__vec3 d = top_at(of, i + 1, j + 1);
      lower = nearer(nearer(lower, point, a, b, c), point, b, c, d);
      if (is_below(point, a, b, c) || is_below(point, b, c, d)) inside = true;
      if (i == 0) lower = nearer_wall(lower, point, a, c);
      if (j == 0) lower = nearer_wall(lower, point, a, b);
      if (i + 2 == of->columns) lower = nearer_wall(lower, point, b, d);
      if (j + 2 == of->rows) lower = nearer_wall(lower, point, c, d);
    }
  }
  return inside ? -lower : lower;
}

RANDOM_TEST(a_heightfield_is_solid_below_its_triangles, 4) {
  static terrain terrain_of;
  for (int round = 0; round < ROUNDS(3, 1); ++round) {
    raise_terrain(&terrain_of, &random, _i == 0 ? 0.0f : 0.4f * (float)_i);
    const weft_collider_def def = def_of(&terrain_of);
    tested_solid solid = new_solid(&weft__heightfield_row, &def, distance_to_terrain, &terrain_of);
    check_solid(&solid, &random, (weft__vec3){-0.7, -1.5, -0.7}, (weft__vec3){2.7, 1.5, 2.7},
                ROUNDS(40, 15));
    solid.row->destroy(&solid.shape);
  }
}

LOOP_TEST(nothing_falls_through_where_cells_and_triangles_meet, 0, 3) {
  random_source random = {(uint64_t)_i + 100};
  static terrain terrain_of;
  raise_terrain(&terrain_of, &random, 0.1f);
  terrain_of.columns = terrain_of.rows = MOST_SIDE;
  terrain_of.spacing = 0.125f;
  const weft_collider_def def = def_of(&terrain_of);
  tested_solid solid = new_solid(&weft__heightfield_row, &def, distance_to_terrain, &terrain_of);
  for (int round = 0; round < ROUNDS(4000, 300); ++round) {
    // multiples of 1/16 include corners and midpoints of edges and of cells
    const weft__vec3 target = {0.0625 * (2 + random_below(&random, 54)), 0.0,
                               0.0625 * (2 + random_below(&random, 54))};
    weft__vec3 way = {0.0, -0.8, 0.0};
    if (random_chance(&random, 2)) way.x = 0.0625 * ((int)random_below(&random, 3) - 1);
    if (random_chance(&random, 2)) way.z = (double)random_float(&random, -0.1f, 0.1f);
    weft__cast cast;
    const double radius = random_chance(&random, 2) ? 0.0 : 0.01;
    require(solid.row->cast(&solid.shape, weft__minus(target, way), weft__plus(target, way), radius,
                            &cast));
    require(cast.fraction > 0.3 && cast.fraction < 0.7 && cast.normal.y > 0.0);
  }
  solid.row->destroy(&solid.shape);
}

TEST(what_is_wrong_with_a_heightfield_is_named) {
  random_source random = {1};
  static terrain terrain_of;
  raise_terrain(&terrain_of, &random, 0.1f);
  terrain_of.columns = 5;
  terrain_of.rows = 7;
  const weft__shape_row* row = &weft__heightfield_row;
  weft_collider_def def = def_of(&terrain_of);
  expect_ok(row->check(&def));
  for (uint32_t axis = 0; axis < 3; axis += 2) {
    const uint32_t sizes[] = {0, 1, 65537};
    for (int k = 0; k < 3; ++k) {
      def = def_of(&terrain_of);
      def.size[axis] = sizes[k];
      expect_error_at(row->check(&def), WEFT_ERROR_RANGE, "weft_collider_def.size", axis);
    }
  }
  const float bad[] = {NAN, INFINITY, -INFINITY};
  def = def_of(&terrain_of);
  for (int k = 0; k < 3; ++k) {
    terrain_of.heights[34] = bad[k];
    expect_error_at(row->check(&def), WEFT_ERROR_NOT_FINITE, "weft_collider_def.samples", 34);
  }
}
