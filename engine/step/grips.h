/* Pointers that hold particles: fingers, a mouse, the hand of a figure.
 *
 * A held particle is pinned and goes where its pointer goes, by a move of step/moves.h: so it is there with the
 * step, a part of the way in each substep, and has the pointer's velocity. How it lies to the pointer stays as it was
 * when it was taken, so that rounding does not add up. Its own inverse mass is kept for when it is let go.
 *
 * All that is held is one list, found by particle as in a sparse set: see step/moves.h. */
#ifndef WEFT_STEP_GRIPS_H
#define WEFT_STEP_GRIPS_H

#include "step/moves.h"
#include "weft/change.h"

typedef struct weft__held {
  uint32_t particle; /* the solver's number */
  uint32_t grip;
  float inv_mass;   /* 1/kg: that it gets back, 0 = it stays pinned */
  double offset[3]; /* metres from the pointer */
} weft__held;

typedef struct weft__grip {
  bool is_on;
  float place[3]; /* metres: of the pointer when the next step ends */
  float radius;   /* metres */
  uint32_t held_count;
} weft__grip;

typedef struct weft__grips {
  weft__grip grips[WEFT_MAX_GRIPS];
  weft__held* held; /* no two of one particle [count] */
  size_t count, capacity;
  uint32_t* held_of; /* NULL until something was held [particle_count] */
  size_t bytes;
} weft__grips;

void weft__grips_destroy(weft__grips* grips);

/* What holds a particle, NULL = nothing does. Good until the list changes. */
weft__held* weft__grips_find(const weft__grips* grips, uint32_t particle);

/* Room for `more` held particles. False when memory cannot be had. */
bool weft__grips_reserve(weft__grips* grips, uint32_t particle_count, size_t more);

/* Takes a particle that nothing holds; there must be room. The caller pins it. */
void weft__grips_take(weft__grips* grips, const weft__held* held);

/* Forgets a particle, if it is held; the caller gives it back its mass. */
void weft__grips_drop(weft__grips* grips, uint32_t particle);

#endif
