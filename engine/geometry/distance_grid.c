// Distance grids: samples of a signed distance, linear in each direction between them.
//
// Along a way, the distance within a cell is a polynomial of third degree in the fraction, of which the first root is
// found between its turning points: so nothing is too thin or too fast to be met. Where the surface is far, cells are
// leapt over: the distance falls no faster than the steepest cell lets it.
//
// A distance is taken at its word: it is neither measured again nor made steeper or flatter.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec3.h"
#include "geometry/points.h"
#include "geometry/shape.h"

typedef struct grid {
  float* samples;
  uint32_t size[3];
  double spacing;
  double slope;  // the steepest: metres of distance for a spacing
} grid;

static weft_result check(const weft_collider_def* def) {
  uint64_t count = 1;
  for (int axis = 0; axis < 3; ++axis) {
    WEFT__TRY(weft__check_size(def, axis));
    count *= def->size[axis];
  }
  WEFT__TRY(weft__check_spacing(def));
  return weft__check_samples(def, count);
}

// ---- cells ----

// The distance in a cell, of places 0 to 1 along each axis: parts[k] times the product of the axes whose bit
// is in k.
typedef struct grid_cell {
  double parts[8];
} grid_cell;

static double sample_at(const grid* of, uint32_t i, uint32_t j, uint32_t k) {
  return (double)of->samples[((size_t)k * of->size[1] + j) * of->size[0] + i];
}

static grid_cell cell_at(const grid* of, const uint32_t first[3]) {
  grid_cell cell;
  for (uint32_t k = 0; k < 8; ++k) {
    cell.parts[k] = sample_at(of, first[0] + (k & 1), first[1] + (k >> 1 & 1), first[2] + (k >> 2));
  }
  // along each axis, what is at its end becomes what is gained on the way
  for (uint32_t bit = 1; bit < 8; bit *= 2) {
    for (uint32_t k = 0; k < 8; ++k) {
      if ((k & bit) != 0) cell.parts[k] -= cell.parts[k - bit];
    }
  }
  return cell;
}

static double value_in(const grid_cell* cell, const double at[3]) {
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

static double slope_in(const grid_cell* cell, const double at[3], int axis) {
  double slope = 0.0;
  for (uint32_t k = 0; k < 8; ++k) {
    if ((k >> axis & 1) == 0) continue;
    double product = cell->parts[k];
    for (int other = 0; other < 3; ++other) {
      if (other != axis && (k >> other & 1) != 0) product *= at[other];
    }
    slope += product;
  }
  return slope;
}

// the most that the gradient can be long: of each axis the steepest of its four edges
static double steepest_in(const grid_cell* cell) {
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    double steepest = 0.0;
    for (uint32_t corner = 0; corner < 8; ++corner) {
      const double at[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
      const double slope = fabs(slope_in(cell, at, axis));
      if (slope > steepest) steepest = slope;
    }
    sum += steepest * steepest;
  }
  return sqrt(sum);
}

// the cell of a place that is counted in spacings, and the place in it; what is beyond an edge is in the last
static void locate(const grid* of, const double at[3], uint32_t first[3], double within[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    const uint32_t last = of->size[axis] - 2;
    first[axis] = at[axis] > 0.0 ? (at[axis] < last ? (uint32_t)at[axis] : last) : 0;
    within[axis] = at[axis] - first[axis];
  }
}

static void in_spacings(const grid* of, weft__vec3 point, double at[3]) {
  at[0] = point.x / of->spacing;
  at[1] = point.y / of->spacing;
  at[2] = point.z / of->spacing;
}

// ---- build ----

static double find_slope(const grid* of) {
  double steepest = 0.0;
  uint32_t first[3];
  for (first[2] = 0; first[2] + 1 < of->size[2]; ++first[2]) {
    for (first[1] = 0; first[1] + 1 < of->size[1]; ++first[1]) {
      for (first[0] = 0; first[0] + 1 < of->size[0]; ++first[0]) {
        const grid_cell cell = cell_at(of, first);
        const double slope = steepest_in(&cell);
        if (slope > steepest) steepest = slope;
      }
    }
  }
  return steepest;
}

static void destroy(weft__shape* shape) {
  grid* gone = shape->data;
  if (gone == NULL) return;
  free(gone->samples);
  free(gone);
  shape->data = NULL;
}

static bool build(weft__shape* shape, const weft_collider_def* def) {
  grid* made = weft__alloc_zeroed(1, sizeof(*made));
  if (made == NULL) return false;
  shape->data = made;
  memcpy(made->size, def->size, sizeof(made->size));
  made->spacing = (double)def->spacing;
  const size_t count = (size_t)def->size[0] * def->size[1] * def->size[2];
  made->samples = weft__alloc(count, sizeof(*made->samples));
  if (made->samples == NULL) {
    destroy(shape);
    return false;
  }
  memcpy(made->samples, def->samples, count * sizeof(*made->samples));
  made->slope = find_slope(made);
  shape->bytes = sizeof(*made) + count * sizeof(*made->samples);
  return true;
}

static void bound(const weft__shape* shape, weft__vec3* least, weft__vec3* most) {
  const grid* of = shape->data;
  *least = (weft__vec3){0.0, 0.0, 0.0};
  *most = (weft__vec3){(of->size[0] - 1) * of->spacing, (of->size[1] - 1) * of->spacing,
                       (of->size[2] - 1) * of->spacing};
}

// ---- nearest ----

static weft__vec3 normal_in(const grid_cell* cell, const double within[3]) {
  const weft__vec3 slope = {slope_in(cell, within, 0), slope_in(cell, within, 1),
                            slope_in(cell, within, 2)};
  const double length = weft__length(slope);
  // where the distance is level any direction is as good
  if (!(length > 0.0)) return (weft__vec3){0.0, 1.0, 0.0};
  return weft__scaled(1.0 / length, slope);
}

static bool is_between_edges(const grid* of, const double at[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!(at[axis] >= 0.0 && at[axis] <= of->size[axis] - 1)) return false;
  }
  return true;
}

