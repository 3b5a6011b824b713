/* Distances along the links of a cloth, and the cells of those nearest to each of a set of particles. */
#ifndef WEFT_COARSE_CELLS_H
#define WEFT_COARSE_CELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "scene/scene.h"

#define WEFT__NO_CELL UINT32_MAX

/* The links of a scene from both ends: those of particle p are [first[p], first[p + 1]). */
typedef struct weft__distances {
  uint32_t particle_count;
  uint32_t* first;
  uint32_t* to;        /* particle */
  float* length;       /* metres: the rest length */
  float* drawn_length; /* metres: as long as it is drawn in the scene */
  bool* structural;

  /* the cells, once weft__cells_grow() has run */
  uint32_t* root;  /* the particle whose cell each is in, or WEFT__NO_CELL [particle_count] */
  float* distance; /* metres from there [particle_count] */
  float* drawn;    /* the same way as it is drawn [particle_count] */

  struct weft__reached* heap; /* [heap_capacity] */
  size_t heap_capacity;
} weft__distances;

/* Lists the links of any kind, those between two particles of lattices aside. False when memory cannot
 * be had. */
bool weft__distances_create(weft__distances* distances, const weft_scene* scene);
void weft__distances_destroy(weft__distances* distances);

/* Gives every particle that links lead to from one of the roots, [count], to the nearest of them.
 * False when memory cannot be had. (Dijkstra 1959, from many sources at once) */
bool weft__cells_grow(weft__distances* distances, const uint32_t* roots, uint32_t count);

#endif
