/* A program that limits its memory gets no more addresses than there is memory. */
#include <unistd.h>

#include "common/memory_limit.h"
#include "support/test.h"

/* Blocks of a quarter of the memory that are allocated, not touched: at most 8. */
static int count_quarters(size_t memory) {
  void* blocks[8];
  int count = 0;
  while (count < 8 && (blocks[count] = malloc(memory / 4)) != NULL) ++count;
  for (int i = 0; i < count; ++i) free(blocks[i]);
  return count;
}

TEST(allocations_beyond_the_memory_fail) {
  const size_t memory = (size_t)sysconf(_SC_PHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
  tool_limit_memory();
  ck_assert_int_le(count_quarters(memory), ROUNDS(4, 8));
}
