/* FNV-1a, 64 bits (Fowler, Noll, Vo; IETF draft-eastlake-fnv, section 2). */
#ifndef WEFT_BASE_HASH_H
#define WEFT_BASE_HASH_H

#include <stdint.h>
#include <string.h>

#define WEFT__FNV_BASIS 14695981039346656037ull
#define WEFT__FNV_PRIME 1099511628211ull

/* Adds a float's four bytes, least significant first. */
static inline uint64_t weft__hash_float(uint64_t hash, float value) {
  uint32_t bits = 0;
  memcpy(&bits, &value, sizeof(bits));
  for (int byte = 0; byte < 4; ++byte) {
    hash = (hash ^ (bits & 0xffu)) * WEFT__FNV_PRIME;
    bits >>= 8;
  }
  return hash;
}

#endif
