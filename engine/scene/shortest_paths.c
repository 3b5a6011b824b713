#include "scene/shortest_paths.h"

#include "base/heap.h"
#include "base/memory.h"

// ratio of straight to path length from which a surface counts as flat
#define MIN_STRAIGHTNESS 0.85f

// Ties are broken: the heap does not show.
static bool is_shorter(const void* context, const void* one, const void* other) {
  (void)context;
  const weft__graph_path* a = one;
  const weft__graph_path* b = other;
  if (a->distance != b->distance) return a->distance < b->distance;
  if (a->particle != b->particle) return a->particle < b->particle;
  return a->root < b->root;
}

static weft__heap heap_of(const weft__path_heap* heap) {
  return (weft__heap){heap->ways, heap->count, sizeof(*heap->ways), is_shorter, NULL};
}

bool weft__path_push(weft__path_heap* heap, weft__graph_path path) {
  if (!weft__grow((void**)&heap->ways, &heap->capacity, heap->count + 1, sizeof(*heap->ways))) {
    return false;
  }
  heap->ways[heap->count] = path;
  const weft__heap open = heap_of(heap);
  weft__heap_sift_up(&open, heap->count++);
  return true;
}

weft__graph_path weft__path_pop(weft__path_heap* heap) {
  const weft__graph_path top = heap->ways[0];
  heap->ways[0] = heap->ways[--heap->count];
  const weft__heap open = heap_of(heap);
  weft__heap_sift_down(&open, 0);
  return top;
}

void weft__path_heap_destroy(weft__path_heap* heap) {
  weft__free(heap->ways);
  *heap = (weft__path_heap){0};
}

float weft__path_geodesic_length(float length, float drawn, float straight) {
  if (straight < MIN_STRAIGHTNESS * drawn) return length;
  const float share = straight / drawn;
  return share < 1.0f ? share * length : length;
}
