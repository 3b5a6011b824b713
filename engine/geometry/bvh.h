/* Bounding volume hierarchy (BVH) of AABBs: overlap, ray, sphere-cast and nearest queries.
 *
 *     nodes    0 root | 1 left  2 right | 3 4 children of 1 | ..all below 1.. | children of 2 | ..
 *     slots    0 1 2 3 | 4 5 6 | 7 8 9 10 | ..              items in the order of the leaves
 *
 * A leaf is a run of up to WEFT__BVH_LEAF slots. Children are adjacent, and all nodes below a node
 * contiguous: a backward pass refits children before parents, and workers refit disjoint subtrees.
 *
 * Nodes are split by the surface area heuristic over 16 bins (Wald 2007, "On fast construction of
 * SAH-based bounding volume hierarchies") as long as both sides fit into the levels that are left,
 * else at the median: the depth is bounded for any input. A leaf has at least two slots unless
 * there is only one item, so nodes never outnumber items.
 *
 * The tree and the order of visits are a function of the boxes it was built from, bit for bit.
 * Traversals are conservative under rounding. Items whose box is empty or NaN are not found. */
#ifndef WEFT_GEOMETRY_BVH_H
#define WEFT_GEOMETRY_BVH_H

#include <stddef.h>
#include <stdint.h>

#include "base/aabb.h"
#include "parallel/worker_pool.h"

#define WEFT__BVH_LEAF 4u
#define WEFT__BVH_DEPTH 56u /* below the root; bound of a traversal's stack */

#define WEFT__BVH_ITEMS (1u << 30)

typedef struct weft__bvh_node {
  weft__aabb box;
  uint32_t child; /* leaf: WEFT__BVH_IS_LEAF | first slot */
  uint32_t end;   /* one past its last slot */
} weft__bvh_node;

#define WEFT__BVH_IS_LEAF (1u << 31)

typedef struct weft__bvh_slot {
  weft__aabb box;
  uint32_t item;
  uint32_t unused;
} weft__bvh_slot;

typedef struct weft__bvh_subtree {
  uint32_t node;
  uint32_t begin, end; /* nodes below it */
} weft__bvh_subtree;

typedef struct weft__bvh {
  weft__bvh_node* nodes;       /* [node_count] */
  weft__bvh_slot* slots;       /* [item_count] */
  weft__bvh_subtree* branches; /* [branch_count] */
  uint32_t* tops;              /* nodes above all branches, parents first [top_count] */
  uint64_t* keys;              /* scratch of the build [capacity] */
  uint32_t item_count;
  uint32_t node_count;
  uint32_t branch_count, top_count;
  uint32_t capacity; /* items */
  void* block;
  size_t bytes;
} weft__bvh;

/* Allocates an empty tree for up to `capacity` items, at most WEFT__BVH_ITEMS. False if out of
 * memory; then it is all zero. */
bool weft__bvh_create(weft__bvh* tree, uint32_t capacity);
void weft__bvh_destroy(weft__bvh* tree);

/* Builds the tree over the boxes of items 0 to count - 1, count <= capacity. Allocates nothing. */
void weft__bvh_build(weft__bvh* tree, const weft__aabb* boxes, uint32_t count);

/* Refits the tree to new boxes of the items. The topology stays: quality degrades with the distance
 * from the boxes it was built from. */
void weft__bvh_refit(weft__bvh* tree, const weft__aabb* boxes, weft__worker_pool* pool);

/* Empty without items. */
weft__aabb weft__bvh_box(const weft__bvh* tree);

/* False stops the traversal. */
typedef bool weft__bvh_visit(void* context, uint32_t item);

/* Items whose box overlaps or touches `box`. False if a visit stopped it. */
bool weft__bvh_find(const weft__bvh* tree, const weft__aabb* box, weft__bvh_visit* visit,
                    void* context);

/* Visits an item that may be nearer than `limit`; returns the new limit, not larger. Items at the
 * limit are still visited, so that ties broken by number do not depend on the topology. */
typedef double weft__bvh_visit_nearest(void* context, uint32_t item, double limit);

/* Sphere cast: boxes reached by a sphere centred at from + t * displacement, t from 0 to `limit`,
 * which may be infinite. Approximately in order of t. */
void weft__bvh_cast(const weft__bvh* tree, weft__vec3 from, weft__vec3 displacement, double radius,
                    double limit, weft__bvh_visit_nearest* visit, void* context);

/* Visits items whose box is within `limit` metres of a point, approximately nearest first. The
 * limit may be infinite. */
void weft__bvh_approach(const weft__bvh* tree, weft__vec3 point, double limit,
                        weft__bvh_visit_nearest* visit, void* context);

#endif
