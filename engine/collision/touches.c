#include "collision/touches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- impulses ----

// More in a substep counts as this: a thousand of them still fit. What is no number is none.
#define MOST_IMPULSE 0x1p36f
#define UNIT 0x1p80

static weft__fixed fixed_of(float impulse) {
  if (isnan(impulse)) return 0;
  const float within = fminf(fmaxf(impulse, -MOST_IMPULSE), MOST_IMPULSE);
  return (weft__fixed)((double)within * UNIT);
}

float weft__touch_impulse(const weft__touch* touch) {
  return (float)((double)touch->impulse * (1.0 / UNIT));
}

// ---- making and destroying ----

bool weft__touch_list_create(weft__touch_list* list, uint32_t most) {
  *list = (weft__touch_list){.most = most};
  list->touches = weft__alloc((size_t)2 * most, sizeof(*list->touches));
  return list->touches != NULL;
}

void weft__touch_list_destroy(weft__touch_list* list) {
  free(list->touches);
  *list = (weft__touch_list){0};
}

size_t weft__touch_list_bytes(const weft__touch_list* list) {
  return (size_t)2 * list->most * sizeof(*list->touches);
}

void weft__touch_list_clear(weft__touch_list* list) {
  list->count = 0;
  list->substep = 0;
  list->note_count = 0;
}

// ---- sorting ----

enum { DIGIT_BITS = 8, DIGIT_VALUES = 1 << DIGIT_BITS, FEW = 32 };

static void insert_all(weft__touch* touches, uint32_t count) {
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

// fills end, where the touches of each digit are to end; false where all have the same one
static bool count_digits(const weft__touch* touches, uint32_t count, unsigned shift,
                         uint32_t end[DIGIT_VALUES]) {
  memset(end, 0, DIGIT_VALUES * sizeof(*end));
  for (uint32_t i = 0; i < count; ++i) ++end[digit_of(&touches[i], shift)];
  if (end[digit_of(touches, shift)] == count) return false;
  for (uint32_t digit = 1; digit < DIGIT_VALUES; ++digit) end[digit] += end[digit - 1];
  return true;
}

// moves each touch to the part of its digit; `next` is where each part has its first free place
static void deal_out(weft__touch* touches, unsigned shift, uint32_t next[DIGIT_VALUES],
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

// In place, as a step has no room for a copy, by one digit after the other, the highest first. (McIlroy, Bostic,
// McIlroy 1993, "Engineering Radix Sort", section 3: American flag sort)
static void sort(weft__touch* touches, uint32_t count, unsigned shift) {
  uint32_t end[DIGIT_VALUES];
  while (count > FEW && !count_digits(touches, count, shift, end)) {
    if (shift == 0) return;
    shift -= DIGIT_BITS;
  }
  if (count <= FEW) {
    insert_all(touches, count);
    return;
  }
  uint32_t next[DIGIT_VALUES] = {0};
  memcpy(next + 1, end, (DIGIT_VALUES - 1) * sizeof(*end));
  deal_out(touches, shift, next, end);
  if (shift == 0) return;
  for (uint32_t digit = 0; digit < DIGIT_VALUES; ++digit) {
    const uint32_t first = digit == 0 ? 0 : end[digit - 1];
    sort(touches + first, end[digit] - first, shift - DIGIT_BITS);
  }
}

// ---- one of many ----

// Total order of vectors by their representation: any order, but the same everywhere.
static bool precedes(const float* a, const float* b) {
  uint32_t left[3], right[3];
  memcpy(left, a, sizeof(left));
  memcpy(right, b, sizeof(right));
  for (size_t axis = 0; axis < 3; ++axis) {
    if (left[axis] != right[axis]) return left[axis] < right[axis];
  }
  return false;
}

// The same, whatever the order they are added in.
static void add(weft__touch* sum, const weft__touch* touch) {
  sum->impulse += touch->impulse;
  if (touch->substep < sum->substep) return;
  const bool is_later = touch->substep > sum->substep;
  if (is_later || precedes(touch->normal, sum->normal)) {
    memcpy(sum->normal, touch->normal, sizeof(sum->normal));
  }
  sum->note_count = touch->note_count + (is_later ? 0 : sum->note_count);
  sum->substep = touch->substep;
}

void weft__touch_list_settle(weft__touch_list* list) {
  sort(list->touches, list->count, 64 - DIGIT_BITS);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->count; ++i) {
    const weft__touch* touch = &list->touches[i];
    if (kept > 0 && list->touches[kept - 1].pair == touch->pair) {
      add(&list->touches[kept - 1], touch);
      continue;
    }
    if (kept == list->most) break;
    list->touches[kept++] = *touch;
  }
  list->count = kept;
}

void weft__touch_list_add(weft__touch_list* list, uint64_t pair, uint32_t substep, float impulse,
                          const float normal[3]) {
  if (list->count == 2 * list->most) weft__touch_list_settle(list);
  list->touches[list->count++] = (weft__touch){
      .impulse = fixed_of(impulse),
      .pair = pair,
      .normal = {normal[0], normal[1], normal[2]},
      .substep = substep,
      .note_count = 1,
  };
  if (substep != list->substep) list->note_count = 0;
  list->substep = substep;
  ++list->note_count;
}

// ---- merging ----

static uint64_t pair_at(const weft__touch_merge* merge, uint32_t at) {
  const uint32_t list = merge->heap[at];
  return merge->lists[list].touches[merge->next[list]].pair;
}

static void sink(weft__touch_merge* merge, uint32_t at) {
  for (uint32_t child = 2 * at + 1; child < merge->count; child = 2 * at + 1) {
    if (child + 1 < merge->count && pair_at(merge, child + 1) < pair_at(merge, child)) ++child;
    if (pair_at(merge, at) <= pair_at(merge, child)) return;
    const uint32_t swap = merge->heap[at];
    merge->heap[at] = merge->heap[child];
    merge->heap[child] = swap;
    at = child;
  }
}

weft__touch_merge weft__touch_merge_begin(const weft__touch_list* lists, uint32_t list_count,
                                          uint32_t* heap, uint32_t* next) {
  weft__touch_merge merge = {lists, heap, next, 0};
  for (uint32_t list = 0; list < list_count; ++list) {
    next[list] = 0;
    if (lists[list].count > 0) heap[merge.count++] = list;
  }
  for (uint32_t at = merge.count / 2; at > 0; --at) sink(&merge, at - 1);
  return merge;
}

static const weft__touch* take_least(weft__touch_merge* merge) {
  const uint32_t list = merge->heap[0];
  const weft__touch* touch = &merge->lists[list].touches[merge->next[list]++];
  if (merge->next[list] == merge->lists[list].count) merge->heap[0] = merge->heap[--merge->count];
  sink(merge, 0);
  return touch;
}

bool weft__touch_merge_next(weft__touch_merge* merge, weft__touch* touch) {
  if (merge->count == 0) return false;
  *touch = *take_least(merge);
  while (merge->count > 0 && pair_at(merge, 0) == touch->pair) add(touch, take_least(merge));
  return true;
}
