#include "modules/query/search.h"

#include <math.h>

#include "base/min_max.h"

static void test_element(weft__search* search, uint32_t index) {
  const weft__query_scope* asked = search->asked;
  weft__element element;
  if (!weft__element_load(&asked->elements, search->kind, index, &element)) return;
  if (element.has_contact && (element.category & asked->filter.mask) == 0) return;
  search->test(search, &element);
}

double weft__search_visit(void* search, uint32_t item, double limit) {
  (void)limit;
  test_element(search, item);
  return ((const weft__search*)search)->limit;
}

bool weft__search_visit_all(void* search, uint32_t item) {
  test_element(search, item);
  return true;
}

static bool is_wanted(const weft_query_def* filter, weft_element_kind kind) {
  const bool wanted[WEFT__ELEMENT_KINDS] = {filter->particles, filter->links, filter->faces,
                                            filter->colliders};
  return wanted[kind];
}

static void search_kind(weft__search* search) {
  const weft__query_scope* asked = search->asked;
  if (asked->trees != NULL && search->kind < WEFT__TREE_KINDS) {
    search->traverse(search, &asked->trees[search->kind]);
    return;
  }
  const uint32_t count = weft__element_count(&asked->elements, search->kind);
  for (uint32_t index = 0; index < count; ++index) test_element(search, index);
}

void weft__search_all(weft__search* search) {
  for (int kind = 0; kind < WEFT__ELEMENT_KINDS; ++kind) {
    search->kind = (weft_element_kind)kind;
    if (is_wanted(&search->asked->filter, search->kind)) search_kind(search);
  }
}

double weft__extent_distance(const weft__extent* extent, weft__vec3 point) {
  const double at[3] = {point.x, point.y, point.z};
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double below = extent->lower[axis] - at[axis];
    const double above = at[axis] - extent->upper[axis];
    const double outside = weft__max(weft__max(below, above), 0.0);
    sum += outside * outside;
  }
  return sqrt(sum) * (1.0 - WEFT__QUERY_SLACK);
}

void weft__traverse_near(weft__search* search, const weft__bvh* tree) {
  weft__bvh_approach(tree, *(const weft__vec3*)search->query, search->limit, weft__search_visit,
                     search);
}

bool weft__query_find_nearest(const weft__search* search, const weft__element* element,
                              weft__query_result* result) {
  const weft__vec3 point = *(const weft__vec3*)search->query;
  const double lower_bound = weft__extent_distance(&element->extent, point);
  if (!(lower_bound <= search->limit)) return false;
  const weft__form_row* row = weft__form_rows[element->form];
  const double reach = search->limit * (1.0 + WEFT__QUERY_SLACK);
  if (!row->find_nearest(element, point, reach, result)) return false;
  result->distance = weft__max(result->distance, lower_bound);
  return result->distance <= search->limit;
}

weft_query_hit weft__hit_of(const weft__element* element) {
  weft_query_hit hit = {.kind = element->kind, .index = element->index};
  if (element->kind == WEFT_ELEMENT_COLLIDER) {
    hit.collider = (weft_collider){element->index, element->collider->generation};
  }
  return hit;
}

weft_query_hit weft__hit_from_result(const weft__element* element,
                                     const weft__query_result* result) {
  weft_query_hit hit = weft__hit_of(element);
  hit.distance = (float)result->distance;
  weft__vec3_store(result->point, hit.point);
  weft__vec3_store(result->normal, hit.normal);
  return hit;
}

static bool comes_first(const weft__element* element, const weft_query_hit* kept) {
  if (element->kind != kept->kind) return element->kind < kept->kind;
  return element->index < kept->index;
}

void weft__best_hit_offer(weft__best_hit* kept, const weft__element* element,
                          const weft__query_result* result) {
  if (result->distance > kept->search.limit) return;
  if (kept->found && result->distance == kept->search.limit && !comes_first(element, &kept->hit))
    return;
  kept->found = true;
  kept->search.limit = result->distance;
  kept->hit = weft__hit_from_result(element, result);
}

static weft__heap heap_of(const weft__hit_heap* kept) {
  return (weft__heap){kept->hits, kept->count, sizeof(*kept->hits), kept->is_after, &kept->search};
}

void weft__hit_heap_insert(weft__hit_heap* kept, const weft_query_hit* hit) {
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

void weft__hit_heap_sort(const weft__hit_heap* kept) {
  weft__heap_sort(heap_of(kept));
}
