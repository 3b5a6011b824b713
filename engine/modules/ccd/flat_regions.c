/* Flat regions: faces that cover the convex hull of two adjacent clusters in their rest plane, and
 * their clusters, its parts. A flood fill from a face of the first crosses all edges that pass
 * through the hull. A boundary edge or a face that folds back in the hull means there is no region.
 */
#include <math.h>
#include <string.h>

#include "modules/ccd/flatness.h"

#define MAX_HULL_CORNERS 96u
#define MAX_VISITED 256u
#define MAX_NEIGHBORS 24u
// Faces of a particle searched for neighbours: a hub of more has few regions.
#define MAX_USES 1024u
// Share of the width of the hull: edges within this of its boundary are not inside.
#define RIM_TOLERANCE 1e-5
// Sum of bends, none of which is negative, of a region without a certificate.
#define NEVER_VALID (-1.0)

typedef struct point {
  double u, v;
} point;

// Side of the hull from `at` along `by`; points less than `tolerance` (square metres, as twice the
// area of the triangle with the side) to its left count as outside.
typedef struct hull_side {
  point at, by;
  double tolerance;
} hull_side;

// Words of a filter of the visited faces: a bit for the lowest bits of a number.
#define FILTER_WORDS 8u

typedef struct region_search {
  const weft__flatness* flatness;
  const weft__ccd_clusters* clusters;
  const weft__face_edges* mesh;
  const weft__faces* faces;
  const float *u, *v;
  uint8_t across;
  uint32_t hull_part[2];
  point hull[MAX_HULL_CORNERS + 1]; /* counterclockwise, closed */
  uint32_t hull_count;
  hull_side sides[MAX_HULL_CORNERS];
  point lower, upper; /* AABB of the hull */
  uint32_t visited[MAX_VISITED];
  uint32_t visited_count;
  uint64_t filter[FILTER_WORDS];
} region_search;

// ---- the hull ----

static point point_of(const region_search* search, uint32_t particle) {
  return (point){(double)search->u[particle], (double)search->v[particle]};
}

