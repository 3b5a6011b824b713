/* Stable radix sort of 64-bit keys with a 32-bit value. */
#ifndef WEFT_BASE_SORT_H
#define WEFT_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct weft__sort_item {
  uint64_t key;
  uint32_t value;
} weft__sort_item;

/* Sorts `items` by key, ascending and stable. `scratch` holds `count` items. Digits equal in all
 * keys cost no pass. (Knuth, TAOCP vol. 3, section 5.2.5) */
void weft__sort(weft__sort_item* items, weft__sort_item* scratch, size_t count);

/* Sorts numbers in place, ascending. (Williams 1964, "Algorithm 232: Heapsort") */
void weft__sort_numbers(uint64_t* numbers, size_t count);

/* Index of the last element of an ascending array that is not above `value`; 0 if there is none. */
static inline uint32_t weft__find_last(const uint32_t* ascending, uint32_t count, uint32_t value) {
  uint32_t begin = 0;
  for (uint32_t end = count; end - begin > 1;) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (ascending[middle] <= value) {
      begin = middle;
    } else {
      end = middle;
    }
  }
  return begin;
}

#endif
