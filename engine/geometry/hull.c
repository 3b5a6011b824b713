// Convex hulls: the shell of their faces, and a point well within.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/points.h"
#include "geometry/quickhull.h"
#include "geometry/shell.h"

enum { LEAST_POINTS = 4, MOST_POINTS = 65535 };

typedef struct hull {
  weft__shell shell;  // its corners alone
  weft__vec3 within;
} hull;

static weft_result check(const weft_collider_def* def) {
  WEFT__TRY(weft__check_points(def, LEAST_POINTS, MOST_POINTS));
  WEFT__FAIL_IF(!weft__points_are_solid(def->points, def->point_count), WEFT_ERROR_DEGENERATE,
                "weft_collider_def.points");
  return weft__ok();
}

// ---- build ----

static weft__vec3 place_of(const float* points, uint32_t point) {
  const float* at = &points[3 * (size_t)point];
  return (weft__vec3){at[0], at[1], at[2]};
}

// Leaves out faces that are no more than a line once points are back from the grid: they have no normal, and those
// beside them meet there.
static void drop_lines(weft__hull_faces* faces, const float* points) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < faces->count; ++i) {
    const uint32_t* corners = &faces->corners[3 * (size_t)i];
    const weft__triangle triangle = {place_of(points, corners[0]), place_of(points, corners[1]),
                                     place_of(points, corners[2])};
    if (weft__has_no_area(&triangle)) continue;
    memmove(&faces->corners[3 * (size_t)kept], corners, 3 * sizeof(*corners));
    kept += 1;
  }
  faces->count = kept;
}

// Numbers corners of faces from 0, in the order in which they come, and gathers their places; returns how many.
static uint32_t gather(weft__hull_faces* faces, const float* points, uint32_t* number_of,
                       float (*corners)[3], uint32_t point_count) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < point_count; ++i) number_of[i] = UINT32_MAX;
  for (uint32_t i = 0; i < 3 * faces->count; ++i) {
    const uint32_t point = faces->corners[i];
    if (number_of[point] == UINT32_MAX) {
      for (int axis = 0; axis < 3; ++axis) {
        corners[count][axis] = points[3 * (size_t)point + (size_t)axis];
      }
      number_of[point] = count++;
    }
    faces->corners[i] = number_of[point];
  }
  return count;
}

// the mean of all corners
static weft__vec3 middle_of(const weft__shell* shell) {
  weft__vec3 sum = {0.0, 0.0, 0.0};
  for (uint32_t i = 0; i < shell->point_count; ++i) {
    const float* at = shell->points[i];
    sum = weft__plus(sum, (weft__vec3){at[0], at[1], at[2]});
  }
  return weft__scaled(1.0 / shell->point_count, sum);
}

static bool fill(hull* made, const weft_collider_def* def) {
  weft__hull_faces faces;
  if (!weft__quickhull(def->points, def->point_count, &faces)) return false;
  uint32_t* number_of = weft__alloc(def->point_count, sizeof(*number_of));
  float(*corners)[3] = weft__alloc(def->point_count, sizeof(*corners));
  bool filled = number_of != NULL && corners != NULL;
  if (filled) {
    drop_lines(&faces, def->points);
    const uint32_t count = gather(&faces, def->points, number_of, corners, def->point_count);
    filled = weft__shell_create(&made->shell, corners[0], count, faces.corners, faces.count);
  }
  if (filled) made->within = middle_of(&made->shell);
  free(number_of);
  free(corners);
  free(faces.corners);
  return filled;
}

static bool build(weft__shape* shape, const weft_collider_def* def) {
  hull* made = weft__alloc_zeroed(1, sizeof(*made));
  if (made == NULL) return false;
  if (!fill(made, def)) {
    free(made);
    return false;
  }
  shape->data = made;
  shape->bytes = sizeof(*made) + made->shell.bytes;
  return true;
}

static void destroy(weft__shape* shape) {
  hull* gone = shape->data;
  if (gone != NULL) weft__shell_destroy(&gone->shell);
  free(gone);
  shape->data = NULL;
}

static void bound(const weft__shape* shape, weft__vec3* least, weft__vec3* most) {
  const hull* of = shape->data;
  weft__shell_bound(&of->shell, least, most);
}

// ---- questions ----

static bool is_in_bound(const hull* of, weft__vec3 point) {
  weft__vec3 least;
  weft__vec3 most;
  weft__shell_bound(&of->shell, &least, &most);
  return point.x >= least.x && point.x <= most.x && point.y >= least.y && point.y <= most.y &&
         point.z >= least.z && point.z <= most.z;
}

// The way from the nearest place of the surface to a point goes the same way as that from within to the place if, and
// only if, the point is outside: it is a normal there, and all of the hull lies below the plane at right angles to it.
static bool find_nearest(const weft__shape* shape, weft__vec3 point, double reach,
                         weft__surface_point* nearest) {
  const hull* of = shape->data;
  const double limit = is_in_bound(of, point) ? INFINITY : reach;
  weft__shell_point found;
  if (!weft__shell_find_nearest(&of->shell, point, limit, &found)) return false;
  const weft__vec3 outwards = weft__minus(found.point, of->within);
  if (weft__dot(found.normal, outwards) >= 0.0) {
    *nearest = (weft__surface_point){found.distance, found.point, found.normal};
    return found.distance <= reach;
  }
  *nearest = (weft__surface_point){-found.distance, found.point, weft__scaled(-1.0, found.normal)};
  return true;
}

static bool cast_ball(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double radius,
                      weft__cast* cast) {
  const hull* of = shape->data;
  weft__surface_point start;
  if (find_nearest(shape, from, radius, &start)) {
    *cast = (weft__cast){0.0, start.point, start.normal};
    return true;
  }
  return weft__shell_cast(&of->shell, from, to, radius, cast);
}

// exact but for rounding: a box that meets no face is all within, or all without
static bool meets_box(const weft__shape* shape, weft__vec3 center, const weft__vec3 half_edges[3]) {
  const hull* of = shape->data;
  weft__surface_point nearest;
  return find_nearest(shape, center, 0.0, &nearest) ||
         weft__shell_meets_box(&of->shell, center, half_edges);
}

const weft__shape_row weft__hull_row = {
    .check = check,
    .build = build,
    .destroy = destroy,
    .bound = bound,
    .find_nearest = find_nearest,
    .cast = cast_ball,
    .meets_box = meets_box,
};
