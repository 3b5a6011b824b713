#include "step/bounds.h"

#include "base/memory.h"

// First particle of a worker, rounded up to a whole lane group: particles are independent in this
// stage, and whole groups need no remainder loop.
static uint32_t first_particle(const weft__stepper* stepper, uint32_t worker) {
  const uint32_t particle = stepper->schedule.patch_first[stepper->wavefront.first_patch[worker]];
  const size_t rounded = weft__round_up(particle, WEFT__LANES);
  const uint32_t count = stepper->particles.count;
  return rounded < count ? (uint32_t)rounded : count;
}

void weft__apply_bounds(const weft__stepper* stepper, const weft__stage* stage) {
  stepper->kernels->solve_bounds(&stepper->particles, &stepper->bounds, &stepper->motion,
                                 first_particle(stepper, stage->worker),
                                 first_particle(stepper, stage->worker + 1), stage->substep == 0);
}
