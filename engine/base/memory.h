/* Aligned memory for tables, the C library's or the host's, on a cache line. Blocks of a huge page
 * or more are aligned to one and ask for huge pages: page walks would take a tenth of a large
 * sheet's step.
 *
 * Functions of the engine that allocate and return bool, or a pointer, return false or NULL if out
 * of memory. A struct whose _create() failed is destroyed by the caller all the same. */
#ifndef WEFT_BASE_MEMORY_H
#define WEFT_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT__CACHE_LINE 64u

/* Uninitialised, released with weft__free(); a count of zero gives a valid pointer. 64 bits also
 * where size_t has 32. */
void* weft__alloc(uint64_t count, size_t size);

void* weft__alloc_zeroed(uint64_t count, size_t size);

void weft__free(void* memory);

size_t weft__block_count(void);

/* Moves `count` elements to memory for `wanted`, at least as many. Failure changes nothing. */
bool weft__resize(void** array, size_t count, uint64_t wanted, size_t size);

/* Grows to `needed` elements, at least doubling. Fails with nothing changed, also above UINT32_MAX
 * elements: rows of tables are numbered in 32 bits. */
bool weft__grow(void** array, size_t* capacity, uint64_t needed, size_t size);

static inline size_t weft__round_up(size_t value, size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

#endif
