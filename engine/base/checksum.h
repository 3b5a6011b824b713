/* Checksum of large blocks: eight independent chains, a word of each cache line apiece, as fast as
 * memory (Collet, "xxHash fast digest algorithm"). Steps are bijections of chain and word: one
 * changed word always shows. A guard against accidents, not forgery. */
#ifndef WEFT_BASE_CHECKSUM_H
#define WEFT_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define WEFT__CHECKSUM_LANES 8u

typedef struct weft__checksum {
  uint64_t lane[WEFT__CHECKSUM_LANES];
  uint64_t words;
} weft__checksum;

/* Adds a multiple of 8 bytes; the division into calls does not show. */
void weft__checksum_add(weft__checksum* sum, const void* bytes, size_t size);

/* Adds `count` elements of `size` bytes, with their length, the last word filled up with zeros.
 * NULL is an array of none. */
void weft__checksum_add_array(weft__checksum* sum, const void* array, size_t count, size_t size);

void weft__checksum_copy(weft__checksum* sum, void* to, const void* from, size_t size);

uint64_t weft__checksum_value(const weft__checksum* sum);

#endif
