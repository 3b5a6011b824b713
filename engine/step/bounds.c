#include "step/bounds.h"

#include "base/grain_size.h"
#include "kernels/kernels.h"

// lane groups: some microseconds
#define BOUNDS_GRAIN WEFT__GRAIN(64u, 1u)

// Particles are independent in this stage; whole lane groups need no remainder loop.
static void solve_groups(void* context, weft__range groups, uint32_t worker) {
  (void)worker;
  weft__step_context* step = context;
  const uint32_t count = step->particles->count;
  const uint32_t end = WEFT__LANES * groups.end;
  step->kernels->solve_bounds(step->particles, step->bounds, step->motion,
                              WEFT__LANES * groups.begin, end < count ? end : count,
                              step->substep == 0);
}

void weft__apply_bounds(weft__step_context* step) {
  weft__step_for_range(step, weft__step_blocks(step, WEFT__LANES), BOUNDS_GRAIN, solve_groups,
                       step);
}
