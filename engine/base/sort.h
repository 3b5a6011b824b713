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

/* Index of the first of strictly ascending numbers that is not below `value`; `count` if none. */
static inline uint32_t weft__find_first(const uint32_t* ascending, uint32_t count, uint32_t value) {
  const uint32_t last = weft__find_last(ascending, count, value);
  return last < count && ascending[last] < value ? last + 1 : last;
}

/* First structure of [begin, end), `size` bytes apart, whose member is not below `value`; `end` if
 * none. member: structure 0's */
static inline uint32_t weft__lower_bound_of(const uint64_t* member, size_t size, uint32_t begin,
                                            uint32_t end, uint64_t value) {
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    const void* at = (const unsigned char*)member + middle * size;
    if (*(const uint64_t*)at < value) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

static inline uint32_t weft__lower_bound(const weft__sort_item* items, uint32_t begin, uint32_t end,
                                         uint64_t key) {
  return weft__lower_bound_of(&items->key, sizeof(*items), begin, end, key);
}

/* Lists of items by bucket, one after another. In zeroed `first` [count + 2] the caller counts
 * bucket b's items at b + 2, calls this, and stores each item at first[b + 1]++: bucket b then has
 * [first[b], first[b + 1]), in the order of the calls. Returns the number of items. */
static inline uint32_t weft__sum_buckets(uint32_t* first, uint32_t count) {
  for (uint32_t b = 0; b < count; ++b) first[b + 2] += first[b + 1];
  return first[count + 1];
}

#endif
