/* Paused environments: their free particles are pinned while the world steps, and get their masses
 * and velocities back. Patches and trees are skipped; other stages find pinned particles at
 * rest. */
#ifndef WEFT_STEP_PAUSE_H
#define WEFT_STEP_PAUSE_H

#include <stdbool.h>
#include <stddef.h>

#include "tables/particles.h"
#include "tables/physics.h"
#include "tables/schedule.h"

typedef struct weft__pauses {
  uint32_t count;  /* paused environments */
  float* inv_mass; /* paused particles', by particle [particle_count]; NULL until one is paused */
  float* prev[3];  /* [particle_count] */
  void* block;
  size_t bytes;
} weft__pauses;

/* Allocates the columns, unless they exist. False if out of memory. */
bool weft__pause_prepare(weft__pauses* pause, uint32_t particle_count);
void weft__pause_destroy(weft__pauses* pause);

/* Pin particles before steps, and free them after; `ratio`: of the last substep's length to the one
 * before the steps, to preserve velocities. */
void weft__pause_begin(const weft__pauses* pause, const weft__environment* environments,
                       const weft__schedule* schedule, weft__particles* particles);
void weft__pause_end(const weft__pauses* pause, const weft__environment* environments,
                     const weft__schedule* schedule, weft__particles* particles, float ratio);

#endif
