/* The flow: one step over all patches without a wait for everybody.
 *
 * A patch goes through the phases of a step - integrate, then sweep after sweep - and may enter the
 * next one as soon as its neighbours, the patches that share a particle with it, are far enough:
 *
 *     to integrate          all neighbours have ended the step before
 *     to make sweep k       neighbours of lower colour have made sweep k,
 *                           those of higher colour sweep k - 1 (sweep 0 is to have integrated)
 *
 * That is the order in which a sweep colour by colour meets every particle, so it gives the same
 * bits, whoever runs what and when. But a worker need not go through all of the cloth once a sweep:
 * it goes through its patches once a step, and takes each as far as it gets while the patches just
 * left behind follow at its heels.
 *
 *     sweep 3   # # .               # done, . not yet; the front moves to the right, and what is
 *     sweep 2   # # # # .           being worked on, some two patches a sweep, stays in the cache
 *     sweep 1   # # # # # # .
 *     integrate # # # # # # # # .
 *     patch     0 1 2 3 4 5 6 7 8
 *
 * Workers own ranges of patches and go through them in turn upwards and downwards, so that two meet
 * at their common border at one time. (Wavefront or temporal blocking; Wellein et al. 2009,
 * "Efficient temporal blocking for stencil computations by multicore-aware wavefront
 * parallelization") */
#ifndef WEFT_PARALLEL_WAVEFRONT_H
#define WEFT_PARALLEL_WAVEFRONT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "tables/schedule.h"

typedef struct weft__wavefront {
  atomic_uint* done;     /* phases that a patch has ended, wrapping round [patch_count] */
  uint32_t* first_patch; /* of each worker, and the end [worker_count + 1] */
  uint32_t begun;        /* phases that all patches had ended when this step began */
  size_t bytes;
} weft__wavefront;

/* Runs phase `phase` of a patch: 0 integrates, from 1 on come the sweeps. */
typedef void weft__run_phase(void* context, uint32_t patch, uint32_t phase, uint32_t worker);

/* Shares the patches out among workers. False when memory cannot be had. */
bool weft__wavefront_create(weft__wavefront* wavefront, const weft__schedule* schedule,
                            uint32_t worker_count);
void weft__wavefront_destroy(weft__wavefront* wavefront);

/* Called by all workers: takes the worker's own patches through phases 0 to phase_count - 1. All
 * have to meet, and one to call weft__wavefront_end_step(), before the next call. */
void weft__wavefront_run(weft__wavefront* wavefront, const weft__schedule* schedule,
                         uint32_t phase_count, uint32_t worker, weft__run_phase* run_phase,
                         void* context);

void weft__wavefront_end_step(weft__wavefront* wavefront, uint32_t phase_count);

#endif
