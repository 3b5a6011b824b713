/* Which parts, blocks or quarters, cover the convex hull of two: from a face of the first, faces are visited across all edges that go
 * through the hull. Where such an edge has no other face, or the next face turns back, there is no window. */
#include <math.h>

#include "collision/ccd/flatness.h"

#define MOST_CORNERS 96u
#define MOST_VISITED 256u
#define MOST_NEIGHBOURS 24u
// of the hull's width: an edge along its rim does not go through it
#define RIM 1e-5

typedef struct point {
  double u, v;
} point;

typedef struct opening {
  const weft__flatness* flats;
  const weft__flatness_level* parts;
  const weft__ccd_clusters* blocks;
  const weft__face_edges* web;
  const weft__faces* faces;
  const float *u, *v;
  uint8_t across;
  uint32_t two[2];              /* parts */
  point hull[MOST_CORNERS + 1]; /* counterclockwise */
  uint32_t hull_count;
  double rim; /* metres */
  uint32_t visited[MOST_VISITED];
  uint32_t visited_count;
} opening;

// ---- the hull ----

static point point_of(const opening* o, uint32_t particle) {
  return (point){(double)o->u[particle], (double)o->v[particle]};
}

// twice the area of a triangle, positive where it goes round counterclockwise
static double turn(point a, point b, point c) {
  return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

static bool is_before(point a, point b) {
  return a.u < b.u || (a.u == b.u && a.v < b.v);
}

// of a few
static void sort(point* points, uint32_t count) {
  for (uint32_t n = 1; n < count; ++n) {
    const point p = points[n];
    uint32_t at = n;
    for (; at > 0 && is_before(p, points[at - 1]); --at) points[at] = points[at - 1];
    points[at] = p;
  }
}

static weft__range members_of(const opening* o, uint32_t part) {
  if (o->parts->face_count == WEFT__CLUSTER_FACES) return weft__cluster_members(o->blocks, part);
  return weft__leaf_range(o->blocks->first_member, part);
}

static uint32_t add_points(const opening* o, uint32_t part, point* points) {
  const weft__range members = members_of(o, part);
  uint32_t count = 0;
  for (uint32_t m = members.begin; m < members.end; ++m) {
    // its end is filled up with the last one
    if (m > members.begin && o->blocks->member[m] == o->blocks->member[m - 1]) continue;
    points[count++] = point_of(o, o->blocks->member[m]);
  }
  return count;
}

// (Andrew 1979, "Another efficient algorithm for convex hulls in two dimensions")
static void wrap(opening* o, point* points, uint32_t count) {
  o->hull_count = 0;
  if (count == 0) return;
  sort(points, count);
  uint32_t n = 0;
  uint32_t least = 2;
  for (uint32_t i = 0; i < 2 * count - 1; ++i) {
    const point p = points[i < count ? i : 2 * count - 2 - i];
    if (i == count) least = n + 1;
    while (n >= least && turn(o->hull[n - 2], o->hull[n - 1], p) <= 0.0) --n;
    if (n > MOST_CORNERS) break;
    o->hull[n++] = p;
  }
  // the last one is the first one again
  o->hull_count = n > 0 ? n - 1 : 0;
  o->rim = RIM * (points[count - 1].u - points[0].u);
}

static bool goes_through_hull(const opening* o, point a, point b) {
  double from = 0.0;
  double until = 1.0;
  for (uint32_t n = 0; n < o->hull_count; ++n) {
    const point p = o->hull[n];
    const point q = o->hull[n + 1];
    const double rim = o->rim * (fabs(q.u - p.u) + fabs(q.v - p.v));
    const double at_a = turn(p, q, a) - rim;
    const double at_b = turn(p, q, b) - rim;
    if (at_a <= 0.0 && at_b <= 0.0) return false;
    if (at_a > 0.0 && at_b > 0.0) continue;
    const double there = at_a / (at_a - at_b);
    if (at_a <= 0.0 && there > from) from = there;
    if (at_b <= 0.0 && there < until) until = there;
  }
  return from < until;
}

// ---- the visit ----

static bool is_visited(const opening* o, uint32_t face) {
  // neighbours were visited a short while ago
  for (uint32_t n = o->visited_count; n-- > 0;) {
    if (o->visited[n] == face) return true;
  }
  return false;
}

// the corner that is not at an edge
static point third_of(const opening* o, uint32_t face, const uint32_t end[2]) {
  const uint32_t* corner = o->faces->corner[face];
  for (int k = 0; k < 2; ++k) {
    if (corner[k] != end[0] && corner[k] != end[1]) return point_of(o, corner[k]);
  }
  return point_of(o, corner[2]);
}

static uint32_t part_of(const opening* o, uint32_t face) {
  return o->blocks->listed_face[face] / o->parts->face_count;
}

// goes on to the next face, if an edge leads there; false where there is none, or it turns back
static bool cross(opening* o, uint32_t face, uint32_t edge) {
  const uint32_t* end = o->web->end[edge];
  const uint32_t* side = o->web->side[edge];
  const uint32_t next = side[0] == face ? side[1] : side[0];
  const bool has_next = next != WEFT__NONE && o->blocks->listed_face[next] != WEFT__NONE;
  const point a = point_of(o, end[0]);
  const point b = point_of(o, end[1]);
  // the faces of the two are in the hull in any case
  const bool is_within =
      has_next && (part_of(o, next) == o->two[0] || part_of(o, next) == o->two[1]);
  if (!is_within && !goes_through_hull(o, a, b)) return true;
  if (!has_next) return false;
  const double here = turn(a, b, third_of(o, face, end));
  const double there = turn(a, b, third_of(o, next, end));
  if (!((here > 0.0 && there < 0.0) || (here < 0.0 && there > 0.0))) return false;
  if (is_visited(o, next)) return true;
  if (o->visited_count == MOST_VISITED) return false;
  o->visited[o->visited_count++] = next;
  return true;
}

static bool add_part(const opening* o, weft__flat_region* window, uint32_t part) {
  for (uint32_t n = 0; n < window->count; ++n) {
    if (window->part[n] == part) return true;
  }
  const uint32_t block = part * o->parts->face_count / WEFT__CLUSTER_FACES;
  if (window->count == WEFT__WINDOW_PARTS || o->flats->axis[block] != o->across) return false;
  window->part[window->count++] = part;
  return true;
}

static bool has_all(const opening* o, uint32_t part) {
  const uint32_t begin = part * o->parts->face_count;
  for (uint32_t f = begin; f < begin + o->parts->face_count && f < o->blocks->face_count; ++f) {
    if (!is_visited(o, o->blocks->face[f])) return false;
  }
  return true;
}

static bool visit(opening* o, uint32_t part, weft__flat_region* window) {
  o->visited[0] = o->blocks->face[part * o->parts->face_count];
  o->visited_count = 1;
  for (uint32_t n = 0; n < o->visited_count; ++n) {
    const uint32_t face = o->visited[n];
    if (!add_part(o, window, part_of(o, face))) return false;
    for (int k = 0; k < 3; ++k) {
      if (!cross(o, face, o->web->edge_of[face][k])) return false;
    }
  }
  return has_all(o, part) && has_all(o, window->other);
}

static bool open_window(opening* o, uint32_t part, weft__flat_region* window) {
  point points[MOST_CORNERS + 2];
  uint32_t count = add_points(o, part, points);
  if (window->other != part) count += add_points(o, window->other, points + count);
  o->two[0] = part;
  o->two[1] = window->other;
  wrap(o, points, count);
  return o->hull_count >= 3 && o->hull_count < MOST_CORNERS && visit(o, part, window);
}

// ---- a part's windows ----

static bool is_among(const uint32_t* parts, uint32_t count, uint32_t part) {
  for (uint32_t n = 0; n < count; ++n) {
    if (parts[n] == part) return true;
  }
  return false;
}

// the part itself, and those after it that share a particle with it
static uint32_t find_neighbours(const opening* o, uint32_t part, uint32_t* found) {
  const weft__range members = members_of(o, part);
  const weft__faces* faces = o->faces;
  uint32_t count = 0;
  for (uint32_t m = members.begin; m < members.end; ++m) {
    const uint32_t i = o->blocks->member[m];
    for (uint32_t n = faces->first_use[i]; n < faces->first_use[i + 1]; ++n) {
      if (o->blocks->listed_face[faces->use[n]] == WEFT__NONE) continue;
      const uint32_t other = part_of(o, faces->use[n]);
      if (other < part || count == MOST_NEIGHBOURS || is_among(found, count, other)) continue;
      found[count++] = other;
    }
  }
  return count;
}

static void open_windows(opening* o, const weft__flatness_level* parts, uint32_t part) {
  o->parts = parts;
  uint32_t others[MOST_NEIGHBOURS];
  const uint32_t other_count = find_neighbours(o, part, others);
  uint32_t count = 0;
  for (uint32_t n = 0; n < other_count && count < WEFT__PART_WINDOWS; ++n) {
    weft__flat_region* window = &parts->window[part][count];
    *window = (weft__flat_region){.key = -1.0, .other = others[n]};
    if (open_window(o, part, window)) ++count;
  }
  parts->window_count[part] = (uint8_t)count;
}

static void list_around(const weft__flatness* flats, uint32_t block) {
  uint32_t* around = flats->around[block];
  uint32_t count = 0;
  flats->around_count[block] = 0;
  for (uint32_t w = 0; w < flats->blocks.window_count[block]; ++w) {
    const weft__flat_region* window = &flats->blocks.window[block][w];
    for (uint32_t n = 0; n < window->count; ++n) {
      if (is_among(around, count, window->part[n])) continue;
      if (count == WEFT__MOST_AROUND) return;
      around[count++] = window->part[n];
    }
  }
  flats->around_count[block] = (uint8_t)count;
}

void weft__flatness_open(const weft__flatness* flats, const weft__ccd_clusters* blocks,
                         const weft__face_edges* web, const weft__faces* faces, uint32_t block) {
  const uint8_t across = flats->axis[block];
  opening o = {.flats = flats,
               .blocks = blocks,
               .web = web,
               .faces = faces,
               .across = across,
               .u = web->place[(across + 1) % 3],
               .v = web->place[(across + 2) % 3]};
  open_windows(&o, &flats->blocks, block);
  list_around(flats, block);
  for (uint32_t quarter = 4 * block; quarter < 4 * block + 4; ++quarter) {
    open_windows(&o, &flats->quarters, quarter);
  }
}
