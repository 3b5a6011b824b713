/* FNV-1a, 64 bits (Fowler, Noll, Vo; IETF draft-eastlake-fnv, section 2), and the mixing function
 * of SplitMix64 (Steele, Lea, Flood 2014, figure 16). */
#ifndef WEFT_BASE_HASH_H
#define WEFT_BASE_HASH_H

#include <stdint.h>
#include <string.h>

#define WEFT__FNV_BASIS 14695981039346656037ull
#define WEFT__FNV_PRIME 1099511628211ull

/* 2^64 over the golden ratio. */
#define WEFT__SPLITMIX_STEP 0x9e3779b97f4a7c15ull

static inline uint64_t weft__mix64(uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ull;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebull;
  return bits ^ (bits >> 31);
}

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
