/* A tree of boxes: finds the few of many items that are near something.
 *
 * Who owns the items gives a box for each. The tree keeps them in slots, neighbours side by side; a leaf is a
 * run of up to WEFT__BOX_TREE_LEAF slots, and a node above it the box around its two children:
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
#ifndef WEFT_CONTACT_BOX_TREE_H
#define WEFT_CONTACT_BOX_TREE_H

#include <stddef.h>
#include <stdint.h>

#include "base/box.h"
#include "workers/worker_pool.h"

#define WEFT__BOX_TREE_LEAF 4u
#define WEFT__BOX_TREE_DEPTH 56u /* levels below the root; a stack of a depth-first walk */

/* The most items. */
#define WEFT__BOX_TREE_ITEMS (1u << 30)

typedef struct weft__box_node {
  weft__box box;
  /* the first of its two children; of leaves WEFT__BOX_TREE_IS_LEAF and the first slot */
  uint32_t child;
  uint32_t end; /* the slot after its last */
} weft__box_node;

#define WEFT__BOX_TREE_IS_LEAF (1u << 31)

typedef struct weft__box_slot {
  weft__box box;
  uint32_t item;
  uint32_t unused; /* 32 bytes each */
} weft__box_slot;

/* A part of the tree that one worker refits by itself. */
typedef struct weft__box_branch {
  uint32_t node;       /* its top */
  uint32_t begin, end; /* all nodes below it */
  uint32_t first_slot;
} weft__box_branch;

typedef struct weft__box_tree {
  weft__box_node* nodes;      /* 0 is the root [node_count] */
  weft__box_slot* slots;      /* [item_count] */
  weft__box_branch* branches; /* [branch_count] */
  uint32_t* tops;             /* nodes above all branches, parents first [top_count] */
  uint64_t* keys;             /* scratch of the build [capacity] */
  uint32_t item_count;
  uint32_t node_count; /* 0 where there are no items */
  uint32_t branch_count, top_count;
  uint32_t capacity; /* items that there is room for */
  void* block;
  size_t bytes;
} weft__box_tree;

/* Makes room for up to `capacity` items, WEFT__BOX_TREE_ITEMS at most; the tree is then empty. False when memory
 * cannot be had; then it is all zero. */
bool weft__box_tree_create(weft__box_tree* tree, uint32_t capacity);
void weft__box_tree_destroy(weft__box_tree* tree);

/* Builds the tree over the boxes of items 0 to count - 1, count <= capacity, from nothing. Allocates nothing. */
void weft__box_tree_build(weft__box_tree* tree, const weft__box* boxes, uint32_t count);

/* Gives the items new boxes; the tree keeps its form, which is best near the boxes that it was built of. Called
 * by all workers together, which meet in it twice, the last time when it is done. */
void weft__box_tree_refit(weft__box_tree* tree, const weft__box* boxes, weft__worker_pool* pool,
                          uint32_t worker, uint32_t worker_count);

/* The box around all items. */
weft__box weft__box_tree_box(const weft__box_tree* tree);

/* Told an item; false = go no further. */
typedef bool weft__box_tree_visit(void* context, uint32_t item);

/* Visits all items whose box overlaps or touches a box. False if a visit has said so. */
bool weft__box_tree_find(const weft__box_tree* tree, const weft__box* box,
                         weft__box_tree_visit* visit, void* context);

/* Told an item that may be nearer than `limit`: returns the limit from now on, at most as large. Of what lies
 * exactly at the limit each is still visited: so whoever prefers the smaller number of two that are equally near
 * gets it, whatever the form of the tree. */
typedef double weft__box_tree_nearer(void* context, uint32_t item, double limit);

/* Visits items whose box a ball may meet that goes from `from` along `way`: at from + t * way, for t of 0 to the
 * limit, which may be infinite. Those that it meets first come first, nearly. */
void weft__box_tree_cast(const weft__box_tree* tree, weft__vector from, weft__vector way,
                         double radius, double limit, weft__box_tree_nearer* visit, void* context);

/* Visits items whose box is within `limit` metres of a point, which may be infinite, the nearer first, nearly. */
void weft__box_tree_approach(const weft__box_tree* tree, weft__vector point, double limit,
                             weft__box_tree_nearer* visit, void* context);

#endif
