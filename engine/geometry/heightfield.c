// Heightfields: solid and unbounded below, with vertical walls at the edges.
//
//     row          A---B     cells are split from B to C; blocks of 8 x 8 cells are the items
//      |  A---B    | / |     of a BVH. Queries visit the cells of a block in range one by one.
//      v  | / |    C---D
//         C---D  columns ->
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/def_checks.h"
#include "geometry/shell.h"

enum { BLOCK = 8 };

typedef struct field {
  float* heights;  // [rows][columns]
  uint32_t columns, rows;
  uint32_t block_columns, block_rows;
  double spacing;
  double width, depth;  // along x and z
  weft__bvh tree;
} field;

static weft_result check(const weft_collider_def* def) {
  WEFT__TRY(WEFT__CHECK_ELEMENT(collider, def, size, 0));
  WEFT__TRY(WEFT__CHECK_ELEMENT(collider, def, size, 2));
  WEFT__TRY(WEFT__CHECK_FIELD(collider, def, spacing));
  return weft__check_samples(def, (uint64_t)def->size[0] * def->size[2]);
}

static weft__vec3 corner_at(const field* terrain, uint32_t column, uint32_t row) {
  return (weft__vec3){column * terrain->spacing,
                      (double)terrain->heights[(size_t)row * terrain->columns + column],
                      row * terrain->spacing};
}

// Half 0 is at the lower column and row; counter-clockwise from above.
static weft__triangle triangle_at(const field* terrain, uint32_t column, uint32_t row, int half) {
  const weft__vec3 b = corner_at(terrain, column + 1, row);
  const weft__vec3 c = corner_at(terrain, column, row + 1);
  if (half == 0) return (weft__triangle){corner_at(terrain, column, row), c, b};
  return (weft__triangle){b, c, corner_at(terrain, column + 1, row + 1)};
}

static uint32_t cell_below(double at, uint32_t samples) {
  if (!(at > 0.0)) return 0;
  return at < samples - 2 ? (uint32_t)at : samples - 2;
}

// x and z within the extent
static double height_at(const field* terrain, double x, double z) {
  const double column = x / terrain->spacing;
  const double row = z / terrain->spacing;
  const uint32_t i = cell_below(column, terrain->columns);
  const uint32_t j = cell_below(row, terrain->rows);
  const double u = column - i;
  const double v = row - j;
  const double a = corner_at(terrain, i, j).y;
  const double b = corner_at(terrain, i + 1, j).y;
  const double c = corner_at(terrain, i, j + 1).y;
  const double d = corner_at(terrain, i + 1, j + 1).y;
  if (u + v <= 1.0) return a + u * (b - a) + v * (c - a);
  return d + (1.0 - u) * (c - d) + (1.0 - v) * (b - d);
}

static double clamp(double value, double upper) {
  if (!(value > 0.0)) return 0.0;
  return value < upper ? value : upper;
}

static bool is_solid(const field* terrain, weft__vec3 point) {
  const bool between =
      point.x >= 0.0 && point.x <= terrain->width && point.z >= 0.0 && point.z <= terrain->depth;
  return between && point.y < height_at(terrain, point.x, point.z);
}

// Cells [begin, end) of a block.
typedef struct cell_range {
  uint32_t begin[2], end[2];  // column, row
} cell_range;

static uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static cell_range cells_of(const field* terrain, uint32_t block) {
  const uint32_t column = block % terrain->block_columns * BLOCK;
  const uint32_t row = block / terrain->block_columns * BLOCK;
  return (cell_range){
      {column, row},
      {smaller(column + BLOCK, terrain->columns - 1), smaller(row + BLOCK, terrain->rows - 1)},
  };
}

