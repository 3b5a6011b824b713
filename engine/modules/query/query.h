/* Queries, each in a file of its name; overlaps are in overlap.c. */
#ifndef WEFT_MODULES_QUERY_QUERY_H
#define WEFT_MODULES_QUERY_QUERY_H

#include "geometry/bvh.h"
#include "modules/query/forms/forms.h"

/* Kinds with a BVH: all but colliders. */
#define WEFT__TREE_KINDS 3

typedef struct weft__query_scope {
  weft__elements elements;
  const weft__bvh* trees; /* NULL = linear search [WEFT__TREE_KINDS] */
  weft_query_def filter;
} weft__query_scope;

bool weft__query_cast(const weft__query_scope* asked, const weft__query_path* path,
                      weft_query_hit* hit);

bool weft__query_closest(const weft__query_scope* asked, weft__vec3 point, double max_distance,
                         weft_query_hit* hit);

/* Totals; the first `capacity` are written. */
uint32_t weft__query_within_radius(const weft__query_scope* asked, weft__vec3 point, double radius,
                                   uint32_t capacity, weft_query_hit* hits);
uint32_t weft__query_in_box(const weft__query_scope* asked, const weft__extent* box,
                            uint32_t capacity, weft_query_hit* hits);

/* Particles with the nearest centres; returns the number written. See nearest.c. */
uint32_t weft__query_nearest_particles(const weft__query_scope* asked, weft__vec3 point,
                                       double max_distance, uint32_t capacity,
                                       weft_query_hit* hits);

#endif
