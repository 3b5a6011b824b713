/* Binary heap in an array, the first item in order on top (Williams 1964, "Algorithm 232:
 * Heapsort"). Inlined, so that item size and order are constants. */
#ifndef WEFT_BASE_HEAP_H
#define WEFT_BASE_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define WEFT__HEAP_INLINE __attribute__((always_inline)) static inline

/* bytes */
#define WEFT__HEAP_MAX_ITEM 64u

typedef bool weft__heap_order(const void* context, const void* a, const void* b);

typedef struct weft__heap {
  void* items; /* [count] */
  size_t count;
  size_t item_size;
  weft__heap_order* comes_before;
  const void* context;
} weft__heap;

WEFT__HEAP_INLINE char* weft__heap_item(const weft__heap* heap, size_t at) {
  return (char*)heap->items + at * heap->item_size;
}

WEFT__HEAP_INLINE bool weft__heap_precedes(const weft__heap* heap, size_t a, size_t b) {
  return heap->comes_before(heap->context, weft__heap_item(heap, a), weft__heap_item(heap, b));
}

WEFT__HEAP_INLINE void weft__heap_swap(const weft__heap* heap, size_t a, size_t b) {
  char kept[WEFT__HEAP_MAX_ITEM];
  memcpy(kept, weft__heap_item(heap, a), heap->item_size);
  memcpy(weft__heap_item(heap, a), weft__heap_item(heap, b), heap->item_size);
  memcpy(weft__heap_item(heap, b), kept, heap->item_size);
}

WEFT__HEAP_INLINE void weft__heap_sift_up(const weft__heap* heap, size_t at) {
  while (at > 0 && weft__heap_precedes(heap, at, (at - 1) / 2)) {
    weft__heap_swap(heap, at, (at - 1) / 2);
    at = (at - 1) / 2;
  }
}

WEFT__HEAP_INLINE void weft__heap_sift_down(const weft__heap* heap, size_t at) {
  for (size_t child = 2 * at + 1; child < heap->count; child = 2 * at + 1) {
    if (child + 1 < heap->count && weft__heap_precedes(heap, child + 1, child)) ++child;
    if (!weft__heap_precedes(heap, child, at)) return;
    weft__heap_swap(heap, at, child);
    at = child;
  }
}

WEFT__HEAP_INLINE void weft__heap_build(const weft__heap* heap) {
  for (size_t i = heap->count / 2; i > 0; --i) weft__heap_sift_down(heap, i - 1);
}

/* Sorts in place; the item on top becomes the last. */
WEFT__HEAP_INLINE void weft__heap_sort(weft__heap heap) {
  while (heap.count > 1) {
    weft__heap_swap(&heap, 0, --heap.count);
    weft__heap_sift_down(&heap, 0);
  }
}

#endif
