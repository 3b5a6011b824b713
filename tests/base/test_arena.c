#include "base/arena.h"

#include "support/test.h"

enum { ARRAYS = 12 };

typedef struct example {
  char* arrays[ARRAYS];
  size_t sizes[ARRAYS]; /* bytes */
} example;

static void place(example* e, weft__arena* arena) {
  for (int i = 0; i < ARRAYS; ++i) e->arrays[i] = weft__arena_alloc(arena, e->sizes[i], 1);
}

RANDOM_TEST(arrays_lie_apart_on_cache_lines_inside_the_block_and_are_zero, 20) {
  example e = {0};
  for (int i = 0; i < ARRAYS; ++i) e.sizes[i] = random_below(&random, 3000);
  weft__arena arena = {0};
  place(&e, &arena);
  const size_t counted = arena.used;
  for (int i = 0; i < ARRAYS; ++i) ck_assert_ptr_null(e.arrays[i]);
  ck_assert(weft__arena_commit(&arena));
  place(&e, &arena);
  ck_assert_uint_eq(arena.used, counted);

  const char* free_from = arena.block;
  for (int i = 0; i < ARRAYS; ++i) {
    ck_assert(e.arrays[i] >= free_from);
    ck_assert_uint_eq((uintptr_t)e.arrays[i] % WEFT__CACHE_LINE, 0);
    for (size_t byte = 0; byte < e.sizes[i]; ++byte) require(e.arrays[i][byte] == 0);
    memset(e.arrays[i], 0x5a, e.sizes[i]);
    free_from = e.arrays[i] + e.sizes[i];
  }
  ck_assert(free_from <= arena.block + counted);
  free(arena.block);
}
