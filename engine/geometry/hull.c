// Convex hulls: a shell of faces and a point well inside.
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "geometry/def_checks.h"
#include "geometry/quickhull.h"
#include "geometry/shell.h"
#include "geometry/support.h"

enum { MIN_POINTS = 4, MAX_POINTS = 65535 };

typedef struct hull {
  weft__shell shell;  // hull's vertices
  weft__vec3 interior;
} hull;

static weft_result check(const weft_collider_def* def) {
  WEFT__TRY(weft__check_points(def, MIN_POINTS, MAX_POINTS));
  WEFT__FAIL_IF(!weft__points_are_solid(def->points, def->point_count), WEFT_ERROR_DEGENERATE,
                "weft_collider_def.points");
  return weft__ok();
}

static weft__vec3 position_of(const float* points, uint32_t point) {
  const float* at = &points[3 * (size_t)point];
  return (weft__vec3){at[0], at[1], at[2]};
}

// Removes faces that collapse to a line once their corners leave the integer grid: they have no
// normal, and their neighbours cover them.
static void remove_degenerate_faces(weft__hull_faces* faces, const float* points) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < faces->count; ++i) {
    const uint32_t* corners = &faces->corners[3 * (size_t)i];
    const weft__triangle triangle = {position_of(points, corners[0]),
                                     position_of(points, corners[1]),
                                     position_of(points, corners[2])};
    if (weft__triangle_is_degenerate(&triangle)) continue;
    memmove(&faces->corners[3 * (size_t)kept], corners, 3 * sizeof(*corners));
    kept += 1;
  }
  faces->count = kept;
}

// Corners numbered from 0 in order of first use; returns their count.
static uint32_t compact_corners(weft__hull_faces* faces, const float* points, uint32_t* number_of,
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

static weft__vec3 middle_of(const weft__shell* shell) {
  weft__vec3 sum = {0.0, 0.0, 0.0};
  for (uint32_t i = 0; i < shell->point_count; ++i) {
    const float* at = shell->points[i];
    sum = weft__plus(sum, (weft__vec3){at[0], at[1], at[2]});
  }
  return weft__scaled(1.0 / shell->point_count, sum);
}

static bool build_shell(hull* data, const weft_collider_def* def) {
  weft__hull_faces faces;
  if (!weft__quickhull(def->points, def->point_count, &faces)) return false;
  uint32_t* number_of = weft__alloc(def->point_count, sizeof(*number_of));
  float(*corners)[3] = weft__alloc(def->point_count, sizeof(*corners));
  bool filled = number_of != NULL && corners != NULL;
  if (filled) {
    remove_degenerate_faces(&faces, def->points);
    const uint32_t count =
        compact_corners(&faces, def->points, number_of, corners, def->point_count);
    filled = weft__shell_create(&data->shell, corners[0], count, faces.corners, faces.count);
  }
  if (filled) data->interior = middle_of(&data->shell);
  weft__free(number_of);
  weft__free(corners);
  weft__free(faces.corners);
  return filled;
}

static bool build(weft__shape* shape, const weft_collider_def* def) {
  hull* data = weft__alloc_zeroed(1, sizeof(*data));
  if (data == NULL) return false;
  if (!build_shell(data, def)) {
    weft__free(data);
    return false;
  }
  shape->data = data;
  shape->bytes = sizeof(*data) + data->shell.bytes;
  return true;
}

static bool build_support(weft__shape* shape, const weft_collider_def* def) {
  weft_collider_def of_points = *def;
  float* points = weft__support_new_points(def, &of_points.point_count);
  of_points.points = points;
  const bool is_built = points != NULL && build(shape, &of_points);
  weft__free(points);
  return is_built;
}

static bool rebuild(weft__shape* shape, const weft_collider_def* def) {
  hull* data = weft__alloc_zeroed(1, sizeof(*data));
  if (data == NULL) return false;
  if (!weft__shell_create(&data->shell, def->points, def->point_count, def->triangles,
                          def->triangle_count)) {
    weft__free(data);
    return false;
  }
  data->interior = middle_of(&data->shell);
  shape->data = data;
  shape->bytes = sizeof(*data) + data->shell.bytes;
  return true;
}

static void describe(const weft__shape* shape, weft_collider_def* def) {
  const hull* data = shape->data;
  weft__shell_describe(&data->shell, def);
}

static void destroy(weft__shape* shape) {
  hull* data = shape->data;
  if (data != NULL) weft__shell_destroy(&data->shell);
  weft__free(data);
  shape->data = NULL;
}

static void bound(const weft__shape* shape, weft__vec3* lower, weft__vec3* upper) {
  const hull* data = shape->data;
  weft__shell_bound(&data->shell, lower, upper);
}

static bool is_in_bound(const hull* data, weft__vec3 point) {
  weft__vec3 lower;
  weft__vec3 upper;
  weft__shell_bound(&data->shell, &lower, &upper);
  return point.x >= lower.x && point.x <= upper.x && point.y >= lower.y && point.y <= upper.y &&
         point.z >= lower.z && point.z <= upper.z;
}

// Sign: `point` is outside if and only if the direction from the nearest surface point to it has a
// positive component along the direction from the interior point to that surface point. Outside it
// is a normal there, and all of the hull lies below its plane.
static bool find_nearest(const weft__shape* shape, weft__vec3 point, double reach,
                         weft__surface_point* nearest) {
  const hull* data = shape->data;
  const double limit = is_in_bound(data, point) ? INFINITY : reach;
  weft__shell_point found;
  if (!weft__shell_find_nearest(&data->shell, NULL, point, limit, &found)) return false;
  const weft__vec3 outwards = weft__minus(found.point, data->interior);
  if (weft__dot(found.normal, outwards) >= 0.0) {
    *nearest = (weft__surface_point){found.distance, found.point, found.normal};
    return found.distance <= reach;
  }
  *nearest = (weft__surface_point){-found.distance, found.point, weft__scaled(-1.0, found.normal)};
  return true;
}

static bool cast_ball(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double radius,
                      weft__cast* cast) {
  const hull* data = shape->data;
  weft__surface_point start;
  if (find_nearest(shape, from, radius, &start)) {
    *cast = (weft__cast){0.0, start.point, start.normal};
    return true;
  }
  return weft__shell_cast(&data->shell, NULL, from, to, radius, cast);
}

// Exact up to rounding: a box that overlaps no face is entirely inside or outside.
static bool overlaps_box(const weft__shape* shape, weft__vec3 center,
                         const weft__vec3 half_edges[3]) {
  const hull* data = shape->data;
  weft__surface_point nearest;
  return find_nearest(shape, center, 0.0, &nearest) ||
         weft__shell_meets_box(&data->shell, center, half_edges);
}

const weft__shape_row weft__hull_row = {
    .check = check,
    .build = build,
    .destroy = destroy,
    .describe = describe,
    .rebuild = rebuild,
    .bound = bound,
    .find_nearest = find_nearest,
    .cast = cast_ball,
    .overlaps_box = overlaps_box,
};

const weft__shape_row weft__support_row = {
    .check = weft__support_check,
    .build = build_support,
    .destroy = destroy,
    .describe = describe,
    .rebuild = rebuild,
    .bound = bound,
    .find_nearest = find_nearest,
    .cast = cast_ball,
    .overlaps_box = overlaps_box,
};