// whether the place is between the edges or not
static weft__surface_point surface_from(const grid* of, weft__vec3 point) {
  double at[3];
  uint32_t first[3];
  double within[3];
  in_spacings(of, point, at);
  locate(of, at, first, within);
  const grid_cell cell = cell_at(of, first);
  const double distance = value_in(&cell, within);
  const weft__vec3 normal = normal_in(&cell, within);
  return (weft__surface_point){distance, weft__minus(point, weft__scaled(distance, normal)),
                               normal};
}

static bool find_nearest(const weft__shape* shape, weft__vec3 point, double reach,
                         weft__surface_point* nearest) {
  const grid* of = shape->data;
  double at[3];
  in_spacings(of, point, at);
  if (!is_between_edges(of, at)) return false;
  *nearest = surface_from(of, point);
  return nearest->distance <= reach;
}

// ---- casts ----

static double cubic(const double parts[4], double at) {
  return parts[0] + at * (parts[1] + at * (parts[2] + at * parts[3]));
}

// where a polynomial turns: up to two places
static int turns_of(const double parts[4], double turns[2]) {
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

// the first place from 0 to `end` where a polynomial is not above 0
static bool find_root(const double parts[4], double end, double* root) {
  *root = 0.0;
  if (parts[0] <= 0.0) return true;
  double stops[3];
  int count = turns_of(parts, stops);
  stops[count++] = end;
  double above = 0.0;
  for (int k = 0; k < count; ++k) {
    // what is no number, or beyond the end, is no stop
    if (!(stops[k] > above && stops[k] <= end)) continue;
    double below = stops[k];
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

// the distance along a way through the cell: its axes' products, multiplied out
static void spread(const grid_cell* cell, const double at[3], const double way[3],
                   double parts[4]) {
  memset(parts, 0, 4 * sizeof(*parts));
  for (uint32_t k = 0; k < 8; ++k) {
    double product[4] = {cell->parts[k], 0.0, 0.0, 0.0};
    for (int axis = 0; axis < 3; ++axis) {
      if ((k >> axis & 1) == 0) continue;
      for (int power = 3; power > 0; --power) {
        product[power] = product[power] * at[axis] + product[power - 1] * way[axis];
      }
      product[0] *= at[axis];
    }
    for (int power = 0; power < 4; ++power) parts[power] += product[power];
  }
}

typedef struct grid_walk {
  const grid* of;
  double from[3], way[3];  // in spacings
  double radius;
  double fall;        // the most that the distance can change over all of the way
  double at, end;     // fractions
  uint32_t first[3];  // the cell
} grid_walk;

// cuts the way to what is between the edges; false if nothing is
static bool enter(grid_walk* walk) {
  walk->at = 0.0;
  walk->end = 1.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double edges[2] = {0.0, walk->of->size[axis] - 1.0};
    if (walk->way[axis] == 0.0) {
      if (!(walk->from[axis] >= edges[0] && walk->from[axis] <= edges[1])) return false;
      continue;
    }
    const bool forth = walk->way[axis] > 0.0;
    const double in = (edges[forth ? 0 : 1] - walk->from[axis]) / walk->way[axis];
    const double out = (edges[forth ? 1 : 0] - walk->from[axis]) / walk->way[axis];
    if (in > walk->at) walk->at = in;
    if (out < walk->end) walk->end = out;
  }
  return walk->at <= walk->end;
}

static void place_at(const grid_walk* walk, double fraction, double at[3]) {
  for (int axis = 0; axis < 3; ++axis) at[axis] = walk->from[axis] + fraction * walk->way[axis];
}

// the fraction where the way leaves the cell, and along which axis; -1 = it ends in it
static double leave(const grid_walk* walk, int* through) {
  double soonest = walk->end;
  *through = -1;
  for (int axis = 0; axis < 3; ++axis) {
    if (walk->way[axis] == 0.0) continue;
    const double edge = walk->first[axis] + (walk->way[axis] > 0.0 ? 1.0 : 0.0);
    const double out = (edge - walk->from[axis]) / walk->way[axis];
    if (out > soonest) continue;
    soonest = out;
    *through = axis;
  }
  return soonest > walk->at ? soonest : walk->at;
}

// into the next cell; false where there is none
static bool go_through(grid_walk* walk, int axis) {
  if (axis < 0) return false;
  if (walk->way[axis] > 0.0) {
    walk->first[axis] += 1;
    return walk->first[axis] + 1 < walk->of->size[axis];
  }
  return walk->first[axis]-- > 0;
}

static bool find_hit(grid_walk* walk) {
  double at[3];
  double within[3];
  place_at(walk, walk->at, at);
  locate(walk->of, at, walk->first, within);
  for (;;) {
    const grid_cell cell = cell_at(walk->of, walk->first);
    place_at(walk, walk->at, at);
    for (int axis = 0; axis < 3; ++axis) within[axis] = at[axis] - walk->first[axis];
    double parts[4];
    spread(&cell, within, walk->way, parts);
    parts[0] -= walk->radius;
    int through = 0;
    const double until = leave(walk, &through);
    double root = 0.0;
    if (find_root(parts, until - walk->at, &root)) {
      walk->at += root;
      return true;
    }
    // until here nothing can be met
    const double safe = walk->at + (walk->fall > 0.0 ? parts[0] / walk->fall : INFINITY);
    if (safe > until) {
      if (safe >= walk->end) return false;
      walk->at = safe;
      place_at(walk, walk->at, at);
      locate(walk->of, at, walk->first, within);
      continue;
    }
    walk->at = until;
    if (!go_through(walk, through)) return false;
  }
}

static bool cast_ball(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double radius,
                      weft__cast* cast) {
  const grid* of = shape->data;
  grid_walk walk = {.of = of, .radius = radius};
  const weft__vec3 way = weft__minus(to, from);
  in_spacings(of, from, walk.from);
  in_spacings(of, way, walk.way);
  // a little steeper than it is, for rounding
  walk.fall = 1.000001 * of->slope * weft__length(way) / of->spacing;
  if (!enter(&walk) || !find_hit(&walk)) return false;
  const weft__vec3 center = weft__plus(from, weft__scaled(walk.at, way));
  const weft__surface_point surface = surface_from(of, center);
  *cast = (weft__cast){walk.at, surface.point, surface.normal};
  return true;
}

// ---- boxes ----

// the nearest place between the edges
static weft__vec3 clamp(const weft__shape* shape, weft__vec3 point) {
  weft__vec3 least;
  weft__vec3 most;
  bound(shape, &least, &most);
  return (weft__vec3){fmin(fmax(point.x, least.x), most.x), fmin(fmax(point.y, least.y), most.y),
                      fmin(fmax(point.z, least.z), most.z)};
}

// halves the box along each half edge until its parts are surely apart or surely not; says yes of the last that are
// neither
static bool part_meets(const weft__shape* shape, weft__vec3 center, const weft__vec3 half_edges[3],
                       int depth) {
  const grid* of = shape->data;
  double reach_sq = 0.0;
  for (int k = 0; k < 3; ++k) reach_sq += weft__dot(half_edges[k], half_edges[k]);
  const double reach = sqrt(reach_sq) * (1.0 + 1e-12);
  const weft__vec3 inside = clamp(shape, center);
  const double beyond = weft__length(weft__minus(center, inside));
  if (beyond > reach) return false;
  const double distance = surface_from(of, inside).distance;
  if (distance > 1.000001 * reach * of->slope / of->spacing) return false;
  if ((beyond == 0.0 && distance <= 0.0) || depth == 0) return true;
  weft__vec3 halves[3];
  for (int k = 0; k < 3; ++k) halves[k] = weft__scaled(0.5, half_edges[k]);
  for (int part = 0; part < 8; ++part) {
    weft__vec3 middle = center;
    for (int k = 0; k < 3; ++k) {
      middle =
          (part >> k & 1) != 0 ? weft__plus(middle, halves[k]) : weft__minus(middle, halves[k]);
    }
    if (part_meets(shape, middle, halves, depth - 1)) return true;
  }
  return false;
}

// nearly: a box that comes near the surface by an eighth of its size may be said to meet it
static bool meets_box(const weft__shape* shape, weft__vec3 center, const weft__vec3 half_edges[3]) {
  return part_meets(shape, center, half_edges, 3);
}

const weft__shape_row weft__distance_grid_row = {
    .check = check,
    .build = build,
    .destroy = destroy,
    .bound = bound,
    .find_nearest = find_nearest,
    .cast = cast_ball,
    .meets_box = meets_box,
};
