#include "step/grips.h"

#include "base/memory.h"

static const weft__column columns[] = {
    WEFT__MEMBER(weft__grips, grips),
    WEFT__MEMBER(weft__grips, count),
    WEFT__LIST(weft__grips, held, count, capacity, WEFT__STATE),
    WEFT__GROWN(weft__grips, held_of),
};

static void number_held(void* table) {
  const weft__grips* grips = table;
  for (uint32_t n = 0; n < grips->count; ++n) grips->held_of[grips->held[n].particle] = n;
}

const weft__table weft__grips_table = {
    .columns = columns, .count = WEFT__COUNT_OF(columns), .loaded = number_held};

void weft__grips_destroy(weft__grips* grips) {
  weft__columns_free(grips, &weft__grips_table);
  *grips = (weft__grips){0};
}

weft__held* weft__grips_find(const weft__grips* grips, uint32_t particle) {
  if (grips->held_of == NULL) return NULL;
  const uint32_t index = grips->held_of[particle];
  const bool is_own = index < grips->count && grips->held[index].particle == particle;
  return is_own ? &grips->held[index] : NULL;
}

bool weft__grips_reserve(weft__grips* grips, uint32_t particle_count, size_t more) {
  if (grips->held_of == NULL) {
    grips->held_of = weft__alloc_zeroed(particle_count, sizeof(*grips->held_of));
  }
  if (grips->held_of == NULL) return false;
  const bool good =
      weft__grow((void**)&grips->held, &grips->capacity, grips->count + more, sizeof(*grips->held));
  grips->bytes = grips->capacity * sizeof(*grips->held) + particle_count * sizeof(*grips->held_of);
  return good;
}

void weft__grips_add(weft__grips* grips, const weft__held* held) {
  grips->held_of[held->particle] = (uint32_t)grips->count;
  grips->held[grips->count++] = *held;
  ++grips->grips[held->grip].held_count;
}

void weft__grips_remove(weft__grips* grips, uint32_t particle) {
  weft__held* held = weft__grips_find(grips, particle);
  if (held == NULL) return;
  --grips->grips[held->grip].held_count;
  *held = grips->held[--grips->count];
  grips->held_of[held->particle] = (uint32_t)(held - grips->held);
}
