/* Arena: arrays in one block, laid out by a function that runs twice, first to count the bytes.
 *
 *   static void lay_out(struct scratch* s, weft__arena* arena) {
 *     s->link = weft__arena_alloc(arena, count, sizeof(*s->link));
 *     ...
 *   }
 *
 *   for (weft__arena arena = {0}; weft__arena_next(&arena, &s->block, &s->bytes);) {
 *     lay_out(s, &arena);
 *   }
 *   return s->block != NULL; */
#ifndef WEFT_BASE_ARENA_H
#define WEFT_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

typedef struct weft__arena {
  char* block;
  size_t used; /* bytes */
  int passes;
} weft__arena;

/* On a cache line; NULL while counting. */
static inline void* weft__arena_alloc(weft__arena* arena, size_t count, size_t size) {
  void* array = arena->block == NULL ? NULL : arena->block + arena->used;
  arena->used += weft__round_up(count * size, WEFT__CACHE_LINE);
  return array;
}

/* Allocates the counted bytes, zeroed, and restarts. */
static inline bool weft__arena_commit(weft__arena* arena) {
  arena->block = weft__alloc_zeroed(arena->used, 1);
  arena->used = 0;
  return arena->block != NULL;
}

/* Begins the next pass, true twice; the second has a `block`, or NULL, and adds to `bytes`. */
static inline bool weft__arena_next(weft__arena* arena, void** block, size_t* bytes) {
  switch (arena->passes++) {
    case 0:
      *block = NULL;
      return true;
    case 1:
      if (!weft__arena_commit(arena)) return false;
      *block = arena->block;
      return true;
    default:
      *bytes += arena->used;
      return false;
  }
}

#endif
