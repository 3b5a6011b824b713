#include "step/pause.h"
#include "base/memory.h"

#include <string.h>

#include "base/arena.h"

bool weft__pause_prepare(weft__pauses* pause, uint32_t particle_count) {
  if (pause->block != NULL) return true;
  for (weft__arena arena = {0}; weft__arena_next(&arena, &pause->block, &pause->bytes);) {
    pause->inv_mass = weft__arena_alloc(&arena, particle_count, sizeof(float));
    for (int axis = 0; axis < 3; ++axis) {
      pause->prev[axis] = weft__arena_alloc(&arena, particle_count, sizeof(float));
    }
  }
  if (pause->block == NULL) *pause = (weft__pauses){.count = pause->count};
  return pause->block != NULL;
}

void weft__pause_destroy(weft__pauses* pause) {
  weft__free(pause->block);
  *pause = (weft__pauses){0};
}

static void pin_range(const weft__pauses* pause, weft__particles* p, weft__range own) {
  const size_t bytes = (own.end - own.begin) * sizeof(float);
  memcpy(pause->inv_mass + own.begin, p->inv_mass + own.begin, bytes);
  memset(p->inv_mass + own.begin, 0, bytes);
  for (int axis = 0; axis < 3; ++axis) {
    memcpy(pause->prev[axis] + own.begin, p->prev[axis] + own.begin, bytes);
    memcpy(p->prev[axis] + own.begin, p->pos[axis] + own.begin, bytes);
  }
}

// Pinned particles may have been moved.
static void free_range(const weft__pauses* pause, weft__particles* p, weft__range own,
                       float ratio) {
  for (int axis = 0; axis < 3; ++axis) {
    const float* pos = p->pos[axis];
    const float* prev = pause->prev[axis];
    for (uint32_t i = own.begin; i < own.end; ++i) {
      if (!(pause->inv_mass[i] > 0.0f)) continue;
      p->prev[axis][i] = ratio == 1.0f ? prev[i] : pos[i] - (pos[i] - prev[i]) * ratio;
    }
  }
  memcpy(p->inv_mass + own.begin, pause->inv_mass + own.begin,
         (own.end - own.begin) * sizeof(float));
}

void weft__pause_begin(const weft__pauses* pause, const weft__environment* environments,
                       const weft__schedule* schedule, weft__particles* particles) {
  for (uint32_t e = 0; pause->count > 0 && e < schedule->environment_count; ++e) {
    if (!environments[e].is_paused) continue;
    pin_range(pause, particles, weft__environment_particles(schedule, e));
  }
}

void weft__pause_end(const weft__pauses* pause, const weft__environment* environments,
                     const weft__schedule* schedule, weft__particles* particles, float ratio) {
  for (uint32_t e = 0; pause->count > 0 && e < schedule->environment_count; ++e) {
    if (!environments[e].is_paused) continue;
    free_range(pause, particles, weft__environment_particles(schedule, e), ratio);
  }
}
