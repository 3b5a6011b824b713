#define WIDE_LANES 1
#include "geometry/moving_shell.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/grain_size.h"
#include "base/min_max.h"
#include "geometry/advancement.inl"

#define GRAIN WEFT__GRAIN(512u, 4u)
// Distances below this share of the coordinates plus MIN_SIZE metres have no sure sign.
#define NOISE 1e-13
#define MIN_SIZE 1e-3

static void lay_out(weft__moving_shell* moving, weft__arena* arena) {
  const size_t points = moving->shell.point_count;
  moving->begin = weft__arena_alloc(arena, points, sizeof(*moving->begin));
  moving->step_begin = weft__arena_alloc(arena, points, sizeof(*moving->step_begin));
  moving->points.target = weft__arena_alloc(arena, points, sizeof(*moving->points.target));
  moving->boxes = weft__arena_alloc(arena, moving->shell.triangle_count, sizeof(*moving->boxes));
}

bool weft__moving_shell_create(weft__moving_shell* moving, const float* points,
                               uint32_t point_count, const uint32_t* triangles,
                               uint32_t triangle_count) {
  *moving = (weft__moving_shell){.is_at_rest = true};
  if (!weft__shell_create(&moving->shell, points, point_count, triangles, triangle_count))
    return false;
  for (weft__arena arena = {0}; weft__arena_next(&arena, &moving->block, &moving->bytes);) {
    lay_out(moving, &arena);
  }
  if (moving->block == NULL) {
    weft__moving_shell_destroy(moving);
    return false;
  }
  moving->points.count = point_count;
  memcpy(moving->begin, moving->shell.points, point_count * sizeof(*moving->begin));
  moving->bytes += moving->shell.bytes;
  return true;
}

void weft__moving_shell_destroy(weft__moving_shell* moving) {
  weft__shell_destroy(&moving->shell);
  weft__free(moving->block);
  *moving = (weft__moving_shell){0};
}

typedef struct motion_job {
  weft__moving_shell* moving;
  double share;  // step's, at the end of the substep
} motion_job;

static void move_points(void* context, weft__range points, uint32_t worker) {
  (void)worker;
  const motion_job* job = context;
  const weft__moving_shell* m = job->moving;
  const float(*from)[3] = (const float(*)[3])m->step_begin;
  for (uint32_t i = points.begin; i < points.end; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      const float to = m->points.target[i][axis];
      const double path = (double)to - (double)from[i][axis];
      m->begin[i][axis] = m->shell.points[i][axis];
      m->shell.points[i][axis] =
          job->share < 1.0 ? (float)((double)from[i][axis] + job->share * path) : to;
    }
  }
}

static void bound_triangles(void* context, weft__range triangles, uint32_t worker) {
  (void)worker;
  const motion_job* job = context;
  const weft__moving_shell* m = job->moving;
  for (uint32_t t = triangles.begin; t < triangles.end; ++t) {
    weft__aabb box = weft__aabb_empty();
    for (int k = 0; k < 3; ++k) {
      const uint32_t point = m->shell.triangles[t][k];
      weft__aabb_add_point(&box, m->begin[point]);
      weft__aabb_add_point(&box, m->shell.points[point]);
    }
    m->boxes[t] = box;
  }
}

static double largest_travel(const weft__moving_shell* m) {
  double largest_sq = 0.0;
  for (uint32_t i = 0; i < m->shell.point_count; ++i) {
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const double along = (double)m->shell.points[i][axis] - (double)m->begin[i][axis];
      sum += along * along;
    }
    largest_sq = weft__max(largest_sq, sum);
  }
  return sqrt(largest_sq);
}

static void refit(weft__moving_shell* moving, weft__worker_pool* pool) {
  motion_job job = {.moving = moving};
  weft__worker_pool_for(pool, moving->shell.triangle_count, GRAIN, bound_triangles, &job);
  weft__bvh_refit(&moving->shell.tree, moving->boxes, pool);
}

static bool advance(const weft__shape* shape, uint32_t substep, uint32_t substeps,
                    weft__worker_pool* pool) {
  weft__moving_shell* moving = shape->data;
  const size_t bytes = moving->shell.point_count * sizeof(*moving->begin);
  if (!moving->points.has_target) {
    if (moving->is_at_rest) return false;
    memcpy(moving->begin, moving->shell.points, bytes);
    moving->points.travel = 0.0;
    refit(moving, pool);
    moving->is_at_rest = true;
    return false;
  }
  if (substep == 0) memcpy(moving->step_begin, moving->shell.points, bytes);
  motion_job job = {moving, (double)(substep + 1) / (double)substeps};
  weft__worker_pool_for(pool, moving->shell.point_count, GRAIN, move_points, &job);
  moving->points.travel = largest_travel(moving);
  refit(moving, pool);
  moving->is_at_rest = false;
  if (substep + 1 == substeps) moving->points.has_target = false;
  return true;
}

