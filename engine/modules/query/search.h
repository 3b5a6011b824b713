/* Search through the elements: linear, or through BVHs, with the same bits.
 *
 * An element is tested only if its extent is within reach, and its result is never nearer than its
 * extent: one culled by the box of a tree node would also be rejected by the linear search. Ties go
 * to the lower kind, then the lower number, in any order of visits. */
#ifndef WEFT_MODULES_QUERY_SEARCH_H
#define WEFT_MODULES_QUERY_SEARCH_H

#include <float.h>

#include "base/heap.h"
#include "modules/query/query.h"

/* Relative error bound, below the BVH traversals', so that they visit every element accepted. */
#define WEFT__QUERY_SLACK (4.0 * DBL_EPSILON)

typedef struct weft__search {
  const weft__query_scope* asked;
  const void* query; /* parameters of `test` and `traverse` */
  weft_element_kind kind;
  double limit; /* metres: farther elements are rejected */
  /* Elements that pass the filter; may lower the limit. */
  void (*test)(struct weft__search* search, const weft__element* element);
  /* Passes items within the limit to weft__search_visit(). */
  void (*traverse)(struct weft__search* search, const weft__bvh* tree);
} weft__search;

void weft__search_all(weft__search* search);

double weft__search_visit(void* search, uint32_t item, double limit);
bool weft__search_visit_all(void* search, uint32_t item);

/* Query around a point, a weft__vec3. */

void weft__traverse_near(weft__search* search, const weft__bvh* tree);

/* False if beyond the limit. */
bool weft__query_find_nearest(const weft__search* search, const weft__element* element,
                              weft__query_result* result);

/* Rounded down. */
double weft__extent_distance(const weft__extent* extent, weft__vec3 point);

/* Other members of the hit are 0. */
weft_query_hit weft__hit_of(const weft__element* element);

weft_query_hit weft__hit_from_result(const weft__element* element,
                                     const weft__query_result* result);

typedef struct weft__best_hit {
  weft__search search; /* first member: a pointer to it is a pointer to this */
  bool found;
  weft_query_hit hit;
} weft__best_hit;

/* Keeps a hit if it is nearer than the last; then lowers the limit of the search. */
void weft__best_hit_offer(weft__best_hit* kept, const weft__element* element,
                          const weft__query_result* result);

/* Best `capacity` hits: a heap in the caller's array, the first one to be replaced on top. The kept
 * set does not depend on the order of visits. */
typedef struct weft__hit_heap {
  weft__search search;        /* first member: a pointer to it is a pointer to the heap */
  weft__heap_order* is_after; /* reverse order of hits; its context is the search */
  uint32_t capacity;
  uint32_t count;
  weft_query_hit* hits;
} weft__hit_heap;

void weft__hit_heap_insert(weft__hit_heap* kept, const weft_query_hit* hit);

void weft__hit_heap_sort(const weft__hit_heap* kept);

#endif
