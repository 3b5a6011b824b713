
#include "modules/query/search.h"

#include "base/min_max.h"

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
  *enter *= 1.0 - WEFT__QUERY_SLACK;
  *leave *= 1.0 + WEFT__QUERY_SLACK;
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
  result.distance = weft__max(result.distance, enter);
  weft__best_hit_offer((weft__best_hit*)search, element, &result);
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
                      .radius = path->radius + WEFT__QUERY_SLACK * (size + path->radius)};
}

bool weft__query_cast(const weft__query_scope* asked, const weft__query_path* path,
                      weft_query_hit* hit) {
  const cast_query query = make_cast_query(path);
  // finite limit: a distance that a tree calls infinite is beyond it
  weft__best_hit first = {.search = {.asked = asked,
                                     .query = &query,
                                     .limit = weft__min(path->length, DBL_MAX),
                                     .test = test_cast,
                                     .traverse = traverse_cast}};
  weft__search_all(&first.search);
  if (!first.found) return false;
  *hit = first.hit;
  hit->fraction =
      path->length > 0.0 ? (float)weft__min(first.search.limit / path->length, 1.0) : 0.0f;
  return true;
}
