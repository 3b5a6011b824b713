#include "modules/query/search.h"

typedef struct hit_collector {
  weft__hit_heap heap; /* first member: a pointer to it is a pointer to this */
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
  weft__hit_heap_insert(&all->heap, hit);
}

static uint32_t collect_all(hit_collector* all) {
  all->heap.is_after = has_higher_number;
  weft__search_all(&all->heap.search);
  weft__hit_heap_sort(&all->heap);
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
