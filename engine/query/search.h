/* Search of a query through the elements: linear, or through BVHs.
 *
 * Both give the same results, bit for bit. An element is tested only if its extent is within reach,
 * and its result is never nearer than its extent: so an element culled by the box of a tree node
 * would also be rejected by the linear search. Ties go to the lower kind, then the lower number, in
 * any order of visits. */
#ifndef WEFT_QUERY_SEARCH_H
#define WEFT_QUERY_SEARCH_H

#include "geometry/bvh.h"
#include "query/forms.h"

/* Kinds with a BVH: all but colliders. */
#define WEFT__TREE_KINDS 3

/* Elements and filter of a query. */
typedef struct weft__query_scope {
  weft__elements elements;
  const weft__bvh* trees; /* NULL = linear search [WEFT__TREE_KINDS] */
  weft_query_filter_def filter;
} weft__query_scope;

/* First hit of a path. */
bool weft__query_cast(const weft__query_scope* asked, const weft__query_path* path,
                      weft_query_hit* hit);

/* Element nearest to a point. */
bool weft__query_closest(const weft__query_scope* asked, weft__vec3 point, double max_distance,
                         weft_query_hit* hit);

/* Elements within a radius of a point, and elements that overlap a box: return the total and write
 * the first `capacity`. */
uint32_t weft__query_within_radius(const weft__query_scope* asked, weft__vec3 point, double radius,
                                   uint32_t capacity, weft_query_hit* hits);
uint32_t weft__query_in_box(const weft__query_scope* asked, const weft__extent* box,
                            uint32_t capacity, weft_query_hit* hits);

/* Particles with the nearest centres; returns the number written. */
uint32_t weft__query_nearest_particles(const weft__query_scope* asked, weft__vec3 point,
                                       double max_distance, uint32_t capacity,
                                       weft_query_hit* hits);

/* ---- implementation ---- */

/* State of a search. */
typedef struct weft__search {
  const weft__query_scope* asked;
  const void* query;      /* parameters of `test` and `traverse` */
  weft_element_kind kind; /* kind being searched */
  double limit;           /* metres: farther elements are rejected */
  /* Tests an element that passes the filter; may lower the limit. */
  void (*test)(struct weft__search* search, const weft__element* element);
  /* Traverses a tree: passes items within the limit to weft__search_visit(). */
  void (*traverse)(struct weft__search* search, const weft__bvh* tree);
} weft__search;

/* Tests all elements that pass the filter. */
void weft__search_all(weft__search* search);

/* BVH visitors. */
double weft__search_visit(void* search, uint32_t item, double limit);
bool weft__search_visit_all(void* search, uint32_t item);

/* Traverses the tree around the query point. */
void weft__traverse_near(weft__search* search, const weft__bvh* tree);

/* Nearest point of an element to the query point; false if beyond the limit. */
bool weft__query_find_nearest(const weft__search* search, const weft__element* element,
                              weft__query_result* result);

/* Distance of an extent from a point, rounded down. */
double weft__extent_distance(const weft__extent* extent, weft__vec3 point);

/* Public hit of an element, with all other members 0. */
weft_query_hit weft__hit_of(const weft__element* element);

/* Converts a result to a public hit. */
weft_query_hit weft__hit_from_result(const weft__element* element,
                                     const weft__query_result* result);

#endif