static weft__vec3 point_at(const weft__moving_shell* m, uint32_t point, double share) {
  const float* a = m->begin[point];
  const float* b = m->shell.points[point];
  const weft__vec3 end = {(double)b[0], (double)b[1], (double)b[2]};
  if (share >= 1.0) return end;
  const weft__vec3 begin = {(double)a[0], (double)a[1], (double)a[2]};
  return weft__plus(begin, weft__scaled(share, weft__minus(end, begin)));
}

// Displacements in a slice.
typedef struct moving_triangle {
  weft__vec3 begin[3], path[3];
} moving_triangle;

static moving_triangle triangle_in(const weft__moving_shell* m, uint32_t triangle,
                                   weft__slice_of_time slice) {
  moving_triangle t;
  for (int k = 0; k < 3; ++k) {
    const uint32_t point = m->shell.triangles[triangle][k];
    t.begin[k] = point_at(m, point, slice.begin);
    t.path[k] = weft__minus(point_at(m, point, slice.end), t.begin[k]);
  }
  return t;
}

static weft__triangle triangle_at(const moving_triangle* t, double time) {
  return (weft__triangle){weft__plus(t->begin[0], weft__scaled(time, t->path[0])),
                          weft__plus(t->begin[1], weft__scaled(time, t->path[1])),
                          weft__plus(t->begin[2], weft__scaled(time, t->path[2]))};
}

// Contact at some time, carried on to the end of the slice.
static weft__moving_hit hit_of(const moving_triangle* t, double time,
                               const weft__triangle_point* nearest, weft__vec3 normal) {
  weft__moving_hit hit = {.fraction = time, .normal = normal};
  const weft__triangle now = triangle_at(t, time);
  const weft__triangle end = triangle_at(t, 1.0);
  hit.carry = weft__blend(t->path, nearest->shares);
  hit.point = weft__plus(weft__blend(t->begin, nearest->shares), hit.carry);
  if (!nearest->inside) return hit;
  // the face has turned since
  const weft__vec3 turned = weft__triangle_normal(&end);
  const double length = weft__length(turned);
  if (!(length > 0.0)) return hit;
  const double side = weft__dot(weft__triangle_normal(&now), normal) < 0.0 ? -1.0 : 1.0;
  hit.normal = weft__scaled(side / length, turned);
  return hit;
}

typedef struct moving_search {
  const weft__moving_shell* moving;
  weft__slice_of_time slice;
  weft__vec3 from, path;
  double radius;
  weft__moving_hit best;
  uint32_t triangle;  // UINT32_MAX: none yet
} moving_search;

typedef struct triangle_cast {
  const moving_search* search;
  moving_triangle triangle;
  // last plane
  double time;
  weft__triangle_point nearest;
  weft__vec3 normal;
} triangle_cast;

// Time until when the sphere stays in front of all corners.
static double in_front_until(const triangle_cast* c, double time) {
  const moving_search* s = c->search;
  const weft__vec3 here = weft__plus(s->from, weft__scaled(time, s->path));
  double until = INFINITY;
  for (int k = 0; k < 3; ++k) {
    const weft__vec3 path = c->triangle.path[k];
    const weft__vec3 corner = weft__plus(c->triangle.begin[k], weft__scaled(time, path));
    const double gap = weft__dot(c->normal, weft__minus(here, corner)) - s->radius;
    const double closing = weft__dot(c->normal, weft__minus(path, s->path));
    if (closing > 0.0) until = weft__min(until, closes_at(time, gap, 0.0, closing));
  }
  return until;
}

static double separated(void* context, double time, dwide_mask active) {
  (void)active;
  triangle_cast* c = context;
  const moving_search* s = c->search;
  const weft__triangle now = triangle_at(&c->triangle, time);
  const weft__vec3 here = weft__plus(s->from, weft__scaled(time, s->path));
  c->time = time;
  c->nearest = weft__nearest_on_triangle(here, &now);
  // at contact the side is the last plane's
  const bool is_apart = c->nearest.distance > NOISE * (weft__largest_component(here) + MIN_SIZE);
  const double side = is_apart ? 0.0 : weft__dot(c->normal, weft__triangle_normal(&now));
  c->normal = weft__triangle_direction(&now, &c->nearest, here, side);
  if (s->moving->points.one_sided && weft__dot(c->normal, weft__triangle_normal(&now)) < 0.0)
    return INFINITY;
  return c->nearest.distance <= s->radius ? time : in_front_until(c, time);
}

