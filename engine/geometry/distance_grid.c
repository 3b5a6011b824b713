// Signed distance grids: samples with trilinear interpolation.
//
// Sphere casts are exact: along a line the interpolated distance within a cell is a cubic of the
// fraction; its first root is isolated between the turning points and bisected. So no feature is
// too thin and no sphere too fast. Far from the surface, conservative advancement skips cells.
//
// Samples are used as given: the field is not redistanced, its gradient not normalized.
#include <math.h>
#include <string.h>

#include "base/aabb.h"
#include "base/memory.h"
#include "base/min_max.h"
#include "base/vec3.h"
#include "geometry/def_checks.h"
#include "geometry/shape.h"

typedef struct grid {
  float* samples;
  uint32_t size[3];
  double spacing;
  double max_slope;  // bound of the gradient: metres of distance for each spacing
} grid;

static weft_result check(const weft_collider_def* def) {
  WEFT__TRY(WEFT__CHECK_FIELD(collider, def, size));
  WEFT__TRY(WEFT__CHECK_FIELD(collider, def, spacing));
  return weft__check_samples(def, (uint64_t)def->size[0] * def->size[1] * def->size[2]);
}

// Trilinear polynomial, coordinates 0 to 1: parts[k] multiplies the axes whose bit is set in k.
typedef struct grid_cell {
  double parts[8];
} grid_cell;

static double sample_at(const grid* grid_data, uint32_t i, uint32_t j, uint32_t k) {
  return (double)grid_data->samples[((size_t)k * grid_data->size[1] + j) * grid_data->size[0] + i];
}

static grid_cell load_cell(const grid* grid_data, const uint32_t first[3]) {
  grid_cell cell;
  for (uint32_t k = 0; k < 8; ++k) {
    cell.parts[k] =
        sample_at(grid_data, first[0] + (k & 1), first[1] + (k >> 1 & 1), first[2] + (k >> 2));
  }
  // differences along each axis
  for (uint32_t bit = 1; bit < 8; bit *= 2) {
    for (uint32_t k = 0; k < 8; ++k) {
      if ((k & bit) != 0) cell.parts[k] -= cell.parts[k - bit];
    }
  }
  return cell;
}

static double evaluate(const grid_cell* cell, const double at[3]) {
  double value = 0.0;
  for (uint32_t k = 0; k < 8; ++k) {
    double product = cell->parts[k];
    for (int axis = 0; axis < 3; ++axis) {
      if ((k >> axis & 1) != 0) product *= at[axis];
    }
    value += product;
  }
  return value;
}

static double partial_derivative(const grid_cell* cell, const double at[3], int axis) {
  double max_slope = 0.0;
  for (uint32_t k = 0; k < 8; ++k) {
    if ((k >> axis & 1) == 0) continue;
    double product = cell->parts[k];
    for (int other = 0; other < 3; ++other) {
      if (other != axis && (k >> other & 1) != 0) product *= at[other];
    }
    max_slope += product;
  }
  return max_slope;
}

// Bound of the gradient's length: the steepest of four edges, for each axis.
static double gradient_bound(const grid_cell* cell) {
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    double steepest = 0.0;
    for (uint32_t corner = 0; corner < 8; ++corner) {
      const double at[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
      const double max_slope = fabs(partial_derivative(cell, at, axis));
      if (max_slope > steepest) steepest = max_slope;
    }
    sum += steepest * steepest;
  }
  return sqrt(sum);
}

// Point in units of the spacing, clamped to the outermost cells.
static void locate_cell(const grid* grid_data, const double at[3], uint32_t first[3],
                        double within[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    const uint32_t last = grid_data->size[axis] - 2;
    first[axis] = at[axis] > 0.0 ? (at[axis] < last ? (uint32_t)at[axis] : last) : 0;
    within[axis] = at[axis] - first[axis];
  }
}

static void to_grid_units(const grid* grid_data, weft__vec3 point, double at[3]) {
  at[0] = point.x / grid_data->spacing;
  at[1] = point.y / grid_data->spacing;
  at[2] = point.z / grid_data->spacing;
}

