/* A set of unordered pairs of particles: which two are linked already. */
#ifndef WEFT_SCENE_PAIR_SET_H
#define WEFT_SCENE_PAIR_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct weft__pair_set {
  uint64_t* slots;   /* open addressing, linear probing; EMPTY or smaller end << 32 | larger end */
  size_t slot_count; /* a power of two, or 0 */
  size_t pair_count;
} weft__pair_set;

/* Makes room for `pair_count` pairs in all. False when memory cannot be had. */
bool weft__pair_set_reserve(weft__pair_set* set, size_t pair_count);

/* Adds a pair of different particles; room must have been reserved. False if it was there already.
 */
bool weft__pair_set_insert(weft__pair_set* set, uint32_t a, uint32_t b);

void weft__pair_set_destroy(weft__pair_set* set);

#endif
