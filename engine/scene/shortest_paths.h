/* Ways along the links of a scene. */
#ifndef WEFT_SCENE_SHORTEST_PATHS_H
#define WEFT_SCENE_SHORTEST_PATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A particle, and a way to it from a root. */
typedef struct weft__path {
  double distance; /* metres */
  uint32_t particle;
  uint32_t root;
} weft__path;

/* The ways that are not followed yet, the shortest on top; of equal ones, that to the particle of the
 * lower number, from the root of the lower number. Starts as {0}. */
typedef struct weft__path_heap {
  weft__path* ways; /* [capacity] */
  size_t count;
  size_t capacity;
} weft__path_heap;

/* False when memory cannot be had. */
bool weft__path_push(weft__path_heap* heap, weft__path way);

/* Takes the shortest off; there must be one. */
weft__path weft__path_pop(weft__path_heap* heap);

void weft__path_heap_destroy(weft__path_heap* heap);

/* How long a way over a surface really is that is `length` along links, `drawn` as the scene draws
 * these links, and `straight` in the scene from end to end.
 *
 * A way along links is a zigzag: up to a sixth too long. The straight line in the scene's own shape is
 * better, by as much as the scene draws the way too long or too short, unless it is so much shorter
 * that the surface is curved. */
float weft__path_straighten(float length, float drawn, float straight);

#endif
