#include "geometry/shell.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static weft__aabb box_of(const weft__shell* shell, uint32_t triangle) {
  weft__aabb box = weft__aabb_empty();
  for (int k = 0; k < 3; ++k) {
    weft__aabb_add_point(&box, shell->points[shell->triangles[triangle][k]]);
  }
  return box;
}

static bool build_bvh(weft__shell* shell) {
  weft__aabb* boxes = weft__alloc(shell->triangle_count, sizeof(*boxes));
  if (boxes == NULL) return false;
  for (uint32_t i = 0; i < shell->triangle_count; ++i) boxes[i] = box_of(shell, i);
  const bool made = weft__bvh_create(&shell->tree, shell->triangle_count);
  if (made) weft__bvh_build(&shell->tree, boxes, shell->triangle_count);
  weft__free(boxes);
  return made;
}

// Root of the mean area of triangles.
static double spacing_of(const weft__shell* shell) {
  double sum = 0.0;
  for (uint32_t t = 0; t < shell->triangle_count; ++t) {
    const weft__triangle triangle = weft__shell_triangle(shell, t);
    sum += 0.5 * weft__length(weft__triangle_normal(&triangle));
  }
  return sqrt(sum / (double)shell->triangle_count);
}

bool weft__shell_create(weft__shell* shell, const float* points, uint32_t point_count,
                        const uint32_t* triangles, uint32_t triangle_count) {
  *shell = (weft__shell){.point_count = point_count, .triangle_count = triangle_count};
  shell->points = weft__alloc(point_count, sizeof(*shell->points));
  shell->triangles = weft__alloc(triangle_count, sizeof(*shell->triangles));
  if (shell->points != NULL && shell->triangles != NULL) {
    memcpy(shell->points, points, point_count * sizeof(*shell->points));
    memcpy(shell->triangles, triangles, triangle_count * sizeof(*shell->triangles));
    if (build_bvh(shell)) {
      shell->spacing = spacing_of(shell);
      shell->bytes = point_count * sizeof(*shell->points) +
                     triangle_count * sizeof(*shell->triangles) + shell->tree.bytes;
      return true;
    }
  }
  weft__shell_destroy(shell);
  return false;
}

void weft__shell_destroy(weft__shell* shell) {
  weft__free(shell->points);
  weft__free(shell->triangles);
  weft__bvh_destroy(&shell->tree);
  *shell = (weft__shell){0};
}

static weft__vec3 point_of(const weft__shell* shell, uint32_t point) {
  const float* at = shell->points[point];
  return (weft__vec3){at[0], at[1], at[2]};
}

weft__triangle weft__shell_triangle(const weft__shell* shell, uint32_t triangle) {
  const uint32_t* corners = shell->triangles[triangle];
  return (weft__triangle){point_of(shell, corners[0]), point_of(shell, corners[1]),
                          point_of(shell, corners[2])};
}

void weft__shell_bound(const weft__shell* shell, weft__vec3* lower, weft__vec3* upper) {
  const weft__aabb box = weft__bvh_box(&shell->tree);
  *lower = (weft__vec3){box.lower[0], box.lower[1], box.lower[2]};
  *upper = (weft__vec3){box.upper[0], box.upper[1], box.upper[2]};
}

static weft__vec3 unit(weft__vec3 a) {
  const double length = weft__length(a);
  return length > 0.0 ? weft__scaled(1.0 / length, a) : (weft__vec3){0.0, 1.0, 0.0};
}

weft__vec3 weft__triangle_direction(const weft__triangle* triangle,
                                    const weft__triangle_point* nearest, weft__vec3 point,
                                    double side) {
  const double size = fabs(point.x) + fabs(point.y) + fabs(point.z);
  // nearer, the direction is mostly rounding error
  if (!nearest->inside && nearest->distance > 1e-12 * size) {
    return weft__scaled(1.0 / nearest->distance, weft__minus(point, nearest->point));
  }
  const weft__vec3 normal = unit(weft__triangle_normal(triangle));
  if (side == 0.0) side = weft__dot(normal, weft__minus(point, triangle->a));
  return side < 0.0 ? weft__scaled(-1.0, normal) : normal;
}

typedef struct nearest_search {
  const weft__shell* shell;
  weft__vec3 point;
  weft__triangle_point best;
  uint32_t triangle;  // UINT32_MAX: none yet
} nearest_search;

