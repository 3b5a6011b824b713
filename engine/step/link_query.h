/* Links that touch a shape, for cutting. */
#ifndef WEFT_STEP_LINK_QUERY_H
#define WEFT_STEP_LINK_QUERY_H

#include "base/vec3.h"
#include "step/sweep.h"

typedef bool weft__overlap_test(const void* shape, weft__vec3 a, weft__vec3 b);

typedef struct weft__link_query {
  weft__overlap_test* touches;
  const void* shape;
  double lower[3], upper[3]; /* AABB of the shape */
} weft__link_query;

/* Marks active links that touch the shape, for weft__tear_marked(). */
void weft__mark_links(weft__constraint_tables* tables, weft__records records,
                      weft__worker_pool* pool, const weft__link_query* query);

#endif
