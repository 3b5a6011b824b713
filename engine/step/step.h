/* The step: its stages in order, run by all workers together.
 *
 *   integrate   predict positions: velocity, gravity, damping
 *   solve       `iterations` sweeps; a sweep goes through the patch colours, and the workers share
 *               out the patches of one colour and meet before the next
 *
 * Every worker gets the same patches in every sweep, so that their particles stay in its cache. */
#ifndef WEFT_STEP_STEP_H
#define WEFT_STEP_STEP_H

#include "kernels/kernels.h"
#include "tables/particles.h"
#include "tables/schedule.h"
#include "workers/worker_pool.h"

/* All that a step reads and writes. */
typedef struct weft__stepper {
  weft__particles particles;
  weft__schedule schedule;
  weft__motion motion;
  uint32_t iterations;
  const weft__kernels* kernels;
  weft__worker_pool* pool;
} weft__stepper;

/* Takes `count` steps. Neither fails nor allocates. */
void weft__stepper_run(weft__stepper* stepper, uint32_t count);

/* What a step of `step_ns` does to a particle. Damping is taken implicitly, so that no rate can
 * reverse a velocity. */
weft__motion weft__motion_of(const float gravity[3], float damping, int64_t step_ns);

#endif
