#include "scene/shortest_paths.h"

#include <stdlib.h>

#include "base/memory.h"

// minimum ratio of straight to path length at which the surface counts as flat
#define MIN_STRAIGHTNESS 0.85f

// Total order: ties are broken, so that the result does not depend on the heap.
static bool comes_before(const weft__graph_path* a, const weft__graph_path* b) {
  if (a->distance != b->distance) return a->distance < b->distance;
  if (a->particle != b->particle) return a->particle < b->particle;
  return a->root < b->root;
}

bool weft__path_push(weft__path_heap* heap, weft__graph_path path) {
  if (!weft__grow((void**)&heap->ways, &heap->capacity, heap->count + 1, sizeof(*heap->ways))) {
    return false;
  }
  size_t at = heap->count++;
  while (at > 0 && comes_before(&path, &heap->ways[(at - 1) / 2])) {
    heap->ways[at] = heap->ways[(at - 1) / 2];
    at = (at - 1) / 2;
  }
  heap->ways[at] = path;
  return true;
}

weft__graph_path weft__path_pop(weft__path_heap* heap) {
  weft__graph_path* ways = heap->ways;
  const weft__graph_path top = ways[0];
  const weft__graph_path last = ways[--heap->count];
  size_t at = 0;
  for (size_t child = 1; child < heap->count; child = 2 * at + 1) {
    if (child + 1 < heap->count && comes_before(&ways[child + 1], &ways[child])) ++child;
    if (!comes_before(&ways[child], &last)) break;
    ways[at] = ways[child];
    at = child;
  }
  ways[at] = last;
  return top;
}

void weft__path_heap_destroy(weft__path_heap* heap) {
  free(heap->ways);
  *heap = (weft__path_heap){0};
}

float weft__path_geodesic_length(float length, float drawn, float straight) {
  if (straight < MIN_STRAIGHTNESS * drawn) return length;
  const float share = straight / drawn;
  return share < 1.0f ? share * length : length;
}
