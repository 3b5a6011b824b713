#define WIDE_LANES 1
#include "geometry/moving_shell.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/grain_size.h"
#include "base/min_max.h"
#include "geometry/advancement.inl"
#include "geometry/triangle_batch.h"
#include "geometry/triangle_list.h"

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

// Paths of no length.
static void hold_points(weft__moving_shell* moving) {
  const size_t bytes = moving->shell.point_count * sizeof(*moving->begin);
  memcpy(moving->begin, moving->shell.points, bytes);
  memcpy(moving->step_begin, moving->shell.points, bytes);
  memcpy(moving->points.target, moving->shell.points, bytes);
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
  moving->points.at = (const float(*)[3])moving->shell.points;
  moving->points.paths = 1;
  hold_points(moving);
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
  const weft__moving_shell* m = context;
  for (uint32_t t = triangles.begin; t < triangles.end; ++t) {
    weft__aabb box = weft__aabb_empty();
    for (int k = 0; k < 3; ++k) {
      const uint32_t point = m->shell.triangles[t][k];
      weft__aabb_add_point(&box, m->step_begin[point]);
      weft__aabb_add_point(&box, m->points.target[point]);
    }
    m->boxes[t] = box;
  }
}

static double largest_travel(const weft__moving_shell* m) {
  double largest_sq = 0.0;
  for (uint32_t i = 0; i < m->shell.point_count; ++i) {
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const double along = (double)m->points.target[i][axis] - (double)m->step_begin[i][axis];
      sum += along * along;
    }
    largest_sq = weft__max(largest_sq, sum);
  }
  return sqrt(largest_sq);
}

// Paths of the points in a step, from step_begin to target.
static void begin_paths(weft__moving_shell* moving, weft__worker_pool* pool) {
  ++moving->points.paths;
  weft__worker_pool_for(pool, moving->shell.triangle_count, GRAIN, bound_triangles, moving);
  weft__bvh_refit(&moving->shell.tree, moving->boxes, pool);
}

static void rest(weft__moving_shell* moving, weft__worker_pool* pool) {
  hold_points(moving);
  moving->points.travel = 0.0;
  moving->time = (weft__slice_of_time){0.0, 0.0};
  begin_paths(moving, pool);
  moving->is_at_rest = true;
}