static weft__aabb box_of(const field* terrain, uint32_t block) {
  const cell_range cells = cells_of(terrain, block);
  weft__vec3 lower = corner_at(terrain, cells.begin[0], cells.begin[1]);
  weft__vec3 upper = corner_at(terrain, cells.end[0], cells.end[1]);
  upper.y = lower.y;
  for (uint32_t row = cells.begin[1]; row <= cells.end[1]; ++row) {
    for (uint32_t column = cells.begin[0]; column <= cells.end[0]; ++column) {
      const double height = corner_at(terrain, column, row).y;
      if (height < lower.y) lower.y = height;
      if (height > upper.y) upper.y = height;
    }
  }
  return weft__aabb_around(lower, upper);
}

static bool build_bvh(field* terrain) {
  const uint32_t count = terrain->block_columns * terrain->block_rows;
  weft__aabb* boxes = weft__alloc(count, sizeof(*boxes));
  if (boxes == NULL) return false;
  for (uint32_t i = 0; i < count; ++i) boxes[i] = box_of(terrain, i);
  const bool built = weft__bvh_create(&terrain->tree, count);
  if (built) weft__bvh_build(&terrain->tree, boxes, count);
  weft__free(boxes);
  return built;
}

static void destroy(weft__shape* shape) {
  field* terrain = shape->data;
  if (terrain == NULL) return;
  weft__free(terrain->heights);
  weft__bvh_destroy(&terrain->tree);
  weft__free(terrain);
  shape->data = NULL;
}

static bool build(weft__shape* shape, const weft_collider_def* def) {
  field* terrain = weft__alloc_zeroed(1, sizeof(*terrain));
  if (terrain == NULL) return false;
  shape->data = terrain;
  terrain->columns = def->size[0];
  terrain->rows = def->size[2];
  terrain->spacing = (double)def->spacing;
  terrain->width = (terrain->columns - 1) * terrain->spacing;
  terrain->depth = (terrain->rows - 1) * terrain->spacing;
  terrain->block_columns = (terrain->columns - 2) / BLOCK + 1;
  terrain->block_rows = (terrain->rows - 2) / BLOCK + 1;
  const size_t samples = (size_t)terrain->columns * terrain->rows;
  terrain->heights = weft__alloc(samples, sizeof(*terrain->heights));
  if (terrain->heights != NULL)
    memcpy(terrain->heights, def->samples, samples * sizeof(*def->samples));
  if (terrain->heights == NULL || !build_bvh(terrain)) {
    destroy(shape);
    return false;
  }
  shape->bytes = sizeof(*terrain) + samples * sizeof(*terrain->heights) + terrain->tree.bytes;
  return true;
}

static void describe(const weft__shape* shape, weft_collider_def* def) {
  const field* terrain = shape->data;
  def->samples = terrain->heights;
}

static void bound(const weft__shape* shape, weft__vec3* lower, weft__vec3* upper) {
  const field* terrain = shape->data;
  const weft__aabb box = weft__bvh_box(&terrain->tree);
  *lower = (weft__vec3){0.0, -INFINITY, 0.0};
  *upper = (weft__vec3){terrain->width, (double)box.upper[1], terrain->depth};
}

// Cells of a block that overlap a range along x and z.
static cell_range cells_between(const field* terrain, uint32_t block, const double lower[2],
                                const double upper[2]) {
  cell_range cells = cells_of(terrain, block);
  const uint32_t samples[2] = {terrain->columns, terrain->rows};
  for (int axis = 0; axis < 2; ++axis) {
    // one more cell on either side covers rounding
    const uint32_t low = cell_below(lower[axis] / terrain->spacing - 1.0, samples[axis]);
    const uint32_t high = cell_below(upper[axis] / terrain->spacing + 1.0, samples[axis]);
    if (low > cells.begin[axis]) cells.begin[axis] = low;
    if (high + 1 < cells.end[axis]) cells.end[axis] = high + 1;
  }
  return cells;
}

