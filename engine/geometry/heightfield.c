// Heightfields: solid below, without end, with upright walls at the edges.
//
//     row          A---B     cells are cut from B to C; blocks of 8 x 8 cells are the items of a tree. What is in
//      |  A---B    | / |     one is looked at cell by cell, as far as it reaches.
//      v  | / |    C---D
//         C---D  columns ->
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/points.h"
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
  WEFT__TRY(weft__check_size(def, 0));
  WEFT__TRY(weft__check_size(def, 2));
  WEFT__TRY(weft__check_spacing(def));
  return weft__check_samples(def, (uint64_t)def->size[0] * def->size[2]);
}

// ---- places ----

static weft__vec3 corner_at(const field* of, uint32_t column, uint32_t row) {
  return (weft__vec3){column * of->spacing, (double)of->heights[(size_t)row * of->columns + column],
                      row * of->spacing};
}

// half 0 is at the lower column and row; seen from above they turn left
static weft__triangle triangle_at(const field* of, uint32_t column, uint32_t row, int half) {
  const weft__vec3 b = corner_at(of, column + 1, row);
  const weft__vec3 c = corner_at(of, column, row + 1);
  if (half == 0) return (weft__triangle){corner_at(of, column, row), c, b};
  return (weft__triangle){b, c, corner_at(of, column + 1, row + 1)};
}

static uint32_t cell_below(double at, uint32_t samples) {
  if (!(at > 0.0)) return 0;
  return at < samples - 2 ? (uint32_t)at : samples - 2;
}

// of places between the edges
static double height_at(const field* of, double x, double z) {
  const double column = x / of->spacing;
  const double row = z / of->spacing;
  const uint32_t i = cell_below(column, of->columns);
  const uint32_t j = cell_below(row, of->rows);
  const double u = column - i;
  const double v = row - j;
  const double a = corner_at(of, i, j).y;
  const double b = corner_at(of, i + 1, j).y;
  const double c = corner_at(of, i, j + 1).y;
  const double d = corner_at(of, i + 1, j + 1).y;
  if (u + v <= 1.0) return a + u * (b - a) + v * (c - a);
  return d + (1.0 - u) * (c - d) + (1.0 - v) * (b - d);
}

static double clamp(double value, double most) {
  if (!(value > 0.0)) return 0.0;
  return value < most ? value : most;
}

static bool is_solid(const field* of, weft__vec3 point) {
  const bool between =
      point.x >= 0.0 && point.x <= of->width && point.z >= 0.0 && point.z <= of->depth;
  return between && point.y < height_at(of, point.x, point.z);
}

// ---- build ----

// cells [begin, end) of a block
typedef struct cell_range {
  uint32_t begin[2], end[2];  // column, row
} cell_range;