static bool advance(const weft__shape* shape, uint32_t substep, uint32_t substeps,
                    weft__worker_pool* pool) {
  weft__moving_shell* moving = shape->data;
  if (!moving->points.has_target) {
    if (!moving->is_at_rest) rest(moving, pool);
    return false;
  }
  if (substep == 0) {
    memcpy(moving->step_begin, moving->shell.points,
           moving->shell.point_count * sizeof(*moving->begin));
    moving->points.travel = largest_travel(moving) / (double)substeps;
    begin_paths(moving, pool);
  }
  const double begin = (double)substep / (double)substeps;
  motion_job job = {moving, (double)(substep + 1) / (double)substeps};
  moving->time = (weft__slice_of_time){begin, job.share};
  weft__worker_pool_for(pool, moving->shell.point_count, GRAIN, move_points, &job);
  moving->is_at_rest = false;
  if (substep + 1 == substeps) moving->points.has_target = false;
  return true;
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
    t.begin[k] = weft__moving_point(m, point, slice.begin);
    t.path[k] = weft__minus(weft__moving_point(m, point, slice.end), t.begin[k]);
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

static bool is_same(weft__vec3 a, weft__vec3 b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Search for the contact of a ball whose centre moves along a segment.
typedef struct moving_search {
  const weft__moving_shell* moving;
  weft__slice_of_time slice;
  weft__vec3 from, path, to;
  double radius;
  weft__moving_hit swept;
  uint32_t swept_triangle;  // UINT32_MAX: none yet
  // nearest to the end
  uint32_t nearest_triangle;
  uint32_t nearest_lane;  // UINT32_MAX: not in a batch
  double distance;
  double next_distance;  // of the others
  double behind;         // of those that the end is behind
  double travel;         // longest relative one
  weft__near_points* near;
} moving_search;

typedef struct triangle_cast {
  const moving_search* search;
  const moving_triangle* triangle;
  double radius;
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
    const weft__vec3 path = c->triangle->path[k];
    const weft__vec3 corner = weft__plus(c->triangle->begin[k], weft__scaled(time, path));
    const double gap = weft__dot(c->normal, weft__minus(here, corner)) - c->radius;
    const double closing = weft__dot(c->normal, weft__minus(path, s->path));
    if (closing > 0.0) until = weft__min(until, closes_at(time, gap, 0.0, closing));
  }
  return until;
}

static double separated(void* context, double time, dwide_mask active) {
  (void)active;
  triangle_cast* c = context;
  const moving_search* s = c->search;
  const weft__triangle now = triangle_at(c->triangle, time);
  const weft__vec3 here = weft__plus(s->from, weft__scaled(time, s->path));
  c->time = time;
  c->nearest = weft__nearest_on_triangle(here, &now);
  // at contact the side is the last plane's
  const bool is_apart = c->nearest.distance > NOISE * (weft__largest_component(here) + MIN_SIZE);
  const double side = is_apart ? 0.0 : weft__dot(c->normal, weft__triangle_normal(&now));
  c->normal = weft__triangle_direction(&now, &c->nearest, here, side);
  if (s->moving->points.one_sided && weft__dot(c->normal, weft__triangle_normal(&now)) < 0.0)
    return INFINITY;
  return c->nearest.distance <= c->radius ? time : in_front_until(c, time);
}

static void cast(moving_search* s, const moving_triangle* triangle, uint32_t item, double radius) {
  triangle_cast c = {.search = s, .triangle = triangle, .radius = radius};
  const bool is_first = s->swept_triangle == UINT32_MAX;
  const double end = is_first ? 1.0 : s->swept.fraction;
  if (!advance_to_contact(separated, &c, -1, end, MAX_ADVANCES)) return;
  if (!is_first && c.time == s->swept.fraction && item > s->swept_triangle) return;
  s->swept = hit_of(triangle, c.time, &c.nearest, c.normal);
  s->swept_triangle = item;
}

static void take_nearest(moving_search* s, uint32_t item, uint32_t lane, double distance) {
  if (distance < s->distance || (distance == s->distance && item < s->nearest_triangle)) {
    s->next_distance = weft__min(s->next_distance, s->distance);
    s->distance = distance;
    s->nearest_triangle = item;
    s->nearest_lane = lane;
  } else {
    s->next_distance = weft__min(s->next_distance, distance);
  }
}

// Triangle as met by a ball; nearest point and distance at the end.
typedef struct meeting {
  weft__vec3 nearest;
  double distance, travel;
  bool is_behind;
  uint32_t lane;  // UINT32_MAX: not in a batch
} meeting;

// A ball that moves, relative to the triangle, by less than its radius and its distance at the end
// has not crossed it: the end decides.
static void meet(moving_search* s, uint32_t item, const meeting* m) {
  weft__near_points* near = s->near;
  if (near->count < WEFT__NEAR_POINTS) {
    near->point[near->count] = m->nearest;
    near->distance[near->count] = m->distance;
  }
  ++near->count;
  s->travel = weft__max(s->travel, m->travel);
  const double reach = m->travel > s->radius ? s->radius : 0.0;
  if (m->distance <= (m->travel + reach) * (1.0 + 0x1p-40)) {
    const moving_triangle t = triangle_in(s->moving, item, s->slice);
    cast(s, &t, item, s->radius);
  }
  if (m->is_behind && s->moving->points.one_sided) {
    s->behind = weft__min(s->behind, m->distance);
  } else {
    take_nearest(s, item, m->lane, m->distance);
  }
}

static bool visit(void* context, uint32_t item) {
  moving_search* s = context;
  const moving_triangle t = triangle_in(s->moving, item, s->slice);
  const weft__triangle end = triangle_at(&t, 1.0);
  const weft__triangle_point nearest = weft__nearest_on_triangle(s->to, &end);
  meeting m = {.nearest = nearest.point,
               .distance = nearest.distance,
               .travel = weft__relative_travel(t.path, s->path),
               .lane = UINT32_MAX};
  if (s->moving->points.one_sided) {
    const weft__vec3 normal = weft__triangle_direction(&end, &nearest, s->to, 0.0);
    m.is_behind = weft__dot(normal, weft__triangle_normal(&end)) < 0.0;
  }
  meet(s, item, &m);
  return true;
}

// Triangles that a kernel has met along the same path.
static bool meet_batch(moving_search* s, const weft__met_triangles* met, double reach) {
  if (met == NULL || met->batch == NULL || met->reach != reach || !is_same(met->from, s->from) ||
      !is_same(met->to, s->to))
    return false;
  const weft__triangle_batch* b = met->batch;
  for (uint32_t i = met->first; i < met->end; ++i) {
    meet(s, b->triangle[i],
         &(meeting){{b->nearest[0][i], b->nearest[1][i], b->nearest[2][i]},
                    b->distance[i],
                    b->travel[i],
                    (b->behind >> i & 1) != 0,
                    i});
  }
  s->near->reach = met->beyond;
  return true;
}

static bool visit_point(void* context, uint32_t item) {
  moving_search* s = context;
  const moving_triangle t = triangle_in(s->moving, item, s->slice);
  cast(s, &t, item, 0.0);
  return true;
}

// Listed triangles of the first `count` may come within reach; returns a bound of the others'
// distance, negative if they are not listed.
static double find_listed(const weft__moving_shell* moving, const weft__point_path* path,
                          double reach, weft__triangle_list* list, uint32_t* count) {
  const double least = weft__triangle_list_find(list, &moving->shell, moving, path, reach);
  if (least == INFINITY) return -1.0;
  uint32_t i = 0;
  while (i < list->count && (double)list->least[i] <= least) ++i;
  *count = i;
  return reach + ((i < list->count ? (double)list->least[i] : list->reach) - least);
}

// Returns a bound of the distance of all others.
static double visit_near(moving_search* s, weft__bvh_visit* visit_one, double reach,
                         weft__triangle_list* list) {
  const weft__point_path path = {s->from, s->to, s->slice};
  uint32_t count = 0;
  const double beyond = find_listed(s->moving, &path, reach, list, &count);
  if (beyond < 0.0) {
    const weft__aabb box = weft__aabb_around_path(s->from, s->to, reach);
    (void)weft__bvh_find(&s->moving->shell.tree, &box, visit_one, s);
    return reach;
  }
  for (uint32_t i = 0; i < count; ++i) (void)visit_one(s, list->triangle[i]);
  return beyond;
}

static void set_vector(double to[][WEFT__BATCH_TRIANGLES], uint32_t i, weft__vec3 a) {
  to[0][i] = a.x;
  to[1][i] = a.y;
  to[2][i] = a.z;
}

static bool gather(const weft__shape* shape, const weft__ball_path* ball, weft__triangle_list* list,
                   weft__triangle_batch* batch, weft__met_triangles* met) {
  const weft__moving_shell* moving = shape->data;
  const weft__point_path path = {ball->from, ball->to, {0.0, 1.0}};
  *met = (weft__met_triangles){.from = ball->from,
                               .to = ball->to,
                               .reach = WEFT__LIST_MARGIN * ball->reach,
                               .first = batch->count};
  uint32_t count = 0;
  met->beyond = find_listed(moving, &path, met->reach, list, &count);
  if (met->beyond < 0.0) return true;
  if (batch->count + count > WEFT__BATCH_TRIANGLES) return false;
  for (uint32_t k = 0; k < count; ++k) {
    const uint32_t i = batch->count++;
    const uint32_t* corners = moving->shell.triangles[list->triangle[k]];
    batch->triangle[i] = list->triangle[k];
    set_vector(batch->point, i, ball->to);
    set_vector(batch->path, i, weft__minus(ball->to, ball->from));
    for (int c = 0; c < 9; ++c) {
      batch->begin[c][i] = moving->begin[corners[c / 3]][c % 3];
      batch->end[c][i] = moving->shell.points[corners[c / 3]][c % 3];
    }
  }
  met->end = batch->count;
  met->batch = batch;
  return true;
}

static weft__triangle_point point_in(const weft__triangle_batch* b, uint32_t i) {
  return (weft__triangle_point){b->distance[i],
                                {b->nearest[0][i], b->nearest[1][i], b->nearest[2][i]},
                                {b->share[0][i], b->share[1][i], b->share[2][i]},
                                (b->inside >> i & 1) != 0};
}

static bool touch(const weft__shape* shape, weft__slice_of_time slice, const weft__ball_path* ball,
                  weft__triangle_list* list, weft__near_points* near, weft__moving_hit* hit) {
  const weft__moving_shell* moving = shape->data;
  moving_search s = {.moving = moving,
                     .slice = slice,
                     .from = ball->from,
                     .path = weft__minus(ball->to, ball->from),
                     .to = ball->to,
                     .radius = ball->radius,
                     .swept_triangle = UINT32_MAX,
                     .nearest_triangle = UINT32_MAX,
                     .distance = INFINITY,
                     .next_distance = INFINITY,
                     .behind = INFINITY,
                     .near = near};
  const double reach = WEFT__LIST_MARGIN * ball->reach;
  near->count = 0;
  if (!meet_batch(&s, ball->met, reach)) near->reach = visit_near(&s, visit, reach, list);
  if (near->count > WEFT__NEAR_POINTS || s.travel > 0.5 * s.radius) near->reach = 0.0;
  if (s.swept_triangle != UINT32_MAX && s.swept.fraction == 0.0 && ball->radius > 0.0) {
    // initial overlap: cast only the centre
    s.swept_triangle = UINT32_MAX;
    (void)visit_near(&s, visit_point, reach, list);
  }
  if (s.swept_triangle != UINT32_MAX) {
    *hit = s.swept;
    hit->distance = hit->clearance = near->reach = 0.0;
    const weft__vec3 relative = weft__minus(s.path, hit->carry);
    // on the surface the direction decides the side
    if (hit->fraction > 0.0 || weft__dot(relative, hit->normal) < 0.0) return true;
  }
  if (s.nearest_triangle == UINT32_MAX || !(s.distance <= ball->reach) ||
      !(s.distance <= s.behind * (1.0 + 1e-9)))
    return false;
  const moving_triangle t = triangle_in(moving, s.nearest_triangle, slice);
  const weft__triangle end = triangle_at(&t, 1.0);
  const weft__triangle_point nearest = s.nearest_lane != UINT32_MAX
                                           ? point_in(ball->met->batch, s.nearest_lane)
                                           : weft__nearest_on_triangle(s.to, &end);
  const weft__vec3 normal = weft__triangle_direction(&end, &nearest, s.to, 0.0);
  *hit = hit_of(&t, 1.0, &nearest, normal);
  hit->distance = s.distance;
  hit->clearance = weft__min(weft__min(s.next_distance, s.behind), reach);
  return true;
}

typedef struct moving_nearest {
  const weft__moving_shell* moving;
  weft__slice_of_time slice;
  weft__vec3 point;
  weft__triangle_point best;
  uint32_t triangle;  // UINT32_MAX: none yet
} moving_nearest;

static double visit_nearest(void* context, uint32_t item, double limit) {
  moving_nearest* s = context;
  const moving_triangle t = triangle_in(s->moving, item, s->slice);
  const weft__triangle now = triangle_at(&t, 0.0);
  const weft__triangle_point nearest = weft__nearest_on_triangle(s->point, &now);
  if (!(nearest.distance <= limit)) return limit;
  if (nearest.distance == s->best.distance && item > s->triangle) return limit;
  s->best = nearest;
  s->triangle = item;
  return nearest.distance;
}

static weft__vec3 follow(const weft__shape* shape, weft__slice_of_time slice, weft__vec3 point) {
  moving_nearest s = {.moving = shape->data,
                      .slice = slice,
                      .point = point,
                      .best.distance = INFINITY,
                      .triangle = UINT32_MAX};
  weft__bvh_approach(&s.moving->shell.tree, point, INFINITY, visit_nearest, &s);
  if (s.triangle == UINT32_MAX) return point;
  const moving_triangle t = triangle_in(s.moving, s.triangle, slice);
  const weft__triangle now = triangle_at(&t, 0.0);
  const weft__vec3 normal = weft__triangle_direction(&now, &s.best, point, 0.0);
  const weft__moving_hit hit = hit_of(&t, 0.0, &s.best, normal);
  return weft__plus(hit.point, weft__scaled(s.best.distance, hit.normal));
}

const weft__moving_row weft__moving_shell_row = {
    .advance = advance, .gather = gather, .touch = touch, .follow = follow};
