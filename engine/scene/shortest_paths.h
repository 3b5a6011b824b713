/* Shortest paths along the links of a scene (Dijkstra): the priority queue. */
#ifndef WEFT_SCENE_SHORTEST_PATHS_H
#define WEFT_SCENE_SHORTEST_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Path from a root to a particle. */
typedef struct weft__graph_path {
  double distance; /* metres */
  uint32_t particle;
  uint32_t root;
} weft__graph_path;

/* Open paths, the shortest on top; ties by particle, then by root, lower numbers first. Starts as
 * {0}. */
typedef struct weft__path_heap {
  weft__graph_path* ways; /* [capacity] */
  size_t count;
  size_t capacity;
} weft__path_heap;

/* False if out of memory. */
bool weft__path_push(weft__path_heap* heap, weft__graph_path path);

/* Removes the shortest path; there must be one. */
weft__graph_path weft__path_pop(weft__path_heap* heap);

void weft__path_heap_destroy(weft__path_heap* heap);

/* Estimates the geodesic length of a path over a surface from its `length` along links, its length
 * `drawn` in the scene, and the `straight` distance of its ends in the scene.
 *
 * A path along links is a zigzag, up to a sixth too long. The straight distance, scaled by length /
 * drawn, is a better estimate, unless it is so much shorter that the surface is curved. */
float weft__path_geodesic_length(float length, float drawn, float straight);

#endif
