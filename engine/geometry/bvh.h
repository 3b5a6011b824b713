/* A tree of boxes: finds the few of many items that are near something.
 *
 * Who owns the items gives a box for each. The tree keeps them in slots, neighbours side by side; a leaf is a
 * run of up to WEFT__BVH_LEAF slots, and a node above it the box around its two children:
 *
 *     nodes    0 root | 1 left  2 right | 3 4 children of 1 | ..all below 1.. | children of 2 | ..
 *     slots    0 1 2 3 | 4 5 6 | 7 8 9 10 | ..              in the order of the leaves
 *
 * Two children lie side by side, and all that is below a node in one run: so a pass backwards meets children
 * before parents, and workers that take a run each refit the tree with one meeting.
 *
 * A node is split where the surface area heuristic over 16 bins finds it cheapest (Wald 2007, "On fast construction
 * of SAH-based bounding volume hierarchies"), as long as both sides still fit into the levels that are left;
 * else in the middle. So the depth is bounded, whatever the boxes, and traversals need no more than a small
 * array. A leaf has two slots or more, but where there is one item only: so there are never more nodes than items.
 *
 * The tree and the order of visits follow from the boxes that it was built of, bit for bit. A traversal sees all
 * that it should, rounding included, and may see a little more. An item whose box is empty,
 * or NaN, is not found. */
#ifndef WEFT_GEOMETRY_BVH_H
#define WEFT_GEOMETRY_BVH_H

#include <stddef.h>
#include <stdint.h>

#include "base/aabb.h"
#include "parallel/worker_pool.h"

#define WEFT__BVH_LEAF 4u
#define WEFT__BVH_DEPTH 56u /* levels below the root; a stack of a depth-first walk */

/* The most items. */
#define WEFT__BVH_ITEMS (1u << 30)

typedef struct weft__bvh_node {
  weft__box box;
  /* the first of its two children; of leaves WEFT__BVH_IS_LEAF and the first slot */
  uint32_t child;
  uint32_t end; /* the slot after its last */
} weft__bvh_node;

#define WEFT__BVH_IS_LEAF (1u << 31)

typedef struct weft__bvh_slot {
  weft__box box;
  uint32_t item;
  uint32_t unused; /* 32 bytes each */
} weft__bvh_slot;

/* A part of the tree that one worker refits by itself. */
typedef struct weft__bvh_branch {
  uint32_t node;       /* its top */
  uint32_t begin, end; /* all nodes below it */
  uint32_t first_slot;
} weft__bvh_branch;

typedef struct weft__bvh {
  weft__bvh_node* nodes;      /* 0 is the root [node_count] */
  weft__bvh_slot* slots;      /* [item_count] */
  weft__bvh_branch* branches; /* [branch_count] */
  uint32_t* tops;             /* nodes above all branches, parents first [top_count] */
  uint64_t* keys;             /* scratch of the build [capacity] */
  uint32_t item_count;
  uint32_t node_count; /* 0 where there are no items */
  uint32_t branch_count, top_count;
  uint32_t capacity; /* items that there is room for */
  void* block;
  size_t bytes;
} weft__bvh;

/* Makes room for up to `capacity` items, WEFT__BVH_ITEMS at most; the tree is then empty. False when memory
 * cannot be had; then it is all zero. */
bool weft__bvh_create(weft__bvh* tree, uint32_t capacity);
void weft__bvh_destroy(weft__bvh* tree);

/* Builds the tree over the boxes of items 0 to count - 1, count <= capacity, from nothing. Allocates nothing. */
void weft__bvh_build(weft__bvh* tree, const weft__box* boxes, uint32_t count);

/* Gives the items new boxes; the tree keeps its form, which is best near the boxes that it was built of. Called
 * by all workers together, which meet in it twice, the last time when it is done. */
void weft__bvh_refit(weft__bvh* tree, const weft__box* boxes, weft__worker_pool* pool,
                     uint32_t worker, uint32_t worker_count);

/* The box around all items. */
weft__box weft__bvh_box(const weft__bvh* tree);

/* Told an item; false = go no further. */
typedef bool weft__bvh_visit(void* context, uint32_t item);

/* Visits all items whose box overlaps or touches a box. False if a visit has said so. */
bool weft__bvh_find(const weft__bvh* tree, const weft__box* box, weft__bvh_visit* visit,
                    void* context);

/* Told an item that may be nearer than `limit`: returns the limit from now on, at most as large. Of what lies
 * exactly at the limit each is still visited: so whoever prefers the smaller number of two that are equally near
 * gets it, whatever the form of the tree. */
typedef double weft__bvh_nearer(void* context, uint32_t item, double limit);

/* Visits items whose box a ball may meet that goes from `from` along `way`: at from + t * way, for t of 0 to the
 * limit, which may be infinite. Those that it meets first come first, nearly. */
void weft__bvh_cast(const weft__bvh* tree, weft__vec3 from, weft__vec3 way, double radius,
                    double limit, weft__bvh_nearer* visit, void* context);

/* Visits items whose box is within `limit` metres of a point, which may be infinite, the nearer first, nearly. */
void weft__bvh_approach(const weft__bvh* tree, weft__vec3 point, double limit,
                        weft__bvh_nearer* visit, void* context);

#endif