static double find_gradient_bound(const grid* grid_data) {
  double steepest = 0.0;
  uint32_t first[3];
  for (first[2] = 0; first[2] + 1 < grid_data->size[2]; ++first[2]) {
    for (first[1] = 0; first[1] + 1 < grid_data->size[1]; ++first[1]) {
      for (first[0] = 0; first[0] + 1 < grid_data->size[0]; ++first[0]) {
        const grid_cell cell = load_cell(grid_data, first);
        const double max_slope = gradient_bound(&cell);
        if (max_slope > steepest) steepest = max_slope;
      }
    }
  }
  return steepest;
}

static void destroy(weft__shape* shape) {
  grid* grid_data = shape->data;
  if (grid_data == NULL) return;
  weft__free(grid_data->samples);
  weft__free(grid_data);
  shape->data = NULL;
}

static bool build(weft__shape* shape, const weft_collider_def* def) {
  grid* grid_data = weft__alloc_zeroed(1, sizeof(*grid_data));
  if (grid_data == NULL) return false;
  shape->data = grid_data;
  memcpy(grid_data->size, def->size, sizeof(grid_data->size));
  grid_data->spacing = (double)def->spacing;
  const size_t count = (size_t)def->size[0] * def->size[1] * def->size[2];
  grid_data->samples = weft__alloc(count, sizeof(*grid_data->samples));
  if (grid_data->samples == NULL) {
    destroy(shape);
    return false;
  }
  memcpy(grid_data->samples, def->samples, count * sizeof(*grid_data->samples));
  grid_data->max_slope = find_gradient_bound(grid_data);
  shape->bytes = sizeof(*grid_data) + count * sizeof(*grid_data->samples);
  return true;
}

static void describe(const weft__shape* shape, weft_collider_def* def) {
  const grid* grid_data = shape->data;
  def->samples = grid_data->samples;
}

static void bound(const weft__shape* shape, weft__vec3* lower, weft__vec3* upper) {
  const grid* grid_data = shape->data;
  *lower = (weft__vec3){0.0, 0.0, 0.0};
  *upper = (weft__vec3){(grid_data->size[0] - 1) * grid_data->spacing,
                        (grid_data->size[1] - 1) * grid_data->spacing,
                        (grid_data->size[2] - 1) * grid_data->spacing};
}

static weft__vec3 normal_in(const grid_cell* cell, const double within[3]) {
  const weft__vec3 max_slope = {partial_derivative(cell, within, 0),
                                partial_derivative(cell, within, 1),
                                partial_derivative(cell, within, 2)};
  const double length = weft__length(max_slope);
  // zero gradient: any direction will do
  if (!(length > 0.0)) return (weft__vec3){0.0, 1.0, 0.0};
  return weft__scaled(1.0 / length, max_slope);
}

static bool is_between_edges(const grid* grid_data, const double at[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!(at[axis] >= 0.0 && at[axis] <= grid_data->size[axis] - 1)) return false;
  }
  return true;
}

// One step along the gradient; extrapolates outside of the grid.
static weft__surface_point surface_from(const grid* grid_data, weft__vec3 point) {
  double at[3];
  uint32_t first[3];
  double within[3];
  to_grid_units(grid_data, point, at);
  locate_cell(grid_data, at, first, within);
  const grid_cell cell = load_cell(grid_data, first);
  const double distance = evaluate(&cell, within);
  const weft__vec3 normal = normal_in(&cell, within);
  return (weft__surface_point){distance, weft__minus(point, weft__scaled(distance, normal)),
                               normal};
}

static bool find_nearest(const weft__shape* shape, weft__vec3 point, double reach,
                         weft__surface_point* nearest) {
  const grid* grid_data = shape->data;
  double at[3];
  to_grid_units(grid_data, point, at);
  if (!is_between_edges(grid_data, at)) return false;
  *nearest = surface_from(grid_data, point);
  return nearest->distance <= reach;
}

static double cubic(const double parts[4], double at) {
  return parts[0] + at * (parts[1] + at * (parts[2] + at * parts[3]));
}

