#include "step/bounds.h"

#include "base/grain_size.h"
#include "kernels/kernels.h"

// lane groups in a piece of work: some microseconds
#define BOUNDS_GRAIN WEFT__GRAIN(64u, 1u)

// Particles are independent in this stage; whole lane groups need no remainder loop.
static void solve_groups(void* context, weft__range groups, uint32_t worker) {
  (void)worker;
  const weft__stage* stage = context;
  const uint32_t count = stage->particles->count;
  const uint32_t end = WEFT__LANES * groups.end;
  stage->kernels->solve_bounds(stage->particles, stage->bounds, stage->motion,
                               WEFT__LANES * groups.begin, end < count ? end : count,
                               stage->substep == 0);
}

void weft__apply_bounds(const weft__stage* stage) {
  const uint32_t groups = (stage->particles->count + WEFT__LANES - 1) / WEFT__LANES;
  weft__stage_for(stage, groups, BOUNDS_GRAIN, solve_groups, (void*)stage);
}
