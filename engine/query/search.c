#include "query/search.h"

#include <float.h>
#include <math.h>

#include "base/aabb.h"

// relative error bound below that of BVH traversals, so that they visit every element accepted here
#define SLACK (4.0 * DBL_EPSILON)

// ---- traversal ----

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

static bool is_wanted(const weft_query_filter_def* filter, weft_element_kind kind) {
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

// ---- results ----

static void to_floats(weft__vec3 vector, float out[3]) {
  out[0] = (float)vector.x;
  out[1] = (float)vector.y;
  out[2] = (float)vector.z;
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
  to_floats(result->point, hit.point);
  to_floats(result->normal, hit.normal);
  return hit;
}

double weft__extent_distance(const weft__extent* extent, weft__vec3 point) {
  const double at[3] = {point.x, point.y, point.z};
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double below = extent->lower[axis] - at[axis];
    const double above = at[axis] - extent->upper[axis];
    const double outside = fmax(fmax(below, above), 0.0);
    sum += outside * outside;
  }
  return sqrt(sum) * (1.0 - SLACK);
}

void weft__traverse_near(weft__search* search, const weft__bvh* tree) {
  weft__bvh_approach(tree, *(const weft__vec3*)search->query, search->limit, weft__search_visit,
                     search);
}

// ---- best hit ----

typedef struct best_hit {
  weft__search search; /* first member: a pointer to it is a pointer to this */
  bool found;
  weft_element_kind kind;
  uint32_t index;
  weft_query_hit hit;
} best_hit;

static bool comes_first(const best_hit* kept, const weft__element* element) {
  if (element->kind != kept->kind) return element->kind < kept->kind;
  return element->index < kept->index;
}

static void offer(best_hit* kept, const weft__element* element, const weft__query_result* result) {
  if (result->distance > kept->search.limit) return;
  if (kept->found && result->distance == kept->search.limit && !comes_first(kept, element)) return;
  kept->found = true;
  kept->kind = element->kind;
  kept->index = element->index;
  kept->search.limit = result->distance;
  kept->hit = weft__hit_from_result(element, result);
}

// ---- casts ----

typedef struct cast_query {
  const weft__query_path* path;
  double from[3], direction[3];
  double radius; /* plus margin for rounding */
} cast_query;

static bool clip_to_extent(const cast_query* query, const weft__extent* extent, double* enter,
                           double* leave) {
  *enter = 0.0;
  *leave = query->path->length;
  for (int axis = 0; axis < 3; ++axis) {
    const double lower = (extent->lower[axis] - query->from[axis]) - query->radius;
    const double upper = (extent->upper[axis] - query->from[axis]) + query->radius;
    if (!weft__clip_to_slab(lower, upper, query->direction[axis], enter, leave)) return false;
  }
  *enter *= 1.0 - SLACK;
  *leave *= 1.0 + SLACK;
  return *enter <= *leave;
}

static void test_cast(weft__search* search, const weft__element* element) {
  const cast_query* query = search->query;
  double enter = 0.0;
  double leave = 0.0;
  if (!clip_to_extent(query, &element->extent, &enter, &leave) || enter > search->limit) return;
  weft__query_result result;
  const weft__form_row* row = weft__form_rows[element->form];
  if (!row->cast(element, query->path, enter, leave, &result)) return;
  result.distance = fmax(result.distance, enter);
  offer((best_hit*)search, element, &result);
}

static void traverse_cast(weft__search* search, const weft__bvh* tree) {
  const cast_query* query = search->query;
  const weft__query_path* path = query->path;
  weft__bvh_cast(tree, path->from, path->direction, path->radius, search->limit, weft__search_visit,
                 search);
}

static cast_query make_cast_query(const weft__query_path* path) {
  const weft__vec3 from = path->from;
  const weft__vec3 direction = path->direction;
  const double size = weft__largest_component(from);
  return (cast_query){.path = path,
                      .from = {from.x, from.y, from.z},
                      .direction = {direction.x, direction.y, direction.z},
                      .radius = path->radius + SLACK * (size + path->radius)};
}

bool weft__query_cast(const weft__query_scope* asked, const weft__query_path* path,
                      weft_query_hit* hit) {
  const cast_query query = make_cast_query(path);
  // finite limit: a distance that a tree calls infinite is beyond it
  best_hit first = {.search = {.asked = asked,
                               .query = &query,
                               .limit = fmin(path->length, DBL_MAX),
                               .test = test_cast,
                               .traverse = traverse_cast}};
  weft__search_all(&first.search);
  if (!first.found) return false;
  *hit = first.hit;
  hit->fraction = path->length > 0.0 ? (float)fmin(first.search.limit / path->length, 1.0) : 0.0f;
  return true;
}

// ---- nearest ----

bool weft__query_find_nearest(const weft__search* search, const weft__element* element,
                              weft__query_result* result) {
  const weft__vec3 point = *(const weft__vec3*)search->query;
  const double lower_bound = weft__extent_distance(&element->extent, point);
  if (!(lower_bound <= search->limit)) return false;
  const weft__form_row* row = weft__form_rows[element->form];
  const double reach = search->limit * (1.0 + SLACK);
  if (!row->find_nearest(element, point, reach, result)) return false;
  result->distance = fmax(result->distance, lower_bound);
  return result->distance <= search->limit;
}

static void test_nearest(weft__search* search, const weft__element* element) {
  weft__query_result result;
  if (weft__query_find_nearest(search, element, &result))
    offer((best_hit*)search, element, &result);
}

bool weft__query_closest(const weft__query_scope* asked, weft__vec3 point, double max_distance,
                         weft_query_hit* hit) {
  best_hit first = {.search = {.asked = asked,
                               .query = &point,
                               .limit = fmin(max_distance, DBL_MAX),
                               .test = test_nearest,
                               .traverse = weft__traverse_near}};
  weft__search_all(&first.search);
  if (first.found) *hit = first.hit;
  return first.found;
}
