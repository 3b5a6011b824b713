/* Geodesic distances along the links of a cloth, and its Voronoi cells around a set of root
 * particles. */
#ifndef WEFT_SOLVERS_MULTIGRID_CELLS_H
#define WEFT_SOLVERS_MULTIGRID_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/adjacency.h"
#include "scene/shortest_paths.h"

#define WEFT__NO_CELL UINT32_MAX

/* Shortest-path state over the load-carrying links of a cloth. Links between two particles of
 * lattices are left out, as lattices are coarsened without distances. */
typedef struct weft__distances {
  const weft_scene* cloth;
  weft__adjacency links;

  /* the cells, as of the last weft__cells_grow() */
  uint32_t* root;  /* root of the cell of each particle, or WEFT__NO_CELL [particle_count] */
  float* distance; /* metres along the links to the root [particle_count] */
  float* drawn;    /* metres: the same path in the scene's positions [particle_count] */
  float* softness; /* metres per newton: summed compliance of the path [particle_count] */

  weft__path_heap heap;
} weft__distances;

/* Collects the links. The scene must outlive the distances. False when out of memory. */
bool weft__distances_create(weft__distances* distances, const weft_scene* cloth);
void weft__distances_destroy(weft__distances* distances);

/* Assigns every particle that is connected to one of the roots [count] to the nearest of them.
 * False when out of memory. (Dijkstra 1959, from many sources at once) */
bool weft__cells_grow(weft__distances* distances, const uint32_t* roots, uint32_t count);

#endif