// Ascending: 0 or 2.
static int turning_points(const double parts[4], double turns[2]) {
  const double square = parts[2] * parts[2] - 3.0 * parts[3] * parts[1];
  if (!(square > 0.0)) return 0;
  const double root = sqrt(square);
  const double sum = -(parts[2] + (parts[2] < 0.0 ? -root : root));
  turns[0] = sum / (3.0 * parts[3]);
  turns[1] = parts[1] / sum;
  if (!(turns[0] < turns[1])) {
    const double turn = turns[0];
    turns[0] = turns[1];
    turns[1] = turn;
  }
  return 2;
}

// Smallest argument from 0 to `end` with a cubic <= 0.
static bool find_root(const double parts[4], double end, double* root) {
  *root = 0.0;
  if (parts[0] <= 0.0) return true;
  double candidates[3];
  int count = turning_points(parts, candidates);
  candidates[count++] = end;
  double above = 0.0;
  for (int k = 0; k < count; ++k) {
    // NaN, or out of range
    if (!(candidates[k] > above && candidates[k] <= end)) continue;
    double below = candidates[k];
    if (cubic(parts, below) > 0.0) {
      above = below;
      continue;
    }
    for (int step = 0; step < 60; ++step) {
      const double middle = 0.5 * (above + below);
      if (cubic(parts, middle) > 0.0) {
        above = middle;
      } else {
        below = middle;
      }
    }
    *root = above;
    return true;
  }
  return false;
}

// Coefficients of the cubic of a line's fraction.
static void restrict_to_line(const grid_cell* cell, const double at[3],
                             const double displacement[3], double parts[4]) {
  memset(parts, 0, 4 * sizeof(*parts));
  for (uint32_t k = 0; k < 8; ++k) {
    double product[4] = {cell->parts[k], 0.0, 0.0, 0.0};
    for (int axis = 0; axis < 3; ++axis) {
      if ((k >> axis & 1) == 0) continue;
      for (int power = 3; power > 0; --power) {
        product[power] = product[power] * at[axis] + product[power - 1] * displacement[axis];
      }
      product[0] *= at[axis];
    }
    for (int power = 0; power < 4; ++power) parts[power] += product[power];
  }
}

typedef struct grid_walk {
  const grid* grid_data;
  double from[3], displacement[3];  // in units of the spacing
  double radius;
  double fall_rate;  // bound of the change of distance over the whole displacement
  double at, end;    // fractions
  uint32_t first[3];
} grid_walk;

static bool clip_to_grid(grid_walk* walk) {
  walk->at = 0.0;
  walk->end = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double start = walk->from[axis];
    if (!weft__clip_to_slab(0.0 - start, (walk->grid_data->size[axis] - 1.0) - start,
                            walk->displacement[axis], &walk->at, &walk->end)) {
      return false;
    }
  }
  return walk->at <= walk->end;
}

static void point_at(const grid_walk* walk, double fraction, double at[3]) {
  for (int axis = 0; axis < 3; ++axis)
    at[axis] = walk->from[axis] + fraction * walk->displacement[axis];
}

// Axis -1: the line ends within.
static double exit_fraction(const grid_walk* walk, int* exit_axis) {
  double earliest = walk->end;
  *exit_axis = -1;
  for (int axis = 0; axis < 3; ++axis) {
    if (walk->displacement[axis] == 0.0) continue;
    const double edge = walk->first[axis] + (walk->displacement[axis] > 0.0 ? 1.0 : 0.0);
    const double out = (edge - walk->from[axis]) / walk->displacement[axis];
    if (out > earliest) continue;
    earliest = out;
    *exit_axis = axis;
  }
  return earliest > walk->at ? earliest : walk->at;
}

// Steps into the next cell; false at the edge of the grid.
static bool step_cell(grid_walk* walk, int axis) {
  if (axis < 0) return false;
  if (walk->displacement[axis] > 0.0) {
    walk->first[axis] += 1;
    return walk->first[axis] + 1 < walk->grid_data->size[axis];
  }
  return walk->first[axis]-- > 0;
}