typedef struct nearest_search {
  const field* terrain;
  weft__vec3 point;
  double side;  // 1 = outside, -1 = inside
  bool found;
  double distance;
  weft__vec3 at, direction;  // unit, from the surface to the point
} nearest_search;

static double visit_nearest(void* context, uint32_t item, double limit) {
  nearest_search* search = context;
  const double lower[2] = {search->point.x - limit, search->point.z - limit};
  const double upper[2] = {search->point.x + limit, search->point.z + limit};
  const cell_range cells = cells_between(search->terrain, item, lower, upper);
  for (uint32_t row = cells.begin[1]; row < cells.end[1]; ++row) {
    for (uint32_t column = cells.begin[0]; column < cells.end[0]; ++column) {
      for (int half = 0; half < 2; ++half) {
        const weft__triangle triangle = triangle_at(search->terrain, column, row, half);
        const weft__triangle_point nearest = weft__nearest_on_triangle(search->point, &triangle);
        // first visited wins ties; the BVH's order is fixed
        if (!(nearest.distance < limit || (!search->found && nearest.distance <= limit))) continue;
        search->found = true;
        search->distance = limit = nearest.distance;
        search->at = nearest.point;
        search->direction =
            weft__triangle_direction(&triangle, &nearest, search->point, search->side);
      }
    }
  }
  return limit;
}

static void keep_nearer_wall(nearest_search* search, double distance, weft__vec3 at,
                             weft__vec3 direction) {
  if (distance >= search->distance) return;
  search->found = true;
  search->distance = distance;
  search->at = at;
  search->direction = direction;
}

// Nearest surface from inside: above in reach, or a wall.
static void find_exit(nearest_search* search) {
  const field* terrain = search->terrain;
  const weft__vec3 point = search->point;
  search->distance = INFINITY;
  keep_nearer_wall(search, point.x, (weft__vec3){0.0, point.y, point.z},
                   (weft__vec3){1.0, 0.0, 0.0});
  keep_nearer_wall(search, terrain->width - point.x, (weft__vec3){terrain->width, point.y, point.z},
                   (weft__vec3){-1.0, 0.0, 0.0});
  keep_nearer_wall(search, point.z, (weft__vec3){point.x, point.y, 0.0},
                   (weft__vec3){0.0, 0.0, 1.0});
  keep_nearer_wall(search, terrain->depth - point.z, (weft__vec3){point.x, point.y, terrain->depth},
                   (weft__vec3){0.0, 0.0, -1.0});
  weft__bvh_approach(&terrain->tree, point, search->distance, visit_nearest, search);
}

// Nearest wall from outside, straight across.
static void find_wall(nearest_search* search, double reach) {
  const field* terrain = search->terrain;
  const weft__vec3 point = search->point;
  const weft__vec3 at = {clamp(point.x, terrain->width), point.y, clamp(point.z, terrain->depth)};
  const weft__vec3 displacement = weft__minus(point, at);
  const double distance = weft__length(displacement);
  search->distance = INFINITY;
  if (!(distance > 0.0 && distance <= reach) || point.y > height_at(terrain, at.x, at.z)) return;
  keep_nearer_wall(search, distance, at, weft__scaled(1.0 / distance, displacement));
}

static bool find_nearest(const weft__shape* shape, weft__vec3 point, double reach,
                         weft__surface_point* nearest) {
  nearest_search search = {.terrain = shape->data, .point = point, .side = 1.0};
  if (is_solid(search.terrain, point)) {
    search.side = -1.0;
    find_exit(&search);
    *nearest =
        (weft__surface_point){-search.distance, search.at, weft__scaled(-1.0, search.direction)};
    return true;
  }
  find_wall(&search, reach);
  weft__bvh_approach(&search.terrain->tree, point, search.found ? search.distance : reach,
                     visit_nearest, &search);
  *nearest = (weft__surface_point){search.distance, search.at, search.direction};
  return search.found;
}

