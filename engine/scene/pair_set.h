#ifndef WEFT_SCENE_PAIR_SET_H
#define WEFT_SCENE_PAIR_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Smaller end << 32 | larger end. */
static inline uint64_t weft__pair_key(uint32_t a, uint32_t b) {
  return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

typedef struct weft__pair_set {
  uint64_t* slots;   /* linear probing; EMPTY or weft__pair_key() */
  size_t slot_count; /* power of two, or 0 */
  size_t pair_count;
} weft__pair_set;

/* In total. */
bool weft__pair_set_reserve(weft__pair_set* set, uint64_t pair_count);

/* Different particles; room must be reserved. False if present. */
bool weft__pair_set_insert(weft__pair_set* set, uint32_t a, uint32_t b);

void weft__pair_set_destroy(weft__pair_set* set);

#endif