static bool find_hit(grid_walk* walk) {
  double at[3];
  double within[3];
  point_at(walk, walk->at, at);
  locate_cell(walk->grid_data, at, walk->first, within);
  for (;;) {
    const grid_cell cell = load_cell(walk->grid_data, walk->first);
    point_at(walk, walk->at, at);
    for (int axis = 0; axis < 3; ++axis) within[axis] = at[axis] - walk->first[axis];
    double parts[4];
    restrict_to_line(&cell, within, walk->displacement, parts);
    parts[0] -= walk->radius;
    int exit_axis = 0;
    const double exit = exit_fraction(walk, &exit_axis);
    double root = 0.0;
    if (find_root(parts, exit - walk->at, &root)) {
      walk->at += root;
      return true;
    }
    const double safe = walk->at + (walk->fall_rate > 0.0 ? parts[0] / walk->fall_rate : INFINITY);
    if (safe > exit) {
      if (safe >= walk->end) return false;
      walk->at = safe;
      point_at(walk, walk->at, at);
      locate_cell(walk->grid_data, at, walk->first, within);
      continue;
    }
    walk->at = exit;
    if (!step_cell(walk, exit_axis)) return false;
  }
}

static bool cast_ball(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double radius,
                      weft__cast* cast) {
  const grid* grid_data = shape->data;
  grid_walk walk = {.grid_data = grid_data, .radius = radius};
  const weft__vec3 displacement = weft__minus(to, from);
  to_grid_units(grid_data, from, walk.from);
  to_grid_units(grid_data, displacement, walk.displacement);
  // margin for rounding
  walk.fall_rate =
      1.000001 * grid_data->max_slope * weft__length(displacement) / grid_data->spacing;
  if (!clip_to_grid(&walk) || !find_hit(&walk)) return false;
  const weft__vec3 center = weft__plus(from, weft__scaled(walk.at, displacement));
  const weft__surface_point surface = surface_from(grid_data, center);
  *cast = (weft__cast){walk.at, surface.point, surface.normal};
  return true;
}

// Nearest point within the grid.
static weft__vec3 clamp(const weft__shape* shape, weft__vec3 point) {
  weft__vec3 lower;
  weft__vec3 upper;
  bound(shape, &lower, &upper);
  return (weft__vec3){weft__min(weft__max(point.x, lower.x), upper.x),
                      weft__min(weft__max(point.y, lower.y), upper.y),
                      weft__min(weft__max(point.z, lower.z), upper.z)};
}

// Octants until each is surely separated or overlapping; undecided ones of the last level count as
// overlapping.
static bool octant_overlaps(const weft__shape* shape, weft__vec3 center,
                            const weft__vec3 half_edges[3], int depth) {
  const grid* grid_data = shape->data;
  double reach_sq = 0.0;
  for (int k = 0; k < 3; ++k) reach_sq += weft__dot(half_edges[k], half_edges[k]);
  const double reach = sqrt(reach_sq) * (1.0 + 1e-12);
  const weft__vec3 inside = clamp(shape, center);
  const double beyond = weft__length(weft__minus(center, inside));
  if (beyond > reach) return false;
  const double distance = surface_from(grid_data, inside).distance;
  if (distance > 1.000001 * reach * grid_data->max_slope / grid_data->spacing) return false;
  if ((beyond == 0.0 && distance <= 0.0) || depth == 0) return true;
  weft__vec3 halves[3];
  for (int k = 0; k < 3; ++k) halves[k] = weft__scaled(0.5, half_edges[k]);
  for (int part = 0; part < 8; ++part) {
    weft__vec3 middle = center;
    for (int k = 0; k < 3; ++k) {
      middle =
          (part >> k & 1) != 0 ? weft__plus(middle, halves[k]) : weft__minus(middle, halves[k]);
    }
    if (octant_overlaps(shape, middle, halves, depth - 1)) return true;
  }
  return false;
}

// Conservative: also a box that misses the surface by up to an eighth of its size.
static bool overlaps_box(const weft__shape* shape, weft__vec3 center,
                         const weft__vec3 half_edges[3]) {
  return octant_overlaps(shape, center, half_edges, 3);
}

const weft__shape_row weft__distance_grid_row = {
    .check = check,
    .build = build,
    .destroy = destroy,
    .describe = describe,
    .bound = bound,
    .find_nearest = find_nearest,
    .cast = cast_ball,
    .overlaps_box = overlaps_box,
};
