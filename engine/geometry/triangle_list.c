#include "geometry/triangle_list.h"

#include "base/min_max.h"
#include "geometry/moving_shell.h"

// Most triangles in the box of a search; where there are more, none are listed.
#define SEARCHED 256

static double step_time(const weft__moving_shell* m, double share) {
  if (m == NULL) return 0.0;
  return m->time.begin + share * (m->time.end - m->time.begin);
}

static double distance_to_box(weft__vec3 point, const weft__triangle* t) {
  const weft__vec3 lower = weft__lower_of(t->a, weft__lower_of(t->b, t->c));
  const weft__vec3 upper = weft__upper_of(t->a, weft__upper_of(t->b, t->c));
  const weft__vec3 zero = {0.0, 0.0, 0.0};
  const weft__vec3 apart =
      weft__upper_of(zero, weft__upper_of(weft__minus(lower, point), weft__minus(point, upper)));
  return weft__length(apart);
}

// Paths of the corners in a step.
typedef struct step_paths {
  weft__vec3 of[3];
} step_paths;

static step_paths step_paths_of(const weft__moving_shell* m, uint32_t triangle) {
  step_paths paths = {0};
  if (m == NULL) return paths;
  for (int k = 0; k < 3; ++k) {
    const uint32_t point = m->shell.triangles[triangle][k];
    paths.of[k] =
        weft__minus(weft__vec3_of(m->points.target[point]), weft__vec3_of(m->step_begin[point]));
  }
  return paths;
}

// Keeps the triangles of least distances; those that find no room end the reach.
static void insert(weft__triangle_list* list, uint32_t triangle, double least) {
  if (!(least <= list->reach)) return;
  const float bound = weft__float_below(least);
  uint32_t at = list->count;
  if (list->count == WEFT__LISTED_TRIANGLES) {
    const float last = list->least[list->count - 1];
    list->reach = (double)(bound < last ? last : bound);
    if (bound >= last) return;
    --at;
  } else {
    ++list->count;
  }
  for (; at > 0 && list->least[at - 1] > bound; --at) {
    list->least[at] = list->least[at - 1];
    list->triangle[at] = list->triangle[at - 1];
  }
  list->least[at] = bound;
  list->triangle[at] = triangle;
}

// Mean path in a step of the corners of the triangle that was nearest, else the point's path.
static weft__vec3 drift_of(const weft__triangle_list* list, const weft__moving_shell* m,
                           const weft__point_path* path, double share) {
  weft__vec3 sum = {0.0, 0.0, 0.0};
  if (m == NULL) return sum;
  if (list->count == 0)
    return share > 0.0 ? weft__scaled(1.0 / share, weft__minus(path->to, path->from)) : sum;
  const step_paths paths = step_paths_of(m, list->triangle[0]);
  for (int k = 0; k < 3; ++k) sum = weft__plus(sum, paths.of[k]);
  return weft__scaled(1.0 / 3.0, sum);
}

static uint32_t paths_of(const weft__moving_shell* m) {
  return m != NULL ? m->points.paths : 1;
}

// Search of the tree for triangles near the drift of the origin.
typedef struct triangle_search {
  const weft__shell* shell;
  const weft__moving_shell* moving;  // NULL: at rest
  const weft__point_path* path;
  weft__triangle_list* list;
  double left;      // of the step
  double rounding;  // metres
  uint32_t count;
} triangle_search;

static weft__triangle triangle_at_begin(const triangle_search* s, uint32_t item) {
  if (s->moving == NULL) return weft__shell_triangle(s->shell, item);
  const uint32_t* corners = s->moving->shell.triangles[item];
  return (weft__triangle){weft__moving_point(s->moving, corners[0], s->path->slice.begin),
                          weft__moving_point(s->moving, corners[1], s->path->slice.begin),
                          weft__moving_point(s->moving, corners[2], s->path->slice.begin)};
}

static bool visit(void* context, uint32_t item) {
  triangle_search* s = context;
  if (s->count++ == SEARCHED) return false;
  const weft__triangle begin = triangle_at_begin(s, item);
  const step_paths paths = step_paths_of(s->moving, item);
  const double parting = s->left * weft__relative_travel(paths.of, s->list->drift) + s->rounding;
  if (distance_to_box(s->path->from, &begin) - parting <= s->list->reach)
    insert(s->list, item, weft__nearest_on_triangle(s->path->from, &begin).distance - parting);
  return true;
}

static void list_triangles(weft__triangle_list* list, const weft__shell* shell,
                           const weft__moving_shell* m, const weft__point_path* path,
                           double reach) {
  const double begin = step_time(m, path->slice.begin);
  const double left = 1.0 - begin;
  const double rounding = 0x1p-20 * (weft__largest_component(path->from) + reach);
  list->paths = paths_of(m);
  list->drift = drift_of(list, m, path, step_time(m, path->slice.end) - begin);
  list->origin = path->from;
  list->time = begin;
  list->count = 0;
  list->reach = reach - rounding;
  triangle_search s = {shell, m, path, list, left, rounding, 0};
  const weft__aabb box = weft__aabb_around_path(
      path->from, weft__plus(path->from, weft__scaled(left, list->drift)), reach);
  if (!weft__bvh_find(&shell->tree, &box, visit, &s)) list->reach = 0.0;
}

// Distance of a point from the place that the origin has drifted to.
static double away(const weft__triangle_list* list, weft__vec3 point, double time) {
  const weft__vec3 there = weft__plus(list->origin, weft__scaled(time - list->time, list->drift));
  return weft__length(weft__minus(point, there));
}

static double bound_of(const weft__triangle_list* list, const weft__moving_shell* moving,
                       const weft__point_path* path, double reach) {
  return reach + weft__max(away(list, path->from, step_time(moving, path->slice.begin)),
                           away(list, path->to, step_time(moving, path->slice.end)));
}

double weft__triangle_list_find(weft__triangle_list* list, const weft__shell* shell,
                                const weft__moving_shell* moving, const weft__point_path* path,
                                double reach) {
  if (list->paths == paths_of(moving)) {
    const double bound = bound_of(list, moving, path, reach);
    if (bound < list->reach) return bound;
  }
  list_triangles(list, shell, moving, path, 1.5 * reach + 0.25 * shell->spacing);
  const double bound = bound_of(list, moving, path, reach);
  return bound < list->reach ? bound : INFINITY;
}
