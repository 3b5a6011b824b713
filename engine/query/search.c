#include "query/search.h"

#include <float.h>
#include <math.h>

// less than what trees allow for, so that they see all that is seen here
#define SLACK (4.0 * DBL_EPSILON)

// ---- through the elements ----

static void look_at(weft__search* search, uint32_t index) {
  const weft__asked* asked = search->asked;
  weft__element element;
  if (!weft__element_get(&asked->elements, search->kind, index, &element)) return;
  if (element.has_contact && (element.category & asked->filter.mask) == 0) return;
  search->look(search, &element);
}

double weft__search_item(void* search, uint32_t item, double limit) {
  (void)limit;
  look_at(search, item);
  return ((const weft__search*)search)->limit;
}

bool weft__search_each(void* search, uint32_t item) {
  look_at(search, item);
  return true;
}

static bool is_wanted(const weft_query_filter* filter, weft_element_kind kind) {
  const bool wanted[WEFT__ELEMENT_KINDS] = {filter->particles, filter->links, filter->faces,
                                            filter->colliders};
  return wanted[kind];
}

static void search_kind(weft__search* search) {
  const weft__asked* asked = search->asked;
  if (asked->trees != NULL && search->kind < WEFT__TREE_KINDS) {
    search->walk(search, &asked->trees[search->kind]);
    return;
  }
  const uint32_t count = weft__element_count(&asked->elements, search->kind);
  for (uint32_t index = 0; index < count; ++index) look_at(search, index);
}

void weft__search_all(weft__search* search) {
  for (int kind = 0; kind < WEFT__ELEMENT_KINDS; ++kind) {
    search->kind = (weft_element_kind)kind;
    if (is_wanted(&search->asked->filter, search->kind)) search_kind(search);
  }
}

// ---- what answers have in common ----

static void to_floats(weft__vec3 vector, float out[3]) {
  out[0] = (float)vector.x;
  out[1] = (float)vector.y;
  out[2] = (float)vector.z;
}

weft_query_hit weft__hit_of(const weft__element* element, const weft__answer* answer) {
  weft_query_hit hit = {
      .kind = element->kind, .index = element->index, .distance = (float)answer->distance};
  to_floats(answer->point, hit.point);
  to_floats(answer->normal, hit.normal);
  return hit;
}

double weft__extent_apart(const weft__extent* extent, weft__vec3 point) {
  const double at[3] = {point.x, point.y, point.z};
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double below = extent->least[axis] - at[axis];
    const double above = at[axis] - extent->most[axis];
    const double outside = fmax(fmax(below, above), 0.0);
    sum += outside * outside;
  }
  return sqrt(sum) * (1.0 - SLACK);
}

void weft__walk_near(weft__search* search, const weft__bvh* tree) {
  weft__bvh_approach(tree, *(const weft__vec3*)search->question, search->limit, weft__search_item,
                     search);
}

// ---- the one that is nearest, or met first ----

typedef struct best {
  weft__search search; /* the first, so that one is the other */
  bool found;
  weft_element_kind kind;
  uint32_t index;
  weft_query_hit hit;
} best;

static bool comes_first(const best* kept, const weft__element* element) {
  if (element->kind != kept->kind) return element->kind < kept->kind;
  return element->index < kept->index;
}

static void take(best* kept, const weft__element* element, const weft__answer* answer) {
  if (answer->distance > kept->search.limit) return;
  if (kept->found && answer->distance == kept->search.limit && !comes_first(kept, element)) return;
  kept->found = true;
  kept->kind = element->kind;
  kept->index = element->index;
  kept->search.limit = answer->distance;
  kept->hit = weft__hit_of(element, answer);
}

// ---- casts ----

typedef struct way_question {
  const weft__query_path* way;
  double from[3], direction[3];
  double radius; /* and what rounding may add */
} way_question;