typedef struct cast_search {
  const field* terrain;
  weft__vec3 from, displacement;
  double radius;
  bool found;
  weft__triangle_hit best;
} cast_search;

static double cast_at_triangle(cast_search* search, const weft__triangle* triangle, double limit) {
  weft__triangle_hit hit;
  if (!weft__sphere_cast_triangle(search->from, search->displacement, search->radius, limit,
                                  triangle, &hit)) {
    return limit;
  }
  if (search->found && !(hit.fraction < limit)) return limit;
  search->found = true;
  search->best = hit;
  return hit.fraction;
}

static void swept_interval(double from, double displacement, double radius, double limit,
                           double* lower, double* upper) {
  const double to = from + limit * displacement;
  *lower = (displacement < 0.0 ? to : from) - radius;
  *upper = (displacement < 0.0 ? from : to) + radius;
}

static double visit_cast(void* context, uint32_t item, double limit) {
  cast_search* search = context;
  double lower[2];
  double upper[2];
  swept_interval(search->from.x, search->displacement.x, search->radius, limit, &lower[0],
                 &upper[0]);
  swept_interval(search->from.z, search->displacement.z, search->radius, limit, &lower[1],
                 &upper[1]);
  const cell_range cells = cells_between(search->terrain, item, lower, upper);
  for (uint32_t row = cells.begin[1]; row < cells.end[1]; ++row) {
    for (uint32_t column = cells.begin[0]; column < cells.end[0]; ++column) {
      for (int half = 0; half < 2; ++half) {
        const weft__triangle triangle = triangle_at(search->terrain, column, row, half);
        limit = cast_at_triangle(search, &triangle, limit);
      }
    }
  }
  return limit;
}

// The rim belongs to the triangles, vertical edges to cast_at_vertical_edge().
static double cast_at_wall(cast_search* search, weft__vec3 corner, weft__vec3 out, double limit) {
  const field* terrain = search->terrain;
  const double closing = -weft__dot(out, search->displacement);
  const double gap = weft__dot(out, weft__minus(search->from, corner)) - search->radius;
  if (!(gap >= 0.0 && closing > 0.0 && gap <= limit * closing)) return limit;
  const double fraction = gap / closing;
  weft__vec3 at = weft__plus(search->from, weft__scaled(fraction, search->displacement));
  at = weft__minus(at, weft__scaled(search->radius, out));
  const double along = out.x != 0.0 ? at.z : at.x;
  if (along < 0.0 || along > (out.x != 0.0 ? terrain->depth : terrain->width)) return limit;
  const weft__vec3 contact = {clamp(at.x, terrain->width), at.y, clamp(at.z, terrain->depth)};
  if (contact.y > height_at(terrain, contact.x, contact.z)) return limit;
  search->found = true;
  search->best = (weft__triangle_hit){fraction, contact, out};
  return fraction;
}

// As far down as the sphere gets.
static double cast_at_vertical_edge(cast_search* search, uint32_t column, uint32_t row,
                                    double limit) {
  const weft__vec3 top = corner_at(search->terrain, column, row);
  const double end = search->from.y + search->displacement.y;
  const double lowest = (end < search->from.y ? end : search->from.y) - search->radius;
  weft__vec3 bottom = top;
  if (lowest < bottom.y) bottom.y = lowest;
  const weft__triangle edge = {top, bottom, bottom};
  return cast_at_triangle(search, &edge, limit);
}

static double cast_at_walls(cast_search* search, double limit) {
  const field* terrain = search->terrain;
  const weft__vec3 far = {terrain->width, 0.0, terrain->depth};
  const weft__vec3 near = {0.0, 0.0, 0.0};
  limit = cast_at_wall(search, near, (weft__vec3){-1.0, 0.0, 0.0}, limit);
  limit = cast_at_wall(search, far, (weft__vec3){1.0, 0.0, 0.0}, limit);
  limit = cast_at_wall(search, near, (weft__vec3){0.0, 0.0, -1.0}, limit);
  limit = cast_at_wall(search, far, (weft__vec3){0.0, 0.0, 1.0}, limit);
  for (uint32_t k = 0; k < 4; ++k) {
    limit = cast_at_vertical_edge(search, k % 2 * (terrain->columns - 1),
                                  k / 2 * (terrain->rows - 1), limit);
  }
  return limit;
}

