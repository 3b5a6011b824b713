/* Ways along the links of a scene. */
#ifndef WEFT_SCENE_WAYS_H
#define WEFT_SCENE_WAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A particle, and a way to it from a root. */
typedef struct weft__way {
  double distance; /* metres */
  uint32_t particle;
  uint32_t root;
} weft__way;

/* The ways that are not followed yet, the shortest on top; of equal ones, that to the particle of the
 * lower number, from the root of the lower number. Starts as {0}. */
typedef struct weft__way_heap {
  weft__way* ways; /* [capacity] */
  size_t count;
  size_t capacity;
} weft__way_heap;

/* False when memory cannot be had. */
bool weft__way_push(weft__way_heap* heap, weft__way way);

/* Takes the shortest off; there must be one. */
weft__way weft__way_pop(weft__way_heap* heap);

void weft__way_heap_destroy(weft__way_heap* heap);

/* How long a way over a surface really is that is `length` along links, `drawn` as the scene draws
 * these links, and `straight` in the scene from end to end.
 *
 * A way along links is a zigzag: up to a sixth too long. The straight line in the scene's own shape is
 * better, by as much as the scene draws the way too long or too short, unless it is so much shorter
 * that the surface is curved. */
float weft__way_straighten(float length, float drawn, float straight);

#endif
