#include "base/sort.h"

#include "support/test.h"

// reference sort
static void insertion_sort(weft__sort_item* items, size_t count) {
  for (size_t i = 1; i < count; ++i) {
    const weft__sort_item item = items[i];
    size_t at = i;
    for (; at > 0 && items[at - 1].key > item.key; --at) items[at] = items[at - 1];
    items[at] = item;
  }
}

// keys that differ in some bits only: often equal, often sorted, seldom spread over all digits
static uint64_t draw_mask(random_source* random) {
  switch (random_below(random, 5)) {
    case 0:
      return 0;
    case 1:
      return 0x3;
    case 2:
      return 0xff00000000000000u;
    case 3:
      return random_bits(random) & random_bits(random) & random_bits(random);
    default:
      return UINT64_MAX;
  }
}

RANDOM_TEST(sort_agrees_with_insertion_sort_and_keeps_equal_keys_in_order, ROUNDS(300, 60)) {
  const size_t count = random_below(&random, 1200);
  weft__sort_item* items = test_alloc((count + 1) * sizeof(*items));
  weft__sort_item* scratch = test_alloc((count + 1) * sizeof(*items));
  weft__sort_item* expected = test_alloc((count + 1) * sizeof(*items));
  const uint64_t mask = draw_mask(&random);
  const uint64_t common = random_bits(&random) & ~mask;
  for (size_t i = 0; i < count; ++i) {
    items[i].key = common | (random_bits(&random) & mask);
    items[i].value = (uint32_t)i;
  }
  memcpy(expected, items, count * sizeof(*items));

  insertion_sort(expected, count);
  weft__sort(items, scratch, count);
  for (size_t i = 0; i < count; ++i) {
    ck_assert_uint_eq(items[i].key, expected[i].key);
    ck_assert_uint_eq(items[i].value, expected[i].value);
  }
}

TEST(the_first_number_that_is_not_below_a_value_is_found) {
  const uint32_t numbers[] = {2, 3, 7, UINT32_MAX};
  const uint32_t value[] = {0, 2, 3, 4, 7, 8, UINT32_MAX};
  const uint32_t first[] = {0, 0, 1, 2, 2, 3, 3};
  for (size_t v = 0; v < sizeof(value) / sizeof(*value); ++v) {
    ck_assert_uint_eq(weft__find_first(numbers, 4, value[v]), first[v]);
    ck_assert_uint_eq(weft__find_first(numbers, 1, value[v]), value[v] > 2);
    ck_assert_uint_eq(weft__find_first(numbers, 0, value[v]), 0);
  }
}

TEST(nothing_and_a_single_item_are_sorted_as_they_stand) {
  weft__sort_item item = {42, 7}, scratch = {0, 0};
  weft__sort(NULL, NULL, 0);
  weft__sort(&item, &scratch, 1);
  ck_assert_uint_eq(item.key, 42);
  ck_assert_uint_eq(item.value, 7);
}

RANDOM_TEST(numbers_are_sorted_in_place_as_by_insertion, ROUNDS(200, 40)) {
  const size_t count = random_below(&random, 400);
  const uint64_t mask = draw_mask(&random);
  uint64_t* numbers = test_alloc(sizeof(*numbers) * (count + 1));
  weft__sort_item* expected = test_alloc(sizeof(*expected) * (count + 1));
  for (size_t i = 0; i < count; ++i) {
    numbers[i] = random_bits(&random) & mask;
    expected[i] = (weft__sort_item){numbers[i], 0};
  }
  insertion_sort(expected, count);
  weft__sort_numbers(numbers, count);
  for (size_t i = 0; i < count; ++i) require(numbers[i] == expected[i].key);
}
