
#include "modules/query/search.h"

#include "base/min_max.h"

static void test_nearest(weft__search* search, const weft__element* element) {
  weft__query_result result;
  if (weft__query_find_nearest(search, element, &result))
    weft__best_hit_offer((weft__best_hit*)search, element, &result);
}

bool weft__query_closest(const weft__query_scope* asked, weft__vec3 point, double max_distance,
                         weft_query_hit* hit) {
  weft__best_hit first = {.search = {.asked = asked,
                                     .query = &point,
                                     .limit = weft__min(max_distance, DBL_MAX),
                                     .test = test_nearest,
                                     .traverse = weft__traverse_near}};
  weft__search_all(&first.search);
  if (first.found) *hit = first.hit;
  return first.found;
}

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
  weft__hit_heap* kept = (weft__hit_heap*)search;
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
  weft__hit_heap_insert(kept, &hit);
  if (kept->count == kept->capacity) search->limit = hit_distance(search, &kept->hits[0]);
}

uint32_t weft__query_nearest_particles(const weft__query_scope* asked, weft__vec3 point,
                                       double max_distance, uint32_t capacity,
                                       weft_query_hit* hits) {
  if (capacity == 0) return 0;
  weft__query_scope of_particles = *asked;
  of_particles.filter.links = of_particles.filter.faces = of_particles.filter.colliders = false;
  weft__hit_heap nearest = {.search = {.asked = &of_particles,
                                       .query = &point,
                                       .limit = weft__min(max_distance, DBL_MAX),
                                       .test = keep_center,
                                       .traverse = weft__traverse_near},
                            .is_after = is_farther,
                            .capacity = capacity,
                            .hits = hits};
  weft__search_all(&nearest.search);
  weft__hit_heap_sort(&nearest);
  return nearest.count;
}
