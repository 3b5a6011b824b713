#include "base/sort.h"

#include <string.h>

#include "base/heap.h"

enum { DIGIT_BITS = 8, DIGIT_VALUES = 1 << DIGIT_BITS };

static uint64_t differing_bits(const weft__sort_item* items, size_t count) {
  uint64_t differing = 0;
  for (size_t i = 1; i < count; ++i) differing |= items[i].key ^ items[0].key;
  return differing;
}

static void sort_by_digit(const weft__sort_item* from, weft__sort_item* to, size_t count,
                          unsigned shift) {
  size_t next[DIGIT_VALUES] = {0};
  for (size_t i = 0; i < count; ++i) ++next[(from[i].key >> shift) % DIGIT_VALUES];
  size_t start = 0;
  for (size_t digit = 0; digit < DIGIT_VALUES; ++digit) {
    const size_t size = next[digit];
    next[digit] = start;
    start += size;
  }
  for (size_t i = 0; i < count; ++i) to[next[(from[i].key >> shift) % DIGIT_VALUES]++] = from[i];
}

void weft__sort(weft__sort_item* items, weft__sort_item* scratch, size_t count) {
  const uint64_t differing = differing_bits(items, count);
  weft__sort_item* from = items;
  weft__sort_item* to = scratch;
  for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
    if ((differing >> shift) % DIGIT_VALUES == 0) continue;
    sort_by_digit(from, to, count, shift);
    weft__sort_item* swap = from;
    from = to;
    to = swap;
  }
  if (from != items) memcpy(items, from, count * sizeof(*items));
}

static bool is_larger(const void* context, const void* a, const void* b) {
  (void)context;
  return *(const uint64_t*)a > *(const uint64_t*)b;
}

void weft__sort_numbers(uint64_t* numbers, size_t count) {
  const weft__heap heap = {numbers, count, sizeof(*numbers), is_larger, NULL};
  weft__heap_build(&heap);
  weft__heap_sort(heap);
}
