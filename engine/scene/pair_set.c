#include "scene/pair_set.h"

#include <string.h>

#include "base/hash.h"
#include "base/host.h"
#include "base/memory.h"

#define EMPTY UINT64_MAX

// Or the empty slot where it belongs.
static size_t find_slot(const weft__pair_set* set, uint64_t key) {
  size_t slot = (size_t)weft__mix64(key) & (set->slot_count - 1);
  while (set->slots[slot] != EMPTY && set->slots[slot] != key) {
    slot = (slot + 1) & (set->slot_count - 1);
  }
  return slot;
}

bool weft__pair_set_reserve(weft__pair_set* set, uint64_t pair_count) {
  uint64_t wanted = 64;
  while (wanted < pair_count * 2) wanted *= 2;
  if (wanted <= set->slot_count) return true;
  if (wanted > SIZE_MAX / sizeof(*set->slots)) return false;
  const size_t slot_count = (size_t)wanted;
  uint64_t* slots = weft__alloc(slot_count, sizeof(*slots));
  if (slots == NULL) return false;
  memset(slots, 0xff, slot_count * sizeof(*slots));

  weft__pair_set larger = {slots, slot_count, set->pair_count};
  for (size_t slot = 0; slot < set->slot_count; ++slot) {
    const uint64_t key = set->slots[slot];
    if (key != EMPTY) larger.slots[find_slot(&larger, key)] = key;
  }
  weft__free(set->slots);
  *set = larger;
  return true;
}

bool weft__pair_set_insert(weft__pair_set* set, uint32_t a, uint32_t b) {
  WEFT__ASSERT(a != b && set->pair_count < set->slot_count);
  const uint64_t key = weft__pair_key(a, b);
  const size_t slot = find_slot(set, key);
  if (set->slots[slot] == key) return false;
  set->slots[slot] = key;
  ++set->pair_count;
  return true;
}

void weft__pair_set_destroy(weft__pair_set* set) {
  weft__free(set->slots);
  *set = (weft__pair_set){0};
}
