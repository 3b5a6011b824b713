/* Checksum of large blocks: eight chains of 64 bits, one for each word of a cache line, mixed into
 * one number at the end. A multiplication a word keeps up with memory, and one changed word always
 * changes the sum, as each step is a bijection of the chain and of the word. It guards against
 * accidents, not against forgery. (Collet, "xxHash fast digest algorithm", for independent chains;
 * the constants of base/hash.h) */
#ifndef WEFT_BASE_CHECKSUM_H
#define WEFT_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

#define WEFT__CHECKSUM_LANES 8u

typedef struct weft__checksum {
  uint64_t lane[WEFT__CHECKSUM_LANES];
  uint64_t words; /* added so far */
} weft__checksum;

/* Adds bytes, a multiple of 8: the sum does not depend on how they are divided among calls. */
void weft__checksum_add(weft__checksum* sum, const void* bytes, size_t size);

/* Copies bytes, a multiple of 8, and adds them in the same pass. */
void weft__checksum_copy(weft__checksum* sum, void* to, const void* from, size_t size);

/* Sum of all that was added. */
uint64_t weft__checksum_value(const weft__checksum* sum);

#endif
