#ifndef WEFT_BASE_SORT_H
#define WEFT_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct weft__sort_item {
  uint64_t key;
  uint32_t value;
} weft__sort_item;

/* Radix sort, stable. `scratch` holds `count` items. Digits equal in all keys cost no pass. (Knuth,
 * TAOCP vol. 3, section 5.2.5) */
void weft__sort(weft__sort_item* items, weft__sort_item* scratch, size_t count);

/* In place. (Williams 1964, "Algorithm 232: Heapsort") */
void weft__sort_numbers(uint64_t* numbers, size_t count);

/* Index of the last structure, `size` bytes apart, whose member is not above `value` in an
 * ascending array; 0 if none. member: the first one's */
static inline uint32_t weft__find_last_of(const uint32_t* member, size_t size, uint32_t count,
                                          uint32_t value) {
  uint32_t begin = 0;
  for (uint32_t end = count; end - begin > 1;) {
    const uint32_t middle = begin + (end - begin) / 2;
    const void* at = (const unsigned char*)member + middle * size;
    if (*(const uint32_t*)at <= value) {
      begin = middle;
    } else {
      end = middle;
    }
  }
  return begin;
}

/* In prefix offsets, the range that has element `value`. */
static inline uint32_t weft__find_last(const uint32_t* ascending, uint32_t count, uint32_t value) {
  return weft__find_last_of(ascending, sizeof(*ascending), count, value);
}

/* First of [begin, end) whose key is not below `key`; `end` if none. */
static inline uint32_t weft__lower_bound(const weft__sort_item* items, uint32_t begin, uint32_t end,
                                         uint64_t key) {
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (items[middle].key < key) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

#endif
