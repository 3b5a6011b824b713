/* Questions with many answers. Those that are kept are a heap in the caller's array, with the one that is given up
 * first on top: so there is no other room needed, and what is kept does not depend on what came first. (Williams
 * 1964, "Algorithm 232: Heapsort") */
#include <float.h>
#include <math.h>

#include "query/search.h"

// ---- the heap ----

typedef struct hit_heap hit_heap;

struct hit_heap {
  weft__search search; /* the first, so that one is the other */
  // whether a hit is told before another one
  bool (*is_before)(const hit_heap* heap, const weft_query_hit* a, const weft_query_hit* b);
  uint32_t capacity;
  uint32_t count;  // that are kept
  weft_query_hit* hits;
};

static void swap(weft_query_hit* a, weft_query_hit* b) {
  const weft_query_hit kept = *a;
  *a = *b;
  *b = kept;
}

static void sink(const hit_heap* heap, uint32_t at, uint32_t count) {
  weft_query_hit* hits = heap->hits;
  for (uint64_t child = 2 * (uint64_t)at + 1; child < count; child = 2 * (uint64_t)at + 1) {
    if (child + 1 < count && heap->is_before(heap, &hits[child], &hits[child + 1])) child += 1;
    if (!heap->is_before(heap, &hits[at], &hits[child])) return;
    swap(&hits[at], &hits[child]);
    at = (uint32_t)child;
  }
}

static void rise(const hit_heap* heap, uint32_t at) {
  weft_query_hit* hits = heap->hits;
  while (at > 0) {
    const uint32_t parent = (at - 1) / 2;
    if (!heap->is_before(heap, &hits[parent], &hits[at])) return;
    swap(&hits[parent], &hits[at]);
    at = parent;
  }
}

static void keep(hit_heap* heap, const weft_query_hit* hit) {
  if (heap->count < heap->capacity) {
    heap->hits[heap->count] = *hit;
    rise(heap, heap->count++);
  } else if (heap->capacity > 0 && heap->is_before(heap, hit, &heap->hits[0])) {
    heap->hits[0] = *hit;
    sink(heap, 0, heap->count);
  }
}

static void sort(const hit_heap* heap) {
  for (uint32_t count = heap->count; count > 1; --count) {
    swap(&heap->hits[0], &heap->hits[count - 1]);
    sink(heap, 0, count - 1);
  }
}

// ---- all of them, by kind and number ----

typedef struct gathering {
  hit_heap heap; /* the first, so that one is the other */
  uint32_t count;
} gathering;

static bool by_number(const hit_heap* heap, const weft_query_hit* a, const weft_query_hit* b) {
  (void)heap;
  return a->kind != b->kind ? a->kind < b->kind : a->index < b->index;
}

static void gather(gathering* all, const weft_query_hit* hit) {
  all->count += 1;
  keep(&all->heap, hit);
}

static uint32_t gather_all(gathering* all) {
  all->heap.is_before = by_number;
  weft__search_all(&all->heap.search);
  sort(&all->heap);
  return all->count;
}

static void gather_near(weft__search* search, const weft__element* element) {
  weft__answer answer;
  if (!weft__look_near(search, element, &answer)) return;
  const weft_query_hit hit = weft__hit_of(element, &answer);
  gather((gathering*)search, &hit);
}

uint32_t weft__all_near(const weft__asked* asked, weft__vec3 point, double radius,
                        uint32_t capacity, weft_query_hit* hits) {
  gathering near = {.heap = {.search = {.asked = asked,
                                        .question = &point,
                                        .limit = radius,
                                        .look = gather_near,
                                        .walk = weft__walk_near},
                             .capacity = capacity,
                             .hits = hits}};
  return gather_all(&near);
}

static bool extents_overlap(const weft__extent* a, const weft__extent* b) {
  for (int axis = 0; axis < 3; ++axis) {
    if (!(a->least[axis] <= b->most[axis] && b->least[axis] <= a->most[axis])) return false;
  }
  return true;
}

static void gather_inside(weft__search* search, const weft__element* element) {
  const weft__extent* box = search->question;
  if (!extents_overlap(&element->extent, box)) return;
  if (!weft__form_rows[element->form]->meets_box(element, box)) return;
  const weft_query_hit hit = {.kind = element->kind, .index = element->index};
  gather((gathering*)search, &hit);
}

static void walk_inside(weft__search* search, const weft__bvh* tree) {
  const weft__extent* extent = search->question;
  const double* least = extent->least;
  const double* most = extent->most;
  const weft__box box = weft__aabb_around((weft__vec3){least[0], least[1], least[2]},
                                          (weft__vec3){most[0], most[1], most[2]});
  (void)weft__bvh_find(tree, &box, weft__search_each, search);
}

uint32_t weft__all_in_box(const weft__asked* asked, const weft__extent* box, uint32_t capacity,
                          weft_query_hit* hits) {
  gathering inside = {
      .heap = {
          .search = {.asked = asked, .question = box, .look = gather_inside, .walk = walk_inside},
          .capacity = capacity,
          .hits = hits}};
  return gather_all(&inside);
}

// ---- the nearest particles ----

static double center_apart(const weft__search* search, weft__vec3 center) {
  const weft__vec3 away = weft__minus(*(const weft__vec3*)search->question, center);
  return sqrt(weft__dot(away, away));
}

// hits hold their distance as a float only: it is found again
static double hit_apart(const hit_heap* heap, const weft_query_hit* hit) {
  const weft__vec3 center = {(double)hit->point[0], (double)hit->point[1], (double)hit->point[2]};
  return center_apart(&heap->search, center);
}

static bool by_distance(const hit_heap* heap, const weft_query_hit* a, const weft_query_hit* b) {
  const double apart_a = hit_apart(heap, a);
  const double apart_b = hit_apart(heap, b);
  return apart_a != apart_b ? apart_a < apart_b : a->index < b->index;
}

static void keep_center(weft__search* search, const weft__element* element) {
  hit_heap* kept = (hit_heap*)search;
  const weft__vec3 center = element->corner[0];
  if (!(weft__extent_apart(&element->extent, *(const weft__vec3*)search->question) <=
        search->limit)) {
    return;
  }
  weft__answer answer = {.distance = center_apart(search, center), .point = center};
  if (!(answer.distance <= search->limit)) return;
  if (answer.distance > 0.0) {
    const weft__vec3 away = weft__minus(*(const weft__vec3*)search->question, center);
    answer.normal = weft__scaled(1.0 / answer.distance, away);
  }
  const weft_query_hit hit = weft__hit_of(element, &answer);
  keep(kept, &hit);
  if (kept->count == kept->capacity) search->limit = hit_apart(kept, &kept->hits[0]);
}

uint32_t weft__nearest_particles(const weft__asked* asked, weft__vec3 point, double most_distance,
                                 uint32_t capacity, weft_query_hit* hits) {
  if (capacity == 0) return 0;
  weft__asked of_particles = *asked;
  of_particles.filter.links = of_particles.filter.faces = of_particles.filter.colliders = false;
  hit_heap nearest = {.search = {.asked = &of_particles,
                                 .question = &point,
                                 .limit = fmin(most_distance, DBL_MAX),
                                 .look = keep_center,
                                 .walk = weft__walk_near},
                      .is_before = by_distance,
                      .capacity = capacity,
                      .hits = hits};
  weft__search_all(&nearest.search);
  sort(&nearest);
  return nearest.count;
}