static uint32_t smaller(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static cell_range cells_of(const field* of, uint32_t block) {
  const uint32_t column = block % of->block_columns * BLOCK;
  const uint32_t row = block / of->block_columns * BLOCK;
  return (cell_range){
      {column, row},
      {smaller(column + BLOCK, of->columns - 1), smaller(row + BLOCK, of->rows - 1)},
  };
}

static weft__box box_of(const field* of, uint32_t block) {
  const cell_range cells = cells_of(of, block);
  weft__vec3 least = corner_at(of, cells.begin[0], cells.begin[1]);
  weft__vec3 most = corner_at(of, cells.end[0], cells.end[1]);
  most.y = least.y;
  for (uint32_t row = cells.begin[1]; row <= cells.end[1]; ++row) {
    for (uint32_t column = cells.begin[0]; column <= cells.end[0]; ++column) {
      const double height = corner_at(of, column, row).y;
      if (height < least.y) least.y = height;
      if (height > most.y) most.y = height;
    }
  }
  return weft__aabb_around(least, most);
}

static bool plant_tree(field* made) {
  const uint32_t count = made->block_columns * made->block_rows;
  weft__box* boxes = weft__alloc(count, sizeof(*boxes));
  if (boxes == NULL) return false;
  for (uint32_t i = 0; i < count; ++i) boxes[i] = box_of(made, i);
  const bool planted = weft__bvh_create(&made->tree, count);
  if (planted) weft__bvh_build(&made->tree, boxes, count);
  free(boxes);
  return planted;
}

static void destroy(weft__shape* shape) {
  field* gone = shape->data;
  if (gone == NULL) return;
  free(gone->heights);
  weft__bvh_destroy(&gone->tree);
  free(gone);
  shape->data = NULL;
}

static bool build(weft__shape* shape, const weft_collider_def* def) {
  field* made = weft__alloc_zeroed(1, sizeof(*made));
  if (made == NULL) return false;
  shape->data = made;
  made->columns = def->size[0];
  made->rows = def->size[2];
  made->spacing = (double)def->spacing;
  made->width = (made->columns - 1) * made->spacing;
  made->depth = (made->rows - 1) * made->spacing;
  made->block_columns = (made->columns - 2) / BLOCK + 1;
  made->block_rows = (made->rows - 2) / BLOCK + 1;
  const size_t samples = (size_t)made->columns * made->rows;
  made->heights = weft__alloc(samples, sizeof(*made->heights));
  if (made->heights != NULL) memcpy(made->heights, def->samples, samples * sizeof(*def->samples));
  if (made->heights == NULL || !plant_tree(made)) {
    destroy(shape);
    return false;
  }
  shape->bytes = sizeof(*made) + samples * sizeof(*made->heights) + made->tree.bytes;
  return true;
}

static void bound(const weft__shape* shape, weft__vec3* least, weft__vec3* most) {
  const field* of = shape->data;
  const weft__box box = weft__bvh_box(&of->tree);
  *least = (weft__vec3){0.0, -INFINITY, 0.0};
  *most = (weft__vec3){of->width, (double)box.most[1], of->depth};
}

// ---- nearest ----

// What of a block's cells is between two places along x and z.
static cell_range cells_between(const field* of, uint32_t block, const double least[2],
                                const double most[2]) {
  cell_range cells = cells_of(of, block);
  const uint32_t samples[2] = {of->columns, of->rows};
  for (int axis = 0; axis < 2; ++axis) {
    // a cell more on either side covers rounding
    const uint32_t low = cell_below(least[axis] / of->spacing - 1.0, samples[axis]);
    const uint32_t high = cell_below(most[axis] / of->spacing + 1.0, samples[axis]);
    if (low > cells.begin[axis]) cells.begin[axis] = low;
    if (high + 1 < cells.end[axis]) cells.end[axis] = high + 1;
  }
  return cells;
}

typedef struct nearest_search {
  const field* of;
  weft__vec3 point;
  double side;  // 1 = it is outside, -1 = it is inside
  bool found;
  double distance;
  weft__vec3 at, direction;  // of length 1, from there to the point
} nearest_search;

static double look_nearer(void* context, uint32_t item, double limit) {
  nearest_search* search = context;
  const double least[2] = {search->point.x - limit, search->point.z - limit};
  const double most[2] = {search->point.x + limit, search->point.z + limit};
  const cell_range cells = cells_between(search->of, item, least, most);
  for (uint32_t row = cells.begin[1]; row < cells.end[1]; ++row) {
    for (uint32_t column = cells.begin[0]; column < cells.end[0]; ++column) {
      for (int half = 0; half < 2; ++half) {
        const weft__triangle triangle = triangle_at(search->of, column, row, half);
        const weft__triangle_point nearest = weft__nearest_on_triangle(search->point, &triangle);
        // of equals the first: blocks come in the order of the tree, which is always the same
        if (!(nearest.distance < limit || (!search->found && nearest.distance <= limit))) continue;
        search->found = true;
        search->distance = limit = nearest.distance;
        search->at = nearest.point;
        search->direction = weft__direction_from(&triangle, &nearest, search->point, search->side);
      }
    }
  }
  return limit;
}

static void note_wall(nearest_search* search, double distance, weft__vec3 at,
                      weft__vec3 direction) {
  if (distance >= search->distance) return;
  search->found = true;
  search->distance = distance;
  search->at = at;
  search->direction = direction;
}

// From inside: the surface straight above is within reach, and so may be the walls.
static void find_way_out(nearest_search* search) {
  const field* of = search->of;
  const weft__vec3 point = search->point;
  search->distance = INFINITY;
  note_wall(search, point.x, (weft__vec3){0.0, point.y, point.z}, (weft__vec3){1.0, 0.0, 0.0});
  note_wall(search, of->width - point.x, (weft__vec3){of->width, point.y, point.z},
            (weft__vec3){-1.0, 0.0, 0.0});
  note_wall(search, point.z, (weft__vec3){point.x, point.y, 0.0}, (weft__vec3){0.0, 0.0, 1.0});
  note_wall(search, of->depth - point.z, (weft__vec3){point.x, point.y, of->depth},
            (weft__vec3){0.0, 0.0, -1.0});
  weft__bvh_approach(&of->tree, point, search->distance, look_nearer, search);
}

// From outside: beside a wall, what is nearest of it is straight across.
static void find_wall(nearest_search* search, double reach) {
  const field* of = search->of;
  const weft__vec3 point = search->point;
  const weft__vec3 at = {clamp(point.x, of->width), point.y, clamp(point.z, of->depth)};
  const weft__vec3 way = weft__minus(point, at);
  const double distance = weft__length(way);
  search->distance = INFINITY;
  if (!(distance > 0.0 && distance <= reach) || point.y > height_at(of, at.x, at.z)) return;
  note_wall(search, distance, at, weft__scaled(1.0 / distance, way));
}

static bool find_nearest(const weft__shape* shape, weft__vec3 point, double reach,
                         weft__surface_point* nearest) {
  nearest_search search = {.of = shape->data, .point = point, .side = 1.0};
  if (is_solid(search.of, point)) {
    search.side = -1.0;
    find_way_out(&search);
    *nearest =
        (weft__surface_point){-search.distance, search.at, weft__scaled(-1.0, search.direction)};
    return true;
  }
  find_wall(&search, reach);
  weft__bvh_approach(&search.of->tree, point, search.found ? search.distance : reach, look_nearer,
                     &search);
  *nearest = (weft__surface_point){search.distance, search.at, search.direction};
  return search.found;
}

// ---- casts ----

typedef struct cast_search {
  const field* of;
  weft__vec3 from, way;
  double radius;
  bool found;
  weft__triangle_hit best;
} cast_search;

static double meet_triangle(cast_search* search, const weft__triangle* triangle, double limit) {
  weft__triangle_hit hit;
  if (!weft__ball_meets_triangle(search->from, search->way, search->radius, limit, triangle,
                                 &hit)) {
    return limit;
  }
  if (search->found && !(hit.fraction < limit)) return limit;
  search->found = true;
  search->best = hit;
  return hit.fraction;
}

// how far the ball gets along an axis, up to a limit
static void reach_along(double from, double way, double radius, double limit, double* least,
                        double* most) {
  const double to = from + limit * way;
  *least = (way < 0.0 ? to : from) - radius;
  *most = (way < 0.0 ? from : to) + radius;
}

static double look_earlier(void* context, uint32_t item, double limit) {
  cast_search* search = context;
  double least[2];
  double most[2];
  reach_along(search->from.x, search->way.x, search->radius, limit, &least[0], &most[0]);
  reach_along(search->from.z, search->way.z, search->radius, limit, &least[1], &most[1]);
  const cell_range cells = cells_between(search->of, item, least, most);
  for (uint32_t row = cells.begin[1]; row < cells.end[1]; ++row) {
    for (uint32_t column = cells.begin[0]; column < cells.end[0]; ++column) {
      for (int half = 0; half < 2; ++half) {
        const weft__triangle triangle = triangle_at(search->of, column, row, half);
        limit = meet_triangle(search, &triangle, limit);
      }
    }
  }
  return limit;
}

// Where the ball comes to a wall that looks along `out`, through `corner`. Its rim belongs to triangles, its upright
// edges are looked at by themselves.
static double meet_wall(cast_search* search, weft__vec3 corner, weft__vec3 out, double limit) {
  const field* of = search->of;
  const double closing = -weft__dot(out, search->way);
  const double gap = weft__dot(out, weft__minus(search->from, corner)) - search->radius;
  if (!(gap >= 0.0 && closing > 0.0 && gap <= limit * closing)) return limit;
  const double fraction = gap / closing;
  weft__vec3 at = weft__plus(search->from, weft__scaled(fraction, search->way));
  at = weft__minus(at, weft__scaled(search->radius, out));
  // along the wall it is to be between its edges
  const double along = out.x != 0.0 ? at.z : at.x;
  if (along < 0.0 || along > (out.x != 0.0 ? of->depth : of->width)) return limit;
  const weft__vec3 met = {clamp(at.x, of->width), at.y, clamp(at.z, of->depth)};
  if (met.y > height_at(of, met.x, met.z)) return limit;
  search->found = true;
  search->best = (weft__triangle_hit){fraction, met, out};
  return fraction;
}

// an upright edge, as far down as it matters
static double meet_upright(cast_search* search, uint32_t column, uint32_t row, double limit) {
  const weft__vec3 top = corner_at(search->of, column, row);
  const double end = search->from.y + search->way.y;
  const double lowest = (end < search->from.y ? end : search->from.y) - search->radius;
  weft__vec3 bottom = top;
  if (lowest < bottom.y) bottom.y = lowest;
  const weft__triangle edge = {top, bottom, bottom};
  return meet_triangle(search, &edge, limit);
}

static double meet_walls(cast_search* search, double limit) {
  const field* of = search->of;
  const weft__vec3 far = {of->width, 0.0, of->depth};
  const weft__vec3 near = {0.0, 0.0, 0.0};
  limit = meet_wall(search, near, (weft__vec3){-1.0, 0.0, 0.0}, limit);
  limit = meet_wall(search, far, (weft__vec3){1.0, 0.0, 0.0}, limit);
  limit = meet_wall(search, near, (weft__vec3){0.0, 0.0, -1.0}, limit);
  limit = meet_wall(search, far, (weft__vec3){0.0, 0.0, 1.0}, limit);
  for (uint32_t k = 0; k < 4; ++k) {
    limit = meet_upright(search, k % 2 * (of->columns - 1), k / 2 * (of->rows - 1), limit);
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
  cast_search search = {
      .of = shape->data, .from = from, .way = weft__minus(to, from), .radius = radius};
  const double limit = meet_walls(&search, 1.0);
  weft__bvh_cast(&search.of->tree, from, search.way, radius, limit, look_earlier, &search);
  if (!search.found) return false;
  *cast = (weft__cast){search.best.fraction, search.best.point, search.best.normal};
  return true;
}

// ---- boxes ----

typedef struct box_search {
  const field* of;
  weft__vec3 center;
  const weft__vec3* half_edges;
  weft__box box;  // around it
} box_search;

// what is solid below a triangle, down to where the box has ended
static bool column_meets(const box_search* search, const weft__triangle* triangle) {
  double top = triangle->a.y > triangle->b.y ? triangle->a.y : triangle->b.y;
  if (triangle->c.y > top) top = triangle->c.y;
  const double lowest = (double)search->box.least[1];
  const weft__vec3 down = {0.0, top > lowest ? top - lowest : 1.0, 0.0};
  weft__body body = {
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
  return weft__body_meets_box(&body, search->center, search->half_edges);
}

// goes on as long as no column meets the box
static bool look_apart(void* context, uint32_t item) {
  const box_search* search = context;
  const double least[2] = {(double)search->box.least[0], (double)search->box.least[2]};
  const double most[2] = {(double)search->box.most[0], (double)search->box.most[2]};
  const cell_range cells = cells_between(search->of, item, least, most);
  for (uint32_t row = cells.begin[1]; row < cells.end[1]; ++row) {
    for (uint32_t column = cells.begin[0]; column < cells.end[0]; ++column) {
      for (int half = 0; half < 2; ++half) {
        const weft__triangle triangle = triangle_at(search->of, column, row, half);
        if (column_meets(search, &triangle)) return false;
      }
    }
  }
  return true;
}

// exact but for rounding
static bool meets_box(const weft__shape* shape, weft__vec3 center, const weft__vec3 half_edges[3]) {
  box_search search = {shape->data, center, half_edges,
                       weft__aabb_around_rotated(center, half_edges)};
  weft__box asked = search.box;
  asked.most[1] = INFINITY;
  return !weft__bvh_find(&search.of->tree, &asked, look_apart, &search);
}

const weft__shape_row weft__heightfield_row = {
    .check = check,
    .build = build,
    .destroy = destroy,
    .bound = bound,
    .find_nearest = find_nearest,
    .cast = cast_ball,
    .meets_box = meets_box,
};
