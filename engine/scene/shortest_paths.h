/* Priority queue of Dijkstra's shortest paths along links. */
#ifndef WEFT_SCENE_SHORTEST_PATHS_H
#define WEFT_SCENE_SHORTEST_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Order: distance, then particle, then root, lower numbers first. */
typedef struct weft__graph_path {
  double distance; /* metres */
  uint32_t particle;
  uint32_t root;
} weft__graph_path;

/* Starts as {0}. */
typedef struct weft__path_heap {
  weft__graph_path* ways; /* [capacity] */
  size_t count;
  size_t capacity;
} weft__path_heap;

bool weft__path_push(weft__path_heap* heap, weft__graph_path path);

/* There must be one. */
weft__graph_path weft__path_pop(weft__path_heap* heap);

void weft__path_heap_destroy(weft__path_heap* heap);

/* Geodesic length of a path over a surface. Paths along links are zigzags, up to a sixth too long:
 * the straight distance, scaled by length / drawn (the path in the scene), is a better estimate,
 * unless so much shorter that the surface is curved. */
float weft__path_geodesic_length(float length, float drawn, float straight);

#endif
