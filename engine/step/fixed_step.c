#include "step/fixed_step.h"

#include <assert.h>

weft_advance weft__fixed_step_add(weft__fixed_step* fixed_step, int64_t elapsed_ns) {
  assert(elapsed_ns >= 0 && fixed_step->step_ns > 0);
  // unsigned: the largest elapsed time and the leftover still fit
  const uint64_t step = (uint64_t)fixed_step->step_ns;
  const uint64_t due = (uint64_t)fixed_step->leftover_ns + (uint64_t)elapsed_ns;
  uint64_t steps = due / step;
  uint64_t dropped = 0;
  if (steps > fixed_step->max_steps) {
    dropped = (steps - fixed_step->max_steps) * step;
    steps = fixed_step->max_steps;
  }
  fixed_step->leftover_ns = (int64_t)(due % step);
  return (weft_advance){
      .steps = (uint32_t)steps,
      .interpolation = (float)((double)fixed_step->leftover_ns / (double)step),
      .dropped_ns = (int64_t)dropped,
  };
}
