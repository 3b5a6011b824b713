/* The parts of a scene's link graph that are trees.
 *
 * What counts are structural links of stiffness 1 that act both ways. Pinned particles cut the graph: the end of a link
 * at a pin is a leaf of its own. Leaves are peeled off again and again until none is left; what comes
 * off is a forest, what stays is the core, cloth mostly, in which every particle is on a loop or
 * between two.
 *
 *     pin o                     o pin        a rope of two pins   root: the one with the lower number
 *         |                    /
 *         o        o--o--o----o              the other pin is a leaf that does not move
 *        / \      /
 *       o   o    o                           a branch
 *
 *     cloth #--#
 *           |  |                             a rope that hangs off a core particle, the root, which all
 *           #--#--o--o--o                    that hangs off it has in common
 *
 * Links of a pin and a particle of the core stay out: they are the cloth's. So do trees of a single
 * link, which one sweep solves exactly; two in a row with a heavy end already take hundreds.
 *
 * Peeling needs no lists of neighbours: a particle keeps how many links it has left, and the exclusive
 * or of their numbers, which for the last one is that number. (Belazzougui et al. 2014,
 * "Cache-oblivious peeling of random hypergraphs") */
#ifndef WEFT_SOLVERS_DIRECT_FOREST_H
#define WEFT_SOLVERS_DIRECT_FOREST_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/scene.h"

#define WEFT__NO_TREE_LINK UINT32_MAX
#define WEFT__LEAST_TREE_LINKS 2u

/* Each tree is a range of nodes in depth-first order, its root first, so that a node's only child is
 * the next one. Trees have no free particle in common, nor a particle of the core. */
typedef struct weft__forest {
  uint32_t tree_count;
  uint32_t node_count;
  uint32_t* first_node; /* [tree_count + 1] */
  uint32_t* particle;   /* the scene's number [node_count] */
  uint32_t* parent;     /* counted from the tree's first node; 0 for the root itself [node_count] */
  uint32_t*
      link; /* to the parent, the scene's number; WEFT__NO_TREE_LINK for a root [node_count] */
} weft__forest;

/* Finds the trees of a scene. False when memory cannot be had, and nothing made. */
bool weft__forest_create(weft__forest* forest, const weft_scene* scene);
void weft__forest_destroy(weft__forest* forest);

#endif
