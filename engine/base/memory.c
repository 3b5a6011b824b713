#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

// Alignment of large arrays where pages may be huge.
#ifdef __linux__
#define HUGE_PAGE ((size_t)2 << 20)
#else
#define HUGE_PAGE WEFT__CACHE_LINE
#endif

void* weft__alloc(uint64_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - HUGE_PAGE) return NULL;
  const size_t alignment = bytes >= HUGE_PAGE ? HUGE_PAGE : WEFT__CACHE_LINE;
  bytes = weft__round_up(bytes > 0 ? bytes : 1, alignment);
  void* memory = aligned_alloc(alignment, bytes);
#ifdef __linux__
  // advice only: without huge pages the result is the same
  if (memory != NULL && alignment == HUGE_PAGE) (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return memory;
}

void* weft__alloc_zeroed(uint64_t count, size_t size) {
  void* memory = weft__alloc(count, size);
  if (memory != NULL) memset(memory, 0, (size_t)count * size);
  return memory;
}

bool weft__grow(void** array, size_t* capacity, uint64_t needed, size_t size) {
  if (needed <= *capacity) return true;
  if (needed > UINT32_MAX) return false;
  const size_t doubled = *capacity > SIZE_MAX / 2 ? SIZE_MAX : *capacity * 2;
  const size_t wanted = needed > doubled ? (size_t)needed : doubled;
  size_t bytes = 0;
  if (__builtin_mul_overflow(wanted, size, &bytes)) return false;
  void* grown = realloc(*array, bytes);
  if (grown == NULL) return false;
  *array = grown;
  *capacity = wanted;
  return true;
}

bool weft__move_to_aligned(void** array, size_t count, size_t size, size_t* bytes) {
  void* settled = weft__alloc(count, size);
  if (settled == NULL) return false;
  if (count > 0) memcpy(settled, *array, count * size);
  free(*array);
  *array = settled;
  *bytes += count * size;
  return true;
}
