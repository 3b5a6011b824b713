/* Distances along the links of a cloth, and the cells of those nearest to each of a set of particles. */
#ifndef WEFT_SOLVERS_MULTIGRID_CELLS_H
#define WEFT_SOLVERS_MULTIGRID_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/adjacency.h"
#include "scene/shortest_paths.h"

#define WEFT__NO_CELL UINT32_MAX

/* A cloth whose distances are measured: the links that it hangs by, those between two
 * particles of lattices aside. */
typedef struct weft__distances {
  const weft_scene* cloth;
  weft__adjacency links;

  /* the cells, once weft__cells_grow() has run */
  uint32_t* root;  /* the particle whose cell each is in, or WEFT__NO_CELL [particle_count] */
  float* distance; /* metres from there [particle_count] */
  float* drawn;    /* the same way as it is drawn [particle_count] */
  float* softness; /* metres per newton: the compliances of its links together [particle_count] */

  weft__path_heap heap;
} weft__distances;

/* Lists the links. The scene has to outlive this. False when memory cannot be had. */
bool weft__distances_create(weft__distances* distances, const weft_scene* cloth);
void weft__distances_destroy(weft__distances* distances);

/* Gives every particle that links lead to from one of the roots, [count], to the nearest of them.
 * False when memory cannot be had. (Dijkstra 1959, from many sources at once) */
bool weft__cells_grow(weft__distances* distances, const uint32_t* roots, uint32_t count);

#endif
