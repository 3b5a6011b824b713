#include "collision/touches.h"

#include <string.h>

#include "base/heap.h"
#include "base/memory.h"

weft__touch_impulse weft__touch_impulse_of(const weft__touch* touch) {
  weft__vec3 pressed = weft__fixed_vector(touch->normal_impulse);
  weft__vec3 normal = weft__vec3_of(touch->place.normal);
  double along = weft__dot(pressed, normal);
  if (along > 0.0) {
    along = weft__length(pressed);
    normal = weft__scaled(1.0 / along, pressed);
  } else {
    pressed = weft__scaled(along, normal);
  }
  weft__touch_impulse impulse = {.along = (float)along};
  weft__vec3_store(normal, impulse.normal);
  weft__vec3_store(weft__minus(weft__fixed_vector(touch->impulse), pressed), impulse.friction);
  return impulse;
}

bool weft__touch_list_create(weft__touch_list* list, uint32_t max_count) {
  *list = (weft__touch_list){.max_count = max_count};
  list->touches = weft__alloc((size_t)2 * max_count, sizeof(*list->touches));
  return list->touches != NULL;
}

void weft__touch_list_destroy(weft__touch_list* list) {
  weft__free(list->touches);
  *list = (weft__touch_list){0};
}

size_t weft__touch_list_bytes(const weft__touch_list* list) {
  return (size_t)2 * list->max_count * sizeof(*list->touches);
}

void weft__touch_list_clear(weft__touch_list* list) {
  list->count = 0;
  list->note_count = 0;
}

enum { DIGIT_BITS = 8, DIGIT_VALUES = 1 << DIGIT_BITS, MAX_INSERTION = 32 };

static void insertion_sort(weft__touch* touches, uint32_t count) {
  for (uint32_t i = 1; i < count; ++i) {
    const weft__touch touch = touches[i];
    uint32_t at = i;
    for (; at > 0 && touches[at - 1].pair > touch.pair; --at) touches[at] = touches[at - 1];
    touches[at] = touch;
  }
}

static uint32_t digit_of(const weft__touch* touch, unsigned shift) {
  return (uint32_t)(touch->pair >> shift) % DIGIT_VALUES;
}

// Prefix sums, in `end`; false if all digits are equal.
static bool count_digits(const weft__touch* touches, uint32_t count, unsigned shift,
                         uint32_t end[DIGIT_VALUES]) {
  memset(end, 0, DIGIT_VALUES * sizeof(*end));
  for (uint32_t i = 0; i < count; ++i) ++end[digit_of(&touches[i], shift)];
  if (end[digit_of(touches, shift)] == count) return false;
  for (uint32_t digit = 1; digit < DIGIT_VALUES; ++digit) end[digit] += end[digit - 1];
  return true;
}

// Cycles touches into buckets; `next`: first open place of each.
static void permute(weft__touch* touches, unsigned shift, uint32_t next[DIGIT_VALUES],
                    const uint32_t end[DIGIT_VALUES]) {
  for (uint32_t digit = 0; digit < DIGIT_VALUES; ++digit) {
    while (next[digit] < end[digit]) {
      weft__touch touch = touches[next[digit]];
      for (uint32_t to = digit_of(&touch, shift); to != digit; to = digit_of(&touch, shift)) {
        const weft__touch swap = touches[next[to]];
        touches[next[to]++] = touch;
        touch = swap;
      }
      touches[next[digit]++] = touch;
    }
  }
}

// In-place MSD radix sort, as a step has no memory for a copy. (McIlroy, Bostic, McIlroy 1993,
// "Engineering Radix Sort", section 3: American flag sort)
static void sort(weft__touch* touches, uint32_t count, unsigned shift) {
  uint32_t end[DIGIT_VALUES];
  while (count > MAX_INSERTION && !count_digits(touches, count, shift, end)) {
    if (shift == 0) return;
    shift -= DIGIT_BITS;
  }
  if (count <= MAX_INSERTION) {
    insertion_sort(touches, count);
    return;
  }
  uint32_t next[DIGIT_VALUES] = {0};
  memcpy(next + 1, end, (DIGIT_VALUES - 1) * sizeof(*end));
  permute(touches, shift, next, end);
  if (shift == 0) return;
  for (uint32_t digit = 0; digit < DIGIT_VALUES; ++digit) {
    const uint32_t first = digit == 0 ? 0 : end[digit - 1];
    sort(touches + first, end[digit] - first, shift - DIGIT_BITS);
  }
}

