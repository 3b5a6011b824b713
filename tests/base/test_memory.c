#include "base/memory.h"
#include "support/test.h"

#define HUGE_PAGE ((size_t)2 << 20)

TEST(blocks_start_on_cache_lines_and_large_ones_on_huge_pages) {
  const size_t sizes[] = {0, 1, 63, 64, 65, 4096, HUGE_PAGE - 1, HUGE_PAGE, 2 * HUGE_PAGE + 1};
  for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); ++i) {
    char* memory = weft__alloc(sizes[i], 1);
    ck_assert_ptr_nonnull(memory);
    const size_t alignment = sizes[i] >= HUGE_PAGE ? HUGE_PAGE : WEFT__CACHE_LINE;
    ck_assert_uint_eq((uintptr_t)memory % alignment, 0);
    memset(memory, 0x5a, sizes[i]);
    free(memory);
  }
}

TEST(zeroed_blocks_are_zero_from_end_to_end) {
  const size_t sizes[] = {1, 100, 5000, HUGE_PAGE + 12345};
  for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); ++i) {
    // dirty memory for the next allocation to reuse
    char* before = weft__alloc(sizes[i], 1);
    memset(before, 0x5a, sizes[i]);
    free(before);
    char* memory = weft__alloc_zeroed(sizes[i], 1);
    size_t nonzero = 0;
    for (size_t byte = 0; byte < sizes[i]; ++byte) nonzero += memory[byte] != 0;
    ck_assert_uint_eq(nonzero, 0);
    free(memory);
  }
}

TEST(sizes_that_overflow_are_refused) {
  ck_assert_ptr_null(weft__alloc(SIZE_MAX, 2));
  ck_assert_ptr_null(weft__alloc(SIZE_MAX, 1));
  ck_assert_ptr_null(weft__alloc_zeroed(SIZE_MAX / 2, 3));
  void* array = NULL;
  size_t capacity = 0;
  ck_assert(!weft__grow(&array, &capacity, SIZE_MAX / 2, 4));
  ck_assert(!weft__grow(&array, &capacity, (size_t)UINT32_MAX + 1, 1));
  ck_assert_ptr_null(array);
  ck_assert_uint_eq(capacity, 0);
}

RANDOM_TEST(a_grown_array_keeps_its_elements_and_at_least_doubles, 20) {
  uint32_t* array = NULL;
  size_t capacity = 0, count = 0;
  for (int round = 0; round < 12; ++round) {
    const size_t before = capacity;
    const size_t needed = count + random_below(&random, 1000);
    ck_assert(weft__grow((void**)&array, &capacity, needed, sizeof(*array)));
    ck_assert_uint_ge(capacity, needed);
    ck_assert(capacity == before || capacity >= 2 * before);
    for (; count < needed; ++count) array[count] = (uint32_t)count * 7u;
  }
  for (size_t i = 0; i < count; ++i) ck_assert_uint_eq(array[i], (uint32_t)i * 7u);
  free(array);
}

TEST(rounding_up_gives_the_least_multiple_that_is_no_smaller) {
  for (size_t multiple = 1; multiple < 70; ++multiple) {
    for (size_t value = 0; value < 300; ++value) {
      const size_t rounded = weft__round_up(value, multiple);
      require(rounded % multiple == 0 && rounded >= value && rounded < value + multiple);
    }
  }
}
