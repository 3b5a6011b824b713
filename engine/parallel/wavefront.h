/* Wavefront: a run over all patches without global barriers.
 *
 * A patch goes through the phases of the run: phase 0 begins, as a rule by integration, and phase
 * k is sweep k. It may enter the next phase as soon as its neighbours, the patches that share a
 * particle with it, are far enough:
 *
 *     phase 0               at once: the run before has ended
 *     sweep k               neighbours of lower colour have done sweep k,
 *                           those of higher colour phase k - 1
 *
 * Every particle sees the sweeps in the same order as in a sweep colour by colour, so the bits are
 * the same for any number of workers and any timing. But a worker does not pass over all of its
 * cloth once a sweep: it passes over its patches once a run, and advances each as far as possible
 * while the patches just behind follow.
 *
 *     sweep 3   # # .               # done, . not yet; the front moves to the right, and its
 *     sweep 2   # # # # .           working set, about two patches a sweep, stays in the cache
 *     sweep 1   # # # # # # .
 *     integrate # # # # # # # # .
 *     patch     0 1 2 3 4 5 6 7 8
 *
 * Each worker has a share of the patches; shares are passed over alternately upwards and downwards,
 * so that two workers reach their common border at the same time. A worker claims a patch before it
 * advances it, and claims patches of other shares when none of its own is ready: a worker that has
 * lost its core holds up one patch, not its share. (Wavefront or temporal blocking; Wellein et
 * al. 2009, "Efficient temporal blocking for stencil computations by multicore-aware wavefront
 * parallelization") */
#ifndef WEFT_PARALLEL_WAVEFRONT_H
#define WEFT_PARALLEL_WAVEFRONT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "parallel/worker_pool.h"
#include "tables/schedule.h"

typedef struct weft__wavefront {
  /* by patch: bits 9 to 31 are the phases completed, modulo 2^23; bits 0 to 8 the worker that holds
   * it + 1, 0 = none [patch_count] */
  atomic_uint* state;
  uint32_t* first_patch; /* first patch of each worker's share, and the end [worker_count + 1] */
  uint32_t begun; /* phases that all patches had completed when this run began, modulo 2^23 */
  uint32_t level; /* for spans: 0, or that of coarse patches */
  atomic_uint unfinished; /* patches that have not completed this run */
  size_t bytes;
} weft__wavefront;

/* Runs one phase of a patch: see step/sweep.c. */
typedef void weft__run_phase(void* context, uint32_t patch, uint32_t phase, uint32_t worker);

/* Partitions the patches among workers by cost. False if out of memory. */
bool weft__wavefront_create(weft__wavefront* wavefront, const weft__schedule* schedule,
                            uint32_t worker_count);
void weft__wavefront_destroy(weft__wavefront* wavefront);

/* Takes all patches through phases 0 to phase_count - 1. `name`: a static string, for spans. */
void weft__wavefront_run(weft__wavefront* wavefront, const weft__schedule* schedule,
                         weft__worker_pool* pool, uint32_t phase_count, weft__run_phase* run_phase,
                         const char* name, void* context);

#endif
