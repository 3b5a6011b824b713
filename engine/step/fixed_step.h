/* Fixed steps out of elapsed time: integer nanoseconds in, whole steps out, the rest carried over,
 * so that no time is lost or won however long it runs. (Fiedler 2004, "Fix your timestep!") */
#ifndef WEFT_STEP_FIXED_STEP_H
#define WEFT_STEP_FIXED_STEP_H

#include <stdint.h>

#include "weft/weft.h"

typedef struct weft__fixed_step {
  int64_t step_ns;     /* > 0 */
  int64_t leftover_ns; /* 0 to step_ns - 1: time that has come in and filled no step yet */
  uint32_t max_steps;  /* the most that one call takes; what would fill more is dropped */
} weft__fixed_step;

/* Adds elapsed time, >= 0, and takes the whole steps out. */
weft_advance weft__fixed_step_add(weft__fixed_step* fixed_step, int64_t elapsed_ns);

#endif
