#include "mesh_file/triple_set.h"

#include <stdlib.h>
#include <string.h>

/* Open addressing over a power of two of slots, at most half in use. */
bool triple_set_create(triple_set* set, uint32_t capacity) {
  uint64_t slot_count = 16;
  while (slot_count < 2 * (uint64_t)capacity) slot_count *= 2;
  set->count = 0;
  set->slot_mask = (uint32_t)(slot_count - 1);
  set->triples = malloc(((size_t)capacity + 1) * sizeof *set->triples);
  set->slots = calloc(slot_count, sizeof *set->slots);
  if (set->triples && set->slots) return true;
  triple_set_free(set);
  return false;
}

void triple_set_free(triple_set* set) {
  free(set->triples);
  free(set->slots);
  *set = (triple_set){0};
}

/* Coordinates on a grid differ in few bits: the products spread them, the shift folds them down. */
static uint32_t slot_of(const uint32_t triple[3]) {
  uint64_t mix = triple[0] * UINT64_C(0x9e3779b97f4a7c15);
  mix = (mix ^ (mix >> 29) ^ triple[1]) * UINT64_C(0xbf58476d1ce4e5b9);
  mix = (mix ^ (mix >> 32) ^ triple[2]) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)(mix >> 32);
}

uint32_t triple_set_add(triple_set* set, const uint32_t triple[3]) {
  uint32_t slot = slot_of(triple) & set->slot_mask;
  for (; set->slots[slot] != 0; slot = (slot + 1) & set->slot_mask) {
    const uint32_t number = set->slots[slot] - 1;
    if (memcmp(set->triples[number], triple, sizeof set->triples[number]) == 0) return number;
  }
  memcpy(set->triples[set->count], triple, sizeof set->triples[set->count]);
  set->slots[slot] = ++set->count;
  return set->count - 1;
}