// Total order by bits: any will do if it is the same everywhere.
static bool precedes(const weft__contact_place* a, const weft__contact_place* b) {
  uint32_t left[6], right[6];
  memcpy(left, a, sizeof(left));
  memcpy(right, b, sizeof(right));
  for (size_t k = 0; k < 6; ++k) {
    if (left[k] != right[k]) return left[k] < right[k];
  }
  return false;
}

// Commutative and associative: the order of notes makes no difference.
static void accumulate(weft__touch* sum, const weft__touch* touch) {
  for (int axis = 0; axis < 3; ++axis) {
    sum->impulse[axis] += touch->impulse[axis];
    sum->normal_impulse[axis] += touch->normal_impulse[axis];
  }
  sum->note_count += touch->note_count;
  if (touch->substep < sum->substep) return;
  const bool is_later = touch->substep > sum->substep;
  if (is_later || precedes(&touch->place, &sum->place)) sum->place = touch->place;
  sum->substep = touch->substep;
}

void weft__touch_list_settle(weft__touch_list* list) {
  sort(list->touches, list->count, 64 - DIGIT_BITS);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->count; ++i) {
    const weft__touch* touch = &list->touches[i];
    if (kept > 0 && list->touches[kept - 1].pair == touch->pair) {
      accumulate(&list->touches[kept - 1], touch);
      continue;
    }
    if (kept == list->max_count) break;
    list->touches[kept++] = *touch;
  }
  list->count = kept;
}

void weft__touch_list_add(weft__touch_list* list, uint64_t pair, uint32_t generation,
                          uint32_t substep, weft__vec3 impulse, const weft__contact_place* place) {
  if (list->count == 2 * list->max_count) weft__touch_list_settle(list);
  weft__touch* touch = &list->touches[list->count++];
  *touch = (weft__touch){
      .pair = pair, .generation = generation, .place = *place, .substep = substep, .note_count = 1};
  const weft__vec3 normal = weft__vec3_of(place->normal);
  weft__fixed_add(touch->impulse, impulse);
  weft__fixed_add(touch->normal_impulse, weft__scaled(weft__dot(impulse, normal), normal));
  ++list->note_count;
}

static uint64_t next_pair(const weft__touch_merge* merge, uint32_t list) {
  return merge->lists[list].touches[merge->next[list]].pair;
}

static bool has_lower_pair(const void* merge, const void* a, const void* b) {
  return next_pair(merge, *(const uint32_t*)a) < next_pair(merge, *(const uint32_t*)b);
}

static weft__heap heap_of(const weft__touch_merge* merge) {
  return (weft__heap){merge->heap, merge->count, sizeof(*merge->heap), has_lower_pair, merge};
}

weft__touch_merge weft__touch_merge_begin(const weft__touch_list* lists, uint32_t list_count,
                                          uint32_t* heap, uint32_t* next) {
  weft__touch_merge merge = {lists, heap, next, 0};
  for (uint32_t list = 0; list < list_count; ++list) {
    next[list] = 0;
    if (lists[list].count > 0) heap[merge.count++] = list;
  }
  const weft__heap heap_of_lists = heap_of(&merge);
  weft__heap_build(&heap_of_lists);
  return merge;
}

static const weft__touch* pop_lowest(weft__touch_merge* merge) {
  const uint32_t list = merge->heap[0];
  const weft__touch* touch = &merge->lists[list].touches[merge->next[list]++];
  if (merge->next[list] == merge->lists[list].count) merge->heap[0] = merge->heap[--merge->count];
  const weft__heap heap = heap_of(merge);
  weft__heap_sift_down(&heap, 0);
  return touch;
}

bool weft__touch_merge_next(weft__touch_merge* merge, weft__touch* touch) {
  if (merge->count == 0) return false;
  *touch = *pop_lowest(merge);
  while (merge->count > 0 && next_pair(merge, merge->heap[0]) == touch->pair)
    accumulate(touch, pop_lowest(merge));
  return true;
}
