/* Forest extraction: the tree-shaped parts of a scene's link graph, for the direct solver.
 *
 * The graph has the structural links of relaxation 1 that act both ways, springs and rods aside.
 * Pins cut it: a link's end at a pin is a leaf of its own. Leaves are removed until none is left.
 * The removed particles form a forest; the rest is the core, mostly cloth.
 *
 *     pin o                     o pin        a rope of two pins   root: the lower number
 *         |                    /
 *         o        o--o--o----o              the other pin is a leaf that does not move
 *        / \      /
 *       o   o    o                           a branch
 *
 *     cloth #--#
 *           |  |                             a rope attached to a core particle: the root of
 *           #--#--o--o--o                    everything that is attached to it
 *
 * Links between a pin and a core particle, and trees of a single link, are left to the sweeps.
 *
 * Neighbour lists are not needed: a particle keeps the number of its remaining links, and the
 * exclusive or of their indices: for a leaf, the index of its only link. (Belazzougui et al. 2014,
 * "Cache-oblivious peeling of random hypergraphs") */
#ifndef WEFT_MODULES_ARTICULATED_FOREST_H
#define WEFT_MODULES_ARTICULATED_FOREST_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/scene.h"

#define WEFT__NO_TREE_LINK UINT32_MAX
#define WEFT__MIN_TREE_LINKS 2u

/* Trees are ranges of nodes in depth-first order, root first; an only child is the node after its
 * parent. Trees share neither free particles nor core particles. */
typedef struct weft__forest {
  uint32_t tree_count;
  uint32_t node_count;
  uint32_t* first_node; /* [tree_count + 1] */
  uint32_t* particle;   /* scene order [node_count] */
  uint32_t* parent;     /* relative to the tree's first node; 0 for roots [node_count] */
  uint32_t* link;       /* to the parent, scene order; WEFT__NO_TREE_LINK for roots [node_count] */
} weft__forest;

bool weft__forest_create(weft__forest* forest, const weft_scene* scene);
void weft__forest_destroy(weft__forest* forest);

/* Rigid links are swept too, compliant ones not. solver: [links->count] */
void weft__forest_assign(const weft__forest* forest, const weft__links* links, uint8_t* solver);

#endif