// Twice the signed area of a triangle, positive if counterclockwise.
static double orientation(point a, point b, point c) {
  return (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
}

static bool precedes(point a, point b) {
  return a.u < b.u || (a.u == b.u && a.v < b.v);
}

// Insertion sort: few points.
static void sort_points(point* points, uint32_t count) {
  for (uint32_t n = 1; n < count; ++n) {
    const point p = points[n];
    uint32_t at = n;
    for (; at > 0 && precedes(p, points[at - 1]); --at) points[at] = points[at - 1];
    points[at] = p;
  }
}

static uint32_t append_points(const region_search* search, uint32_t part, point* points) {
  const weft__range members = weft__cluster_members(search->clusters, part);
  uint32_t count = 0;
  for (uint32_t m = members.begin; m < members.end; ++m) {
    // padding repeats the last member
    if (m > members.begin && search->clusters->member[m] == search->clusters->member[m - 1])
      continue;
    points[count++] = point_of(search, search->clusters->member[m]);
  }
  return count;
}

static void build_sides(region_search* search) {
  const point* hull = search->hull;
  search->lower = search->upper = hull[0];
  for (uint32_t n = 1; n < search->hull_count; ++n) {
    search->lower.u = fmin(search->lower.u, hull[n].u);
    search->lower.v = fmin(search->lower.v, hull[n].v);
    search->upper.u = fmax(search->upper.u, hull[n].u);
    search->upper.v = fmax(search->upper.v, hull[n].v);
  }
  const double rim_tolerance = RIM_TOLERANCE * (search->upper.u - search->lower.u); /* metres */
  for (uint32_t n = 0; n < search->hull_count; ++n) {
    hull_side* side = &search->sides[n];
    side->at = hull[n];
    side->by = (point){hull[n + 1].u - hull[n].u, hull[n + 1].v - hull[n].v};
    side->tolerance = rim_tolerance * (fabs(side->by.u) + fabs(side->by.v));
  }
}

// Monotone chain (Andrew 1979, "Another efficient algorithm for convex hulls in two dimensions").
static void build_hull(region_search* search, point* points, uint32_t count) {
  search->hull_count = 0;
  if (count == 0) return;
  sort_points(points, count);
  uint32_t n = 0;
  uint32_t min_count = 2;
  for (uint32_t i = 0; i < 2 * count - 1; ++i) {
    const point p = points[i < count ? i : 2 * count - 2 - i];
    if (i == count) min_count = n + 1;
    while (n >= min_count && orientation(search->hull[n - 2], search->hull[n - 1], p) <= 0.0) --n;
    if (n > MAX_HULL_CORNERS) break;
    search->hull[n++] = p;
  }
  // the chain closes on its first point
  search->hull_count = n > 0 ? n - 1 : 0;
}

// Distance of a point to the left of a side, times the length of the side, less its tolerance.
static double inside_of(const hull_side* side, point p) {
  return side->by.u * (p.v - side->at.v) - side->by.v * (p.u - side->at.u) - side->tolerance;
}

// Clips a segment against all sides of the hull (Cyrus, Beck 1978).
static bool crosses_hull(const region_search* search, point a, point b) {
  const point lower = search->lower, upper = search->upper;
  if ((a.u < lower.u && b.u < lower.u) || (a.u > upper.u && b.u > upper.u) ||
      (a.v < lower.v && b.v < lower.v) || (a.v > upper.v && b.v > upper.v)) {
    return false;
  }
  double from = 0.0;
  double until = 1.0;
  for (uint32_t n = 0; n < search->hull_count; ++n) {
    const double side_a = inside_of(&search->sides[n], a);
    const double side_b = inside_of(&search->sides[n], b);
    if (side_a <= 0.0 && side_b <= 0.0) return false;
    if (side_a > 0.0 && side_b > 0.0) continue;
    const double crossing = side_a / (side_a - side_b);
    if (side_a <= 0.0 && crossing > from) from = crossing;
    if (side_b <= 0.0 && crossing < until) until = crossing;
  }
  return from < until;
}

// ---- flood fill ----

static uint64_t filter_bit(uint32_t face) {
  return UINT64_C(1) << face % 64;
}

static uint32_t filter_word(uint32_t face) {
  return face / 64 % FILTER_WORDS;
}

// Position of a face in the order of visits, or WEFT__NONE.
static uint32_t find_visit(const region_search* search, uint32_t face) {
  if ((search->filter[filter_word(face)] & filter_bit(face)) == 0) return WEFT__NONE;
  // newest first: neighbours were visited a few steps ago
  for (uint32_t n = search->visited_count; n-- > 0;) {
    if (search->visited[n] == face) return n;
  }
  return WEFT__NONE;
}

static void visit(region_search* search, uint32_t face) {
  search->visited[search->visited_count++] = face;
  search->filter[filter_word(face)] |= filter_bit(face);
}

// Corner of a face that is not an end of an edge.
static point opposite_corner(const region_search* search, uint32_t face, const uint32_t end[2]) {
  const uint32_t* corner = search->faces->corner[face];
  for (int k = 0; k < 2; ++k) {
    if (corner[k] != end[0] && corner[k] != end[1]) return point_of(search, corner[k]);
  }
  return point_of(search, corner[2]);
}

static uint32_t part_of(const region_search* search, uint32_t face) {
  return search->clusters->slot_of_face[face] / WEFT__CLUSTER_FACES;
}

// True for faces of the two parts, which are in the hull by definition.
static bool is_of_hull(const region_search* search, uint32_t face) {
  const uint32_t part = part_of(search, face);
  return part == search->hull_part[0] || part == search->hull_part[1];
}

// Extends the fill from the n-th visited face across an edge if it passes through the hull; false
// at a boundary or a fold.
static bool cross_edge(region_search* search, uint32_t n, uint32_t edge) {
  const uint32_t face = search->visited[n];
  const uint32_t* end = search->mesh->end[edge];
  const uint32_t* side = search->mesh->side[edge];
  const uint32_t next = side[0] == face ? side[1] : side[0];
  const bool has_next = next != WEFT__NONE && search->clusters->slot_of_face[next] != WEFT__NONE;
  const uint32_t visited_at = has_next ? find_visit(search, next) : WEFT__NONE;
  const bool is_within = has_next && is_of_hull(search, next);
  // the same test was passed from the other side
  if (visited_at < n && is_within == is_of_hull(search, face)) return true;
  const point a = point_of(search, end[0]);
  const point b = point_of(search, end[1]);
  if (!is_within && !crosses_hull(search, a, b)) return true;
  if (!has_next) return false;
  const double turn_here = orientation(a, b, opposite_corner(search, face, end));
  const double turn_there = orientation(a, b, opposite_corner(search, next, end));
  if (!((turn_here > 0.0 && turn_there < 0.0) || (turn_here < 0.0 && turn_there > 0.0)))
    return false;
  if (visited_at != WEFT__NONE) return true;
  if (search->visited_count == MAX_VISITED) return false;
  visit(search, next);
  return true;
}

// Adds a face, with its part; false if there is no room, or if its plane is another.
static bool add_face(const region_search* search, weft__flat_region* region, uint32_t face) {
  const uint32_t part = part_of(search, face);
  uint32_t n = 0;
  while (n < region->count && region->part[n] != part) ++n;
  if (n == region->count) {
    if (n == WEFT__FLAT_MAX_PARTS || search->flatness->axis[part] != search->across) return false;
    region->part[region->count++] = part;
  }
  const uint32_t slot = search->clusters->slot_of_face[face] % WEFT__CLUSTER_FACES;
  region->faces[n] = (uint16_t)(region->faces[n] | 1u << slot);
  return true;
}

static bool covers_part(const region_search* search, uint32_t part) {
  const weft__range range = weft__cluster_faces(search->clusters, part);
  for (uint32_t f = range.begin; f < range.end; ++f) {
    if (find_visit(search, search->clusters->face[f]) == WEFT__NONE) return false;
  }
  return true;
}

static bool flood_fill(region_search* search, uint32_t part, weft__flat_region* region) {
  search->visited_count = 0;
  memset(search->filter, 0, sizeof search->filter);
  visit(search, search->clusters->face[part * WEFT__CLUSTER_FACES]);
  for (uint32_t n = 0; n < search->visited_count; ++n) {
    const uint32_t face = search->visited[n];
    if (!add_face(search, region, face)) return false;
    for (int k = 0; k < 3; ++k) {
      if (!cross_edge(search, n, search->mesh->edge_of[face][k])) return false;
    }
  }
  return covers_part(search, part) && covers_part(search, region->other);
}

static bool build_region(region_search* search, uint32_t part, weft__flat_region* region) {
  point points[MAX_HULL_CORNERS + 2];
  uint32_t count = append_points(search, part, points);
  if (region->other != part) count += append_points(search, region->other, points + count);
  search->hull_part[0] = part;
  search->hull_part[1] = region->other;
  build_hull(search, points, count);
  if (search->hull_count < 3 || search->hull_count >= MAX_HULL_CORNERS) return false;
  build_sides(search);
  return flood_fill(search, part, region);
}

// ---- regions of a part ----

static bool contains(const uint32_t* parts, uint32_t count, uint32_t part) {
  for (uint32_t n = 0; n < count; ++n) {
    if (parts[n] == part) return true;
  }
  return false;
}

// The part itself, and later parts that share a particle with it.
static uint32_t find_neighbors(const region_search* search, uint32_t part, uint32_t* found) {
  const weft__range members = weft__cluster_members(search->clusters, part);
  const weft__faces* faces = search->faces;
  uint32_t count = 0;
  for (uint32_t m = members.begin; m < members.end; ++m) {
    const uint32_t i = search->clusters->member[m];
    const uint32_t first = faces->first_use[i];
    const uint32_t uses = faces->first_use[i + 1] - first;
    for (uint32_t n = first; n < first + (uses < MAX_USES ? uses : MAX_USES); ++n) {
      if (search->clusters->slot_of_face[faces->use[n]] == WEFT__NONE) continue;
      const uint32_t other = part_of(search, faces->use[n]);
      if (other < part || count == MAX_NEIGHBORS || contains(found, count, other)) continue;
      if (weft__cluster_is_of_strands(search->clusters, other)) continue;
      found[count++] = other;
    }
  }
  return count;
}

static void build_regions(region_search* search, uint32_t part) {
  const weft__flatness* flatness = search->flatness;
  uint32_t others[MAX_NEIGHBORS];
  const uint32_t other_count = find_neighbors(search, part, others);
  uint32_t count = 0;
  for (uint32_t n = 0; n < other_count && count < WEFT__FLAT_MAX_REGIONS; ++n) {
    weft__flat_region* region = &flatness->regions[part][count];
    *region = (weft__flat_region){.valid_until = NEVER_VALID, .other = others[n]};
    if (build_region(search, part, region)) ++count;
  }
  flatness->region_count[part] = (uint8_t)count;
}

void weft__flatness_reset_regions(const weft__flatness* flatness, uint32_t cluster) {
  for (uint32_t n = 0; n < flatness->region_count[cluster]; ++n) {
    weft__flat_region* region = &flatness->regions[cluster][n];
    region->valid_until = NEVER_VALID;
    region->retry = region->failures = 0;
  }
}

static void list_surrounding(const weft__flatness* flatness, uint32_t cluster) {
  uint32_t* surrounding = flatness->surrounding[cluster];
  uint32_t count = 0;
  flatness->surrounding_count[cluster] = 0;
  for (uint32_t r = 0; r < flatness->region_count[cluster]; ++r) {
    const weft__flat_region* region = &flatness->regions[cluster][r];
    for (uint32_t n = 0; n < region->count; ++n) {
      if (contains(surrounding, count, region->part[n])) continue;
      if (count == WEFT__FLAT_MAX_SURROUNDING) return;
      surrounding[count++] = region->part[n];
    }
  }
  flatness->surrounding_count[cluster] = (uint8_t)count;
}

void weft__flatness_build_regions(const weft__flatness* flatness,
                                  const weft__ccd_clusters* clusters, const weft__face_edges* mesh,
                                  const weft__faces* faces, uint32_t cluster) {
  const uint8_t across = flatness->axis[cluster];
  region_search search = {.flatness = flatness,
                          .clusters = clusters,
                          .mesh = mesh,
                          .faces = faces,
                          .across = across,
                          .u = faces->place[(across + 1) % 3],
                          .v = faces->place[(across + 2) % 3]};
  build_regions(&search, cluster);
  list_surrounding(flatness, cluster);
}
