/* A cloth with its multigrid levels, and the same levels built one by one. */
#ifndef TESTS_SUPPORT_STACK_H
#define TESTS_SUPPORT_STACK_H

#include "solvers/multigrid/coarsen.h"
#include "solvers/multigrid/transfer.h"

typedef struct stack {
  weft_scene* scene;
  weft__schedule cloth;
  weft__particles particles;
  weft__levels levels;
  uint32_t depth;
  weft__coarsening made[WEFT__MAX_LEVELS + 1]; /* the last level has no links [depth + 1] */
  uint32_t* cloth_of[WEFT__MAX_LEVELS + 1];    /* particles of the cloth, per level */
} stack;

/* Takes ownership of the scene. */
stack* new_stack(weft_scene* scene);
/* Schedule and particles of the next finer level than coarse level `level`; the cloth's for level
 * 0. */
const weft__schedule* finer_schedule(const stack* s, uint32_t level);
weft__particles* finer_particles(stack* s, uint32_t level);

#endif
