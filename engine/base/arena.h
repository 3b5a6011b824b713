/* Arena: many arrays in one block, laid out by a function that runs twice, first without a block to
 * count the bytes, then on a block of that size.
 *
 *   static void lay_out(struct scratch* s, weft__arena* arena) {
 *     s->link = weft__arena_alloc(arena, count, sizeof(*s->link));
 *     ...
 *   }
 *
 *   weft__arena arena = {0};
 *   lay_out(s, &arena);
 *   if (!weft__arena_commit(&arena)) return false;
 *   lay_out(s, &arena);      free(arena.block) releases all of it */
#ifndef WEFT_BASE_ARENA_H
#define WEFT_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/memory.h"

typedef struct weft__arena {
  char* block;
  size_t used; /* bytes */
} weft__arena;

/* Returns the next array, on a cache line; NULL while counting. */
static inline void* weft__arena_alloc(weft__arena* arena, size_t count, size_t size) {
  void* array = arena->block == NULL ? NULL : arena->block + arena->used;
  arena->used += weft__round_up(count * size, WEFT__CACHE_LINE);
  return array;
}

/* Allocates the counted bytes, zeroed, and restarts. False if out of memory. */
static inline bool weft__arena_commit(weft__arena* arena) {
  arena->block = weft__alloc_zeroed(arena->used, 1);
  arena->used = 0;
  return arena->block != NULL;
}

#endif
