/* BVHs over particles, links and faces: queries in logarithmic time. */
#ifndef WEFT_MODULES_QUERY_INDEX_H
#define WEFT_MODULES_QUERY_INDEX_H

#include "modules/query/query.h"
#include "parallel/worker_pool.h"

typedef struct weft__query_index {
  uint64_t changes;   /* weft_world.changes when it was built */
  uint32_t materials; /* version of the materials, then */
  bool is_made;
  bool is_built;
  uint32_t (*ends)[2];                 /* see weft__elements [link_count] */
  weft__bvh trees[WEFT__TREE_KINDS];   /* items are the caller's numbers */
  weft__aabb* boxes[WEFT__TREE_KINDS]; /* empty for removed elements */
  double* costs[WEFT__TREE_KINDS];     /* partial sums over blocks of nodes: see index.c */
  double built_cost[WEFT__TREE_KINDS]; /* when built */
  void* block;
  size_t bytes;
} weft__query_index;

/* False if out of memory, with nothing changed. */
bool weft__query_index_create(weft__query_index* index, const weft__elements* elements);

/* Refits trees to the elements' current state, and rebuilds those that have degraded. */
void weft__query_index_update(weft__query_index* index, const weft__elements* elements,
                              weft__worker_pool* pool);

void weft__query_index_destroy(weft__query_index* index);

#endif
