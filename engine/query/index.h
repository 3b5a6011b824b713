/* Trees of boxes over particles, links and faces: what makes questions take the logarithm of their number. */
#ifndef WEFT_QUERY_INDEX_H
#define WEFT_QUERY_INDEX_H

#include "parallel/worker_pool.h"
#include "query/search.h"

typedef struct weft__index {
  bool is_made;
  bool is_built;                       /* the trees have a form */
  uint32_t (*ends)[2];                 /* of links: see weft__elements [link_count] */
  weft__bvh trees[WEFT__TREE_KINDS];   /* items are the caller's numbers */
  weft__box* boxes[WEFT__TREE_KINDS];  /* of all elements; empty where there is nothing */
  double* costs[WEFT__TREE_KINDS];     /* of blocks of nodes: see index.c */
  double built_cost[WEFT__TREE_KINDS]; /* of the trees when they got their form */
  void* block;
  size_t bytes;
} weft__index;

/* Makes room. False when memory cannot be had; then nothing has changed. */
bool weft__index_make(weft__index* index, const weft__elements* elements);

/* Sorts the elements as they are now, by all workers of the pool. The trees keep their form as long as it is
 * good. */
void weft__index_fit(weft__index* index, const weft__elements* elements, weft__worker_pool* pool);

void weft__index_destroy(weft__index* index);

#endif