// Narrows the part of a way that is between two planes across an axis; false if there is none.
static bool narrow(const way_question* question, int axis, const weft__extent* extent,
                   double* enter, double* leave) {
  const double low = (extent->least[axis] - question->from[axis]) - question->radius;
  const double high = (extent->most[axis] - question->from[axis]) + question->radius;
  const double direction = question->direction[axis];
  if (direction == 0.0) return low <= 0.0 && high >= 0.0;
  const double rate = 1.0 / direction;
  const double first = (direction > 0.0 ? low : high) * rate;
  const double last = (direction > 0.0 ? high : low) * rate;
  if (first > *enter) *enter = first;
  if (last < *leave) *leave = last;
  return true;
}

static bool cross(const way_question* question, const weft__extent* extent, double* enter,
                  double* leave) {
  *enter = 0.0;
  *leave = question->way->length;
  for (int axis = 0; axis < 3; ++axis) {
    if (!narrow(question, axis, extent, enter, leave)) return false;
  }
  *enter *= 1.0 - SLACK;
  *leave *= 1.0 + SLACK;
  return *enter <= *leave;
}

static void look_along(weft__search* search, const weft__element* element) {
  const way_question* question = search->question;
  double enter = 0.0;
  double leave = 0.0;
  if (!cross(question, &element->extent, &enter, &leave) || enter > search->limit) return;
  weft__answer answer;
  const weft__form_row* row = weft__form_rows[element->form];
  if (!row->cast(element, question->way, enter, leave, &answer)) return;
  answer.distance = fmax(answer.distance, enter);
  take((best*)search, element, &answer);
}

static void walk_along(weft__search* search, const weft__bvh* tree) {
  const way_question* question = search->question;
  const weft__query_path* way = question->way;
  weft__bvh_cast(tree, way->from, way->direction, way->radius, search->limit, weft__search_item,
                 search);
}

static way_question question_of(const weft__query_path* way) {
  const weft__vec3 from = way->from;
  const weft__vec3 direction = way->direction;
  const double size = fmax(fmax(fabs(from.x), fabs(from.y)), fabs(from.z));
  return (way_question){.way = way,
                        .from = {from.x, from.y, from.z},
                        .direction = {direction.x, direction.y, direction.z},
                        .radius = way->radius + SLACK * (size + way->radius)};
}

bool weft__first_of_way(const weft__asked* asked, const weft__query_path* way,
                        weft_query_hit* hit) {
  const way_question question = question_of(way);
  // no way is as long as that: what a tree calls infinitely far is beyond it
  best first = {.search = {.asked = asked,
                           .question = &question,
                           .limit = fmin(way->length, DBL_MAX),
                           .look = look_along,
                           .walk = walk_along}};
  weft__search_all(&first.search);
  if (!first.found) return false;
  *hit = first.hit;
  hit->fraction = way->length > 0.0 ? (float)fmin(first.search.limit / way->length, 1.0) : 0.0f;
  return true;
}

// ---- the closest ----

bool weft__look_near(const weft__search* search, const weft__element* element,
                     weft__answer* answer) {
  const weft__vec3 point = *(const weft__vec3*)search->question;
  const double least = weft__extent_apart(&element->extent, point);
  if (!(least <= search->limit)) return false;
  const weft__form_row* row = weft__form_rows[element->form];
  const double reach = search->limit * (1.0 + SLACK);
  if (!row->find_nearest(element, point, reach, answer)) return false;
  answer->distance = fmax(answer->distance, least);
  return answer->distance <= search->limit;
}

static void look_closest(weft__search* search, const weft__element* element) {
  weft__answer answer;
  if (weft__look_near(search, element, &answer)) take((best*)search, element, &answer);
}

bool weft__closest_to(const weft__asked* asked, weft__vec3 point, double most_distance,
                      weft_query_hit* hit) {
  best first = {.search = {.asked = asked,
                           .question = &point,
                           .limit = fmin(most_distance, DBL_MAX),
                           .look = look_closest,
                           .walk = weft__walk_near}};
  weft__search_all(&first.search);
  if (first.found) *hit = first.hit;
  return first.found;
}
