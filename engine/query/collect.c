/* Queries with many results. The kept hits are a heap in the caller's array, with the first one to
 * be replaced on top: no other memory is needed, and the kept set does not depend on the order of
 * visits. */
#include <float.h>
#include <math.h>

#include "base/heap.h"
#include "query/search.h"

// ---- bounded heap ----

typedef struct hit_heap {
  weft__search search;         /* first member: a pointer to it is a pointer to the heap */
  weft__heap_order* is_after;  // reverse order of hits; its context is the search
  uint32_t capacity;
  uint32_t count;  // hits kept
  weft_query_hit* hits;
} hit_heap;

static weft__heap heap_of(const hit_heap* kept) {
  return (weft__heap){kept->hits, kept->count, sizeof(*kept->hits), kept->is_after, &kept->search};
}

static void insert_hit(hit_heap* kept, const weft_query_hit* hit) {
  if (kept->count < kept->capacity) {
    kept->hits[kept->count++] = *hit;
    const weft__heap heap = heap_of(kept);
    weft__heap_sift_up(&heap, kept->count - 1);
  } else if (kept->capacity > 0 && kept->is_after(&kept->search, &kept->hits[0], hit)) {
    kept->hits[0] = *hit;
    const weft__heap heap = heap_of(kept);
    weft__heap_sift_down(&heap, 0);
  }
}

// ---- all hits, by kind and number ----

typedef struct hit_collector {
  hit_heap heap; /* first member: a pointer to it is a pointer to this */
  uint32_t count;
} hit_collector;

static bool has_higher_number(const void* search, const void* one, const void* other) {
  (void)search;
  const weft_query_hit* a = one;
  const weft_query_hit* b = other;
  return a->kind != b->kind ? a->kind > b->kind : a->index > b->index;
}

static void collect(hit_collector* all, const weft_query_hit* hit) {
  all->count += 1;
  insert_hit(&all->heap, hit);
}

static uint32_t collect_all(hit_collector* all) {
  all->heap.is_after = has_higher_number;
  weft__search_all(&all->heap.search);
  weft__heap_sort(heap_of(&all->heap));
  return all->count;
}

static void collect_near(weft__search* search, const weft__element* element) {
  weft__query_result result;
  if (!weft__query_find_nearest(search, element, &result)) return;
  const weft_query_hit hit = weft__hit_from_result(element, &result);
  collect((hit_collector*)search, &hit);
}

uint32_t weft__query_within_radius(const weft__query_scope* asked, weft__vec3 point, double radius,
                                   uint32_t capacity, weft_query_hit* hits) {
  hit_collector near = {.heap = {.search = {.asked = asked,
                                            .query = &point,
                                            .limit = radius,
                                            .test = collect_near,
                                            .traverse = weft__traverse_near},
                                 .capacity = capacity,
                                 .hits = hits}};
  return collect_all(&near);
}

static bool extents_overlap(const weft__extent* a, const weft__extent* b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!(a->lower[axis] <= b->upper[axis] && b->lower[axis] <= a->upper[axis])) return false;
  }
  return true;
}

static void collect_inside(weft__search* search, const weft__element* element) {
  const weft__extent* box = search->query;
  if (!extents_overlap(&element->extent, box)) return;
  if (!weft__form_rows[element->form]->overlaps_box(element, box)) return;
  const weft_query_hit hit = weft__hit_of(element);
  collect((hit_collector*)search, &hit);
}

static void traverse_inside(weft__search* search, const weft__bvh* tree) {
  const weft__aabb box = weft__extent_aabb(search->query);
  (void)weft__bvh_find(tree, &box, weft__search_visit_all, search);
}

uint32_t weft__query_in_box(const weft__query_scope* asked, const weft__extent* box,
                            uint32_t capacity, weft_query_hit* hits) {
  hit_collector inside = {.heap = {.search = {.asked = asked,
                                              .query = box,
                                              .test = collect_inside,
                                              .traverse = traverse_inside},
                                   .capacity = capacity,
                                   .hits = hits}};
  return collect_all(&inside);
}

// ---- nearest particles ----

static double center_distance(const weft__search* search, weft__vec3 center) {
  const weft__vec3 away = weft__minus(*(const weft__vec3*)search->query, center);
  return weft__length(away);
}

// Distance in double precision; hits store it as a float only.
static double hit_distance(const weft__search* search, const weft_query_hit* hit) {
  const weft__vec3 center = {(double)hit->point[0], (double)hit->point[1], (double)hit->point[2]};
  return center_distance(search, center);
}

static bool is_farther(const void* search, const void* one, const void* other) {
  const weft_query_hit* a = one;
  const weft_query_hit* b = other;
  const double distance_a = hit_distance(search, a);
  const double distance_b = hit_distance(search, b);
  return distance_a != distance_b ? distance_a > distance_b : a->index > b->index;
}

static void keep_center(weft__search* search, const weft__element* element) {
  hit_heap* kept = (hit_heap*)search;
  const weft__vec3 center = element->corner[0];
  if (!(weft__extent_distance(&element->extent, *(const weft__vec3*)search->query) <=
        search->limit)) {
    return;
  }
  weft__query_result result = {.distance = center_distance(search, center), .point = center};
  if (!(result.distance <= search->limit)) return;
  if (result.distance > 0.0) {
    const weft__vec3 away = weft__minus(*(const weft__vec3*)search->query, center);
    result.normal = weft__scaled(1.0 / result.distance, away);
  }
  const weft_query_hit hit = weft__hit_from_result(element, &result);
  insert_hit(kept, &hit);
  if (kept->count == kept->capacity) search->limit = hit_distance(search, &kept->hits[0]);
}

uint32_t weft__query_nearest_particles(const weft__query_scope* asked, weft__vec3 point,
                                       double max_distance, uint32_t capacity,
                                       weft_query_hit* hits) {
  if (capacity == 0) return 0;
  weft__query_scope of_particles = *asked;
  of_particles.filter.links = of_particles.filter.faces = of_particles.filter.colliders = false;
  hit_heap nearest = {.search = {.asked = &of_particles,
                                 .query = &point,
                                 .limit = fmin(max_distance, DBL_MAX),
                                 .test = keep_center,
                                 .traverse = weft__traverse_near},
                      .is_after = is_farther,
                      .capacity = capacity,
                      .hits = hits};
  weft__search_all(&nearest.search);
  weft__heap_sort(heap_of(&nearest));
  return nearest.count;
}