static bool visit_cast(void* context, uint32_t item) {
  moving_search* s = context;
  triangle_cast c = {.search = s, .triangle = triangle_in(s->moving, item, s->slice)};
  const bool is_first = s->triangle == UINT32_MAX;
  const double end = is_first ? 1.0 : s->best.fraction;
  if (!advance_to_contact(separated, &c, -1, end, MAX_ADVANCES)) return true;
  if (!is_first && c.time == s->best.fraction && item > s->triangle) return true;
  s->best = hit_of(&c.triangle, c.time, &c.nearest, c.normal);
  s->triangle = item;
  return true;
}

static bool cast_ball(const weft__shape* shape, weft__slice_of_time slice, weft__vec3 from,
                      weft__vec3 to, double radius, weft__moving_hit* hit) {
  const weft__moving_shell* moving = shape->data;
  const weft__vec3 grown = {radius, radius, radius};
  const weft__aabb box = weft__aabb_around(weft__minus(weft__lower_of(from, to), grown),
                                           weft__plus(weft__upper_of(from, to), grown));
  moving_search search = {.moving = moving,
                          .slice = slice,
                          .from = from,
                          .path = weft__minus(to, from),
                          .radius = radius,
                          .triangle = UINT32_MAX};
  (void)weft__bvh_find(&moving->shell.tree, &box, visit_cast, &search);
  if (search.triangle == UINT32_MAX) return false;
  *hit = search.best;
  return true;
}

typedef struct moving_nearest {
  const weft__moving_shell* moving;
  weft__slice_of_time slice;
  weft__vec3 point;
  double time;  // share of the slice: 0 or 1
  weft__triangle_point best;
  uint32_t triangle;  // UINT32_MAX: none yet
} moving_nearest;

static double visit_nearest(void* context, uint32_t item, double limit) {
  moving_nearest* s = context;
  const moving_triangle t = triangle_in(s->moving, item, s->slice);
  const weft__triangle now = triangle_at(&t, s->time);
  const weft__triangle_point nearest = weft__nearest_on_triangle(s->point, &now);
  if (!(nearest.distance <= limit)) return limit;
  if (nearest.distance == s->best.distance && item > s->triangle) return limit;
  s->best = nearest;
  s->triangle = item;
  return nearest.distance;
}

// Finds the nearest triangle and its contact; false if none is within reach.
static bool search_nearest(moving_nearest* s, double reach, weft__moving_hit* hit,
                           bool* is_behind) {
  s->best.distance = INFINITY;
  s->triangle = UINT32_MAX;
  weft__bvh_approach(&s->moving->shell.tree, s->point, reach, visit_nearest, s);
  if (s->triangle == UINT32_MAX) return false;
  const moving_triangle t = triangle_in(s->moving, s->triangle, s->slice);
  const weft__triangle now = triangle_at(&t, s->time);
  const weft__vec3 normal = weft__triangle_direction(&now, &s->best, s->point, 0.0);
  *is_behind = weft__dot(normal, weft__triangle_normal(&now)) < 0.0;
  *hit = hit_of(&t, s->time, &s->best, normal);
  return true;
}

static weft__vec3 follow(const weft__shape* shape, weft__slice_of_time slice, weft__vec3 point) {
  moving_nearest s = {.moving = shape->data, .slice = slice, .point = point};
  weft__moving_hit hit;
  bool is_behind;
  if (!search_nearest(&s, INFINITY, &hit, &is_behind)) return point;
  return weft__plus(hit.point, weft__scaled(s.best.distance, hit.normal));
}

static bool find_nearest(const weft__shape* shape, weft__slice_of_time slice, weft__vec3 point,
                         double reach, double* distance, weft__moving_hit* hit) {
  moving_nearest s = {.moving = shape->data, .slice = slice, .point = point, .time = 1.0};
  bool is_behind;
  if (!search_nearest(&s, reach, hit, &is_behind)) return false;
  *distance = s.best.distance;
  return !(s.moving->points.one_sided && is_behind);
}

const weft__moving_row weft__moving_shell_row = {
    .advance = advance, .cast = cast_ball, .follow = follow, .find_nearest = find_nearest};