static double visit_nearest(void* context, uint32_t item, double limit) {
  nearest_search* search = context;
  const weft__triangle triangle = weft__shell_triangle(search->shell, item);
  const weft__triangle_point nearest = weft__nearest_on_triangle(search->point, &triangle);
  if (!(nearest.distance <= limit)) return limit;
  if (nearest.distance == search->best.distance && item > search->triangle) return limit;
  search->best = nearest;
  search->triangle = item;
  return nearest.distance;
}

bool weft__shell_find_nearest(const weft__shell* shell, const weft__triangle_set* set,
                              weft__vec3 point, double reach, weft__shell_point* nearest) {
  nearest_search search = {
      .shell = shell, .point = point, .best.distance = INFINITY, .triangle = UINT32_MAX};
  if (set == NULL) weft__bvh_approach(&shell->tree, point, reach, visit_nearest, &search);
  for (uint32_t i = 0; set != NULL && i < set->count; ++i)
    reach = visit_nearest(&search, set->triangle[i], reach);
  if (search.triangle == UINT32_MAX) return false;
  const weft__triangle triangle = weft__shell_triangle(shell, search.triangle);
  *nearest = (weft__shell_point){
      .distance = search.best.distance,
      .point = search.best.point,
      .normal = weft__triangle_direction(&triangle, &search.best, point, 0.0),
      .out = unit(weft__triangle_normal(&triangle)),
  };
  return true;
}

typedef struct cast_search {
  const weft__shell* shell;
  weft__vec3 from, displacement;
  double radius;
  weft__triangle_hit best;
  uint32_t triangle;  // UINT32_MAX: none yet
} cast_search;

static double visit_cast(void* context, uint32_t item, double limit) {
  cast_search* search = context;
  const weft__triangle triangle = weft__shell_triangle(search->shell, item);
  weft__triangle_hit hit;
  // whole: what is hit does not depend on the order
  if (!weft__sphere_cast_triangle(search->from, search->displacement, search->radius, 1.0,
                                  &triangle, &hit)) {
    return limit;
  }
  if (hit.fraction > limit || (search->triangle != UINT32_MAX &&
                               hit.fraction == search->best.fraction && item > search->triangle)) {
    return limit;
  }
  search->best = hit;
  search->triangle = item;
  return hit.fraction;
}

bool weft__shell_cast(const weft__shell* shell, const weft__triangle_set* set, weft__vec3 from,
                      weft__vec3 to, double radius, weft__cast* cast) {
  cast_search search = {.shell = shell,
                        .from = from,
                        .displacement = weft__minus(to, from),
                        .radius = radius,
                        .triangle = UINT32_MAX};
  double limit = 1.0;
  if (set == NULL)
    weft__bvh_cast(&shell->tree, from, search.displacement, radius, limit, visit_cast, &search);
  for (uint32_t i = 0; set != NULL && i < set->count; ++i)
    limit = visit_cast(&search, set->triangle[i], limit);
  if (search.triangle == UINT32_MAX) return false;
  *cast = (weft__cast){search.best.fraction, search.best.point, search.best.normal};
  return true;
}

weft__aabb weft__aabb_around_rotated(weft__vec3 center, const weft__vec3 half_edges[3]) {
  weft__vec3 reach = {0.0, 0.0, 0.0};
  for (int k = 0; k < 3; ++k) {
    reach.x += fabs(half_edges[k].x);
    reach.y += fabs(half_edges[k].y);
    reach.z += fabs(half_edges[k].z);
  }
  return weft__aabb_around(weft__minus(center, reach), weft__plus(center, reach));
}

typedef struct box_search {
  const weft__shell* shell;
  weft__vec3 center;
  const weft__vec3* half_edges;
} box_search;

static bool visit_separated(void* context, uint32_t item) {
  const box_search* search = context;
  const weft__triangle triangle = weft__shell_triangle(search->shell, item);
  return !weft__triangle_meets_box(&triangle, search->center, search->half_edges);
}

bool weft__shell_meets_box(const weft__shell* shell, weft__vec3 center,
                           const weft__vec3 half_edges[3]) {
  const weft__aabb box = weft__aabb_around_rotated(center, half_edges);
  box_search search = {shell, center, half_edges};
  return !weft__bvh_find(&shell->tree, &box, visit_separated, &search);
}

void weft__shell_describe(const weft__shell* shell, weft_collider_def* def) {
  def->points = shell->points[0];
  def->point_count = shell->point_count;
  def->triangles = shell->triangles[0];
  def->triangle_count = shell->triangle_count;
}
