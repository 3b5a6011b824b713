/* Geodesic distances along a cloth's links, and its Voronoi cells around root particles. */
#ifndef WEFT_SOLVERS_MULTIGRID_CELLS_H
#define WEFT_SOLVERS_MULTIGRID_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/adjacency.h"
#include "scene/shortest_paths.h"

#define WEFT__NO_CELL UINT32_MAX

/* Shortest paths over load-carrying links, without those between two particles of lattices, which
 * are coarsened without distances. */
typedef struct weft__distances {
  const weft_scene* cloth;
  weft__adjacency links;

  /* cells of the last weft__cells_grow() */
  uint32_t* root;  /* root of its cell, or WEFT__NO_CELL [particle_count] */
  float* distance; /* metres along links to the root [particle_count] */
  float* drawn;    /* metres in the scene's positions [particle_count] */
  float* softness; /* metres per newton, summed over the path [particle_count] */

  weft__path_heap heap;
} weft__distances;

bool weft__distances_create(weft__distances* distances, const weft_scene* cloth);
void weft__distances_destroy(weft__distances* distances);

/* Assigns connected particles to the nearest of roots[count]. (Dijkstra 1959, from many sources) */
bool weft__cells_grow(weft__distances* distances, const uint32_t* roots, uint32_t count);

#endif
