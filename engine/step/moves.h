/* Pinned particles that are on their way to a place, which they reach by the end of the next step.
 *
 * In each substep they go an equal part of the way, before anything else happens. Integration then lets
 * them stay, and takes their velocity away with that; once the step is over they are given the one of
 * the last substep, for the caller to read. The step after takes it away again.
 *
 * Which move is a particle's is found in a sparse set: a number for each particle, which counts only if
 * the move of that number is the particle's, so that nothing is cleared. (Briggs, Torczon 1993, "An
 * efficient representation for sparse sets") */
#ifndef WEFT_STEP_MOVES_H
#define WEFT_STEP_MOVES_H

#include <stdbool.h>

#include "tables/particles.h"

typedef struct weft__move {
  uint32_t particle; /* the solver's number */
  float start[3];    /* where it is when the step begins */
  float before[3];   /* and when the last substep began */
  float target[3];
} weft__move;

typedef struct weft__moves {
  weft__move* moves; /* no two of one particle [count] */
  size_t count;
  size_t capacity;
  uint32_t* move_of; /* NULL until there is a move [particle_count] */
  size_t bytes;
} weft__moves;

void weft__moves_destroy(weft__moves* moves);

/* Room for `more` moves. False when memory cannot be had. */
bool weft__moves_reserve(weft__moves* moves, uint32_t particle_count, size_t more);

/* Sends a particle to a place, instead of any other. False when memory cannot be had, and nothing
 * changed. */
bool weft__moves_set(weft__moves* moves, uint32_t particle_count, uint32_t particle,
                     const float target[3]);

/* Forgets the move of a particle, if it has one. */
void weft__moves_drop(weft__moves* moves, uint32_t particle);

/* Begins substep `substep` of `substeps`. */
void weft__moves_begin(const weft__moves* moves, const weft__particles* particles, uint32_t substep,
                       uint32_t substeps);

/* Ends the step: all have arrived. `rate` is one over the seconds of a substep. */
void weft__moves_end(weft__moves* moves, const weft__particles* particles, float rate);

#endif
