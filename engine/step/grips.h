/* Grips: pointers that hold particles, such as a mouse, a finger or the hand of a figure.
 *
 * A held particle is pinned and follows its pointer by a move of step/moves.h, which also describes
 * the sparse set. Its offset is stored when it is grabbed: rounding does not accumulate. */
#ifndef WEFT_STEP_GRIPS_H
#define WEFT_STEP_GRIPS_H

#include "base/archive.h"
#include "base/slot.h"
#include "step/moves.h"
#include "weft/change.h"

typedef struct weft__held {
  uint32_t particle; /* solver order */
  uint32_t grip;     /* slot */
  float inv_mass;    /* 1/kg: restored on release, 0 = stays pinned */
  uint32_t unused;   /* 0: see weft__archive_value() */
  double offset[3];  /* metres from the pointer */
} weft__held;

typedef struct weft__grip {
  uint32_t generation; /* see base/slot.h */
  float position[3];   /* metres: of the pointer at the end of the next step */
  float radius;        /* metres */
  uint32_t held_count;
} weft__grip;

typedef struct weft__grips {
  weft__grip grips[WEFT_MAX_GRIPS];
  weft__held* held; /* at most one entry per particle [count] */
  size_t count, capacity;
  uint32_t*
      held_of; /* entry of a particle, if that is its own; NULL until first used [particle_count] */
  size_t bytes;
} weft__grips;

/* Memory must be reserved for a load. */
extern const weft__table weft__grips_table;

void weft__grips_destroy(weft__grips* grips);

/* NULL if not held. Valid until the list changes. */
weft__held* weft__grips_find(const weft__grips* grips, uint32_t particle);

/* Reserves memory for `more` held particles. False when out of memory. */
bool weft__grips_reserve(weft__grips* grips, uint32_t particle_count, size_t more);

/* Adds a particle that is not held; memory must be reserved. The caller pins it. */
void weft__grips_add(weft__grips* grips, const weft__held* held);

/* Removes a particle, if held; the caller restores its mass. */
void weft__grips_remove(weft__grips* grips, uint32_t particle);

#endif
