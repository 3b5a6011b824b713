/* Partial substeps: see step/step_size.h. Worlds with velocity columns need no memory for them. */
#ifndef WEFT_STEP_PARTIAL_SUBSTEP_H
#define WEFT_STEP_PARTIAL_SUBSTEP_H

#include <stdbool.h>
#include <stddef.h>

#include "parallel/step_context.h"

typedef struct weft__partial_substeps {
  /* metres: displacement in a solved substep, by the velocity before the substep, then by the
   * velocity after the constraints; NULL until lengths vary [particle_count] */
  WEFT__VECTOR_COLUMNS(moved);
  void* block;
  size_t bytes;
} weft__partial_substeps;

/* Allocates the columns, unless they exist. False if out of memory. */
bool weft__partial_substeps_prepare(weft__partial_substeps* partial, uint32_t particle_count);
void weft__partial_substeps_destroy(weft__partial_substeps* partial);

/* Records velocities before the integration. */
void weft__partial_substep_begin(weft__partial_substeps* partial, weft__step_context* step);

/* Takes the share of velocities and positions, after all constraints and before contacts. */
void weft__partial_substep_take(weft__partial_substeps* partial, weft__step_context* step);

/* Moves previous positions back by a solved substep, after all that moves particles. */
void weft__partial_substep_end(weft__partial_substeps* partial, weft__step_context* step);

#endif
