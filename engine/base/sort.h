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

#endif
