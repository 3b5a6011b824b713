/* Kinematic moves: pinned particles on their way to a target at the end of the next step.
 *
 * Substeps begin with an equal part of the path. Integration then keeps the particles in place and
 * clears their velocity; until the next step they have the last substep's, for the caller to read.
 *
 * The index of a move is valid only if the move at it belongs to the particle: nothing needs to be
 * cleared. (Briggs, Torczon 1993, "An efficient representation for sparse sets") */
#ifndef WEFT_STEP_MOVES_H
#define WEFT_STEP_MOVES_H

#include <stdbool.h>

#include "base/archive.h"
#include "tables/particles.h"

typedef struct weft__move {
  uint32_t particle; /* solver order */
  float start[3];    /* metres: position at the start of the step */
  float before[3];   /* metres: position at the start of the last substep */
  float last[3];     /* metres: displacement in a substep of the last step */
  float target[3];   /* metres */
} weft__move;

typedef struct weft__moves {
  weft__move* moves; /* at most one per particle [count] */
  size_t count;
  size_t capacity;
  uint32_t* move_of; /* index of a particle's move; NULL until first used [particle_count] */
  size_t bytes;
} weft__moves;

/* Memory must be reserved for a load. */
extern const weft__table weft__moves_table;

void weft__moves_destroy(weft__moves* moves);

/* Reserves memory for `more` moves. False when out of memory. */
bool weft__moves_reserve(weft__moves* moves, uint32_t particle_count, size_t more);

/* Replaces any earlier target. False when out of memory, with nothing changed. */
bool weft__moves_set(weft__moves* moves, uint32_t particle_count, uint32_t particle,
                     const float target[3]);

/* NULL if it has none. */
weft__move* weft__moves_find(const weft__moves* moves, uint32_t particle);

/* Cancels the move of a particle, if it has one. */
void weft__moves_cancel(weft__moves* moves, uint32_t particle);

typedef struct weft__move_span {
  uint32_t substep;  /* from 0 */
  uint32_t substeps; /* in the step */
  double stretch;    /* substep that constraints are solved for over this one: see step_size.h */
  double scale;      /* the same over the last displacement's */
} weft__move_span;

/* Moves each particle with a target to its position at the end of the substep; in a partial
 * substep, at the end of the whole one. */
void weft__moves_begin(const weft__moves* moves, weft__particles* particles,
                       const weft__move_span* span);

/* Moves the particles back to their positions at the end of a partial substep. */
void weft__moves_return(const weft__moves* moves, weft__particles* particles, uint32_t substep,
                        uint32_t substeps);

/* Ends the step: all have arrived. rate: 1 / substep, 1/seconds; stretch: as in the span */
void weft__moves_end(weft__moves* moves, weft__particles* particles, float rate, float stretch);

#endif
