/* Aligned memory for tables: the C library's, or the host's.
 *
 * All streamed data starts on a cache line. Blocks of a huge page or more are aligned to one, and
 * the system is asked to back them with huge pages: a sheet of a million particles otherwise spends
 * a tenth of its step in page walks. */
#ifndef WEFT_BASE_MEMORY_H
#define WEFT_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WEFT__CACHE_LINE 64u

/* Uninitialised memory for `count` elements of `size` bytes; NULL if out of memory. A count of zero
 * gives a valid pointer. Release with weft__free(). Counts have 64 bits also where size_t has 32.
 */
void* weft__alloc(uint64_t count, size_t size);

/* The same, zeroed. */
void* weft__alloc_zeroed(uint64_t count, size_t size);

/* Frees memory; NULL is allowed. */
void weft__free(void* memory);

/* Number of blocks in use. */
size_t weft__block_count(void);

/* Moves the first `count` elements of an array to memory for `wanted`, at least as many. False,
 * with nothing changed, if out of memory. */
bool weft__resize(void** array, size_t count, uint64_t wanted, size_t size);

/* Grows an array to hold `needed` elements, at least doubling it. False, with nothing
 * changed, if out of memory or above UINT32_MAX elements: rows of tables are numbered in 32
 * bits. */
bool weft__grow(void** array, size_t* capacity, uint64_t needed, size_t size);

static inline size_t weft__round_up(size_t value, size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

#endif
