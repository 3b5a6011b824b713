#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "base/host.h"

#ifdef __linux__
#define HUGE_PAGE ((size_t)2 << 20)
#else
#define HUGE_PAGE WEFT__CACHE_LINE
#endif

// Relaxed: weft_set_host() is not called beside other calls.
static atomic_size_t block_count;

size_t weft__block_count(void) {
  return atomic_load_explicit(&block_count, memory_order_relaxed);
}

static void* allocate(size_t bytes, size_t alignment) {
#ifdef _WIN32
  return _aligned_malloc(bytes, alignment);
#else
  void* memory = aligned_alloc(alignment, bytes);
#ifdef __linux__
  // advice only
  if (memory != NULL && alignment == HUGE_PAGE) (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  return memory;
#endif
}

static void release(void* memory) {
#ifdef _WIN32
  _aligned_free(memory);
#else
  free(memory);
#endif
}

void* weft__alloc(uint64_t count, size_t size) {
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - HUGE_PAGE) return NULL;
  const size_t alignment = bytes >= HUGE_PAGE ? HUGE_PAGE : WEFT__CACHE_LINE;
  bytes = weft__round_up(bytes > 0 ? bytes : 1, alignment);
  const weft_host_def* host = weft__host();
  void* memory = host->allocate != NULL ? host->allocate(host->context, bytes, alignment)
                                        : allocate(bytes, alignment);
  if (memory != NULL) atomic_fetch_add_explicit(&block_count, 1, memory_order_relaxed);
  return memory;
}

void* weft__alloc_zeroed(uint64_t count, size_t size) {
  void* memory = weft__alloc(count, size);
  if (memory != NULL) memset(memory, 0, (size_t)count * size);
  return memory;
}

void weft__free(void* memory) {
  if (memory == NULL) return;
  const weft_host_def* host = weft__host();
  if (host->release != NULL) {
    host->release(host->context, memory);
  } else {
    release(memory);
  }
  atomic_fetch_sub_explicit(&block_count, 1, memory_order_relaxed);
}

bool weft__resize(void** array, size_t count, uint64_t wanted, size_t size) {
  void* made = weft__alloc(wanted, size);
  if (made == NULL) return false;
  if (count > 0) memcpy(made, *array, count * size);
  weft__free(*array);
  *array = made;
  return true;
}

bool weft__grow(void** array, size_t* capacity, uint64_t needed, size_t size) {
  if (needed <= *capacity) return true;
  if (needed > UINT32_MAX) return false;
  const size_t doubled = *capacity > SIZE_MAX / 2 ? SIZE_MAX : *capacity * 2;
  const size_t wanted = needed > doubled ? (size_t)needed : doubled;
  if (!weft__resize(array, *capacity, wanted, size)) return false;
  *capacity = wanted;
  return true;
}