static bool cast_ball(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double radius,
                      weft__cast* cast) {
  weft__surface_point start;
  if (find_nearest(shape, from, radius, &start)) {
    *cast = (weft__cast){0.0, start.point, start.normal};
    return true;
  }
  cast_search search = {.terrain = shape->data,
                        .from = from,
                        .displacement = weft__minus(to, from),
                        .radius = radius};
  const double limit = cast_at_walls(&search, 1.0);
  weft__bvh_cast(&search.terrain->tree, from, search.displacement, radius, limit, visit_cast,
                 &search);
  if (!search.found) return false;
  *cast = (weft__cast){search.best.fraction, search.best.point, search.best.normal};
  return true;
}

typedef struct box_search {
  const field* terrain;
  weft__vec3 center;
  const weft__vec3* half_edges;
  weft__aabb box;  // AABB of the query
} box_search;

// Solid prism below a triangle, down to the bottom of the box.
static bool prism_overlaps(const box_search* search, const weft__triangle* triangle) {
  double top = triangle->a.y > triangle->b.y ? triangle->a.y : triangle->b.y;
  if (triangle->c.y > top) top = triangle->c.y;
  const double lowest = (double)search->box.lower[1];
  const weft__vec3 down = {0.0, top > lowest ? top - lowest : 1.0, 0.0};
  weft__polyhedron body = {
      .corners = {triangle->a, triangle->b, triangle->c, weft__minus(triangle->a, down),
                  weft__minus(triangle->b, down), weft__minus(triangle->c, down)},
      .edges = {weft__minus(triangle->b, triangle->a), weft__minus(triangle->c, triangle->b),
                weft__minus(triangle->a, triangle->c), down},
      .normals = {weft__triangle_normal(triangle)},
      .corner_count = 6,
      .edge_count = 4,
      .normal_count = 4,
  };
  for (int k = 0; k < 3; ++k) body.normals[1 + k] = weft__cross(body.edges[k], down);
  return weft__polyhedron_meets_box(&body, search->center, search->half_edges);
}

static bool visit_separated(void* context, uint32_t item) {
  const box_search* search = context;
  const double lower[2] = {(double)search->box.lower[0], (double)search->box.lower[2]};
  const double upper[2] = {(double)search->box.upper[0], (double)search->box.upper[2]};
  const cell_range cells = cells_between(search->terrain, item, lower, upper);
  for (uint32_t row = cells.begin[1]; row < cells.end[1]; ++row) {
    for (uint32_t column = cells.begin[0]; column < cells.end[0]; ++column) {
      for (int half = 0; half < 2; ++half) {
        const weft__triangle triangle = triangle_at(search->terrain, column, row, half);
        if (prism_overlaps(search, &triangle)) return false;
      }
    }
  }
  return true;
}

// Exact up to rounding.
static bool overlaps_box(const weft__shape* shape, weft__vec3 center,
                         const weft__vec3 half_edges[3]) {
  box_search search = {shape->data, center, half_edges,
                       weft__aabb_around_rotated(center, half_edges)};
  weft__aabb query = search.box;
  query.upper[1] = INFINITY;
  return !weft__bvh_find(&search.terrain->tree, &query, visit_separated, &search);
}

const weft__shape_row weft__heightfield_row = {
    .check = check,
    .build = build,
    .destroy = destroy,
    .describe = describe,
    .bound = bound,
    .find_nearest = find_nearest,
    .cast = cast_ball,
    .overlaps_box = overlaps_box,
};
