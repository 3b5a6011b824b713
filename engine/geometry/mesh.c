// Meshes: thin triangles in any order, not necessarily closed. Contact is two-sided.

#include <math.h>

#include "base/memory.h"
#include "geometry/def_checks.h"
#include "geometry/moving_shell.h"
#include "geometry/shell.h"
#include "geometry/triangle_list.h"

enum { MAX_POINTS = 1 << 24 };

static weft_result check_triangle(const weft_collider_def* def, uint32_t triangle) {
  const uint32_t* corners = &def->triangles[3 * (size_t)triangle];
  weft__vec3 at[3];
  for (int k = 0; k < 3; ++k) {
    if (corners[k] >= def->point_count) {
      return weft__fail_at(WEFT_ERROR_INDEX, "weft_collider_def.triangles", triangle);
    }
    const float* point = &def->points[3 * (size_t)corners[k]];
    at[k] = (weft__vec3){point[0], point[1], point[2]};
  }
  if (weft__triangle_is_degenerate(&(weft__triangle){at[0], at[1], at[2]})) {
    return weft__fail_at(WEFT_ERROR_DEGENERATE, "weft_collider_def.triangles", triangle);
  }
  return weft__ok();
}

static weft_result check(const weft_collider_def* def) {
  WEFT__TRY(weft__check_points(def, 1, MAX_POINTS));
  WEFT__TRY(WEFT__CHECK_FIELD(collider, def, triangle_count));
  WEFT__FAIL_IF(def->triangles == NULL, WEFT_ERROR_NULL, "weft_collider_def.triangles");
  for (uint32_t i = 0; i < def->triangle_count; ++i) WEFT__TRY(check_triangle(def, i));
  return weft__ok();
}

static bool build_moving(weft__shape* shape, const weft_collider_def* def) {
  weft__moving_shell* moving = weft__alloc(1, sizeof(*moving));
  if (moving == NULL) return false;
  if (!weft__moving_shell_create(moving, def->points, def->point_count, def->triangles,
                                 def->triangle_count)) {
    weft__free(moving);
    return false;
  }
  moving->points.one_sided = def->one_sided;
  shape->moving = &moving->points;
  shape->data = moving; /* begins with its shell */
  shape->bytes = sizeof(*moving) + moving->bytes;
  return true;
}

static bool build(weft__shape* shape, const weft_collider_def* def) {
  if (def->deforms || def->one_sided) return build_moving(shape, def);
  weft__shell* shell = weft__alloc(1, sizeof(*shell));
  if (shell == NULL) return false;
  if (!weft__shell_create(shell, def->points, def->point_count, def->triangles,
                          def->triangle_count)) {
    weft__free(shell);
    return false;
  }
  shape->data = shell;
  shape->bytes = sizeof(*shell) + shell->bytes;
  return true;
}

static void destroy(weft__shape* shape) {
  if (shape->moving != NULL) {
    weft__moving_shell_destroy(shape->data);
    weft__free(shape->data);
  } else if (shape->data != NULL) {
    weft__shell_destroy(shape->data);
    weft__free(shape->data);
  }
  shape->data = NULL;
  shape->moving = NULL;
}

static void describe(const weft__shape* shape, weft_collider_def* def) {
  weft__shell_describe(shape->data, def);
}

static void bound(const weft__shape* shape, weft__vec3* lower, weft__vec3* upper) {
  weft__shell_bound(shape->data, lower, upper);
}

static bool find_nearest_in(const weft__shape* shape, const weft__triangle_set* set,
                            weft__vec3 point, double reach, weft__surface_point* nearest) {
  weft__shell_point found;
  if (!weft__shell_find_nearest(shape->data, set, point, reach, &found)) return false;
  *nearest = (weft__surface_point){found.distance, found.point, found.normal};
  return true;
}

static bool cast_in(const weft__shape* shape, const weft__triangle_set* set, weft__vec3 from,
                    weft__vec3 to, double radius, weft__cast* cast) {
  weft__shell_point start;
  if (weft__shell_find_nearest(shape->data, set, from, radius, &start)) {
    *cast = (weft__cast){0.0, start.point, start.normal};
    return true;
  }
  return weft__shell_cast(shape->data, set, from, to, radius, cast);
}

static bool find_nearest(const weft__shape* shape, weft__vec3 point, double reach,
                         weft__surface_point* nearest) {
  return find_nearest_in(shape, NULL, point, reach, nearest);
}

static bool cast_ball(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double radius,
                      weft__cast* cast) {
  return cast_in(shape, NULL, from, to, radius, cast);
}

static bool list_triangles(const weft__shape* shape, weft__vec3 from, weft__vec3 to, double reach,
                           weft__triangle_list* list, weft__triangle_set* near) {
  const weft__point_path path = {.from = from, .to = to};
  const double least = weft__triangle_list_find(list, shape->data, NULL, &path, reach);
  if (least == INFINITY) return false;
  *near = (weft__triangle_set){list->triangle, 0};
  while (near->count < list->count && (double)list->least[near->count] <= least) ++near->count;
  return true;
}

static const weft__listed_row listed_row = {
    .find = list_triangles, .find_nearest = find_nearest_in, .cast = cast_in};

static bool overlaps_box(const weft__shape* shape, weft__vec3 center,
                         const weft__vec3 half_edges[3]) {
  return weft__shell_meets_box(shape->data, center, half_edges);
}

const weft__shape_row weft__mesh_row = {
    .is_thin = true,
    .check = check,
    .build = build,
    .destroy = destroy,
    .describe = describe,
    .bound = bound,
    .find_nearest = find_nearest,
    .cast = cast_ball,
    .overlaps_box = overlaps_box,
    .moving = &weft__moving_shell_row,
    .listed = &listed_row,
};
