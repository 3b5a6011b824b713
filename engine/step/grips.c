#include "step/grips.h"

#include "base/memory.h"

void weft__grips_destroy(weft__grips* grips) {
  weft__free(grips->held);
  weft__free(grips->held_of);
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
  // swap with the last entry
  *held = grips->held[--grips->count];
  grips->held_of[held->particle] = (uint32_t)(held - grips->held);
}

void weft__grips_visit(weft__grips* grips, weft__archive* archive, uint32_t particle_count) {
  size_t count = grips->count;
  WEFT__ARCHIVE_VALUE(archive, grips->grips);
  WEFT__ARCHIVE_VALUE(archive, count);
  if (!weft__archive_expect(archive, count <= particle_count && count <= grips->capacity)) return;
  WEFT__ARCHIVE_ARRAY(archive, grips->held, count);
  if (!weft__archive_is_loading(archive)) return;
  grips->count = count;
  for (size_t n = 0; n < count; ++n) grips->held_of[grips->held[n].particle] = (uint32_t)n;
}
