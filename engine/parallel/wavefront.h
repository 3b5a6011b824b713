/* Wavefront: a run over all patches without global barriers.
 *
 * A patch goes through the phases of the run: phase 0 begins, as a rule by integration, and phase
 * k is sweep k. It may enter the next phase as soon as its neighbours, the patches that share a
 * particle with it, are far enough:
 *
 *     phase 0               at once: the run before has ended
 *     forward sweep k       neighbours of lower colour have done sweep k,
 *                           neighbours of higher colour phase k - 1
 *     backward sweep k      the other way round
 *
 * Every particle sees the sweeps in the same order as in a sweep colour by colour, so the bits are
 * the same for any number of workers and any timing. A worker passes over its patches once a run,
 * not once a sweep, and advances each as far as possible while the patches just behind follow.
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
 * parallelization")
 *
 * With several processes, each runs its own patches. A ghost, a patch of another process that
 * shares a particle with an own one, keeps its place in the order: its phase takes over the
 * particles that its owner sent after that phase, once they have arrived and its neighbours are far
 * enough. Own patches see the same values as in one process. The others are absent. */
#ifndef WEFT_PARALLEL_WAVEFRONT_H
#define WEFT_PARALLEL_WAVEFRONT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "parallel/worker_pool.h"
#include "tables/schedule.h"

typedef enum weft__patch_role {
  WEFT__PATCH_ABSENT,
  WEFT__PATCH_OWN,
  WEFT__PATCH_BORDER, /* own, with a ghost among its neighbours */
  WEFT__PATCH_GHOST,
} weft__patch_role;

/* Patches of other processes. `number`: a phase counted over all runs, modulo 2^23. */
typedef struct weft__ghosts {
  const uint8_t* role;
  const uint32_t* patches; /* not absent, ascending [patch_count] */
  uint32_t patch_count;
  bool is_odd; /* odd number of shares: each is passed over the other way round */
  void* context;
  /* Any worker: a ghost's particles after this phase have arrived; take them over. */
  bool (*has_arrived)(void* context, uint32_t patch, uint32_t phase, uint32_t number);
  void (*apply)(void* context, uint32_t patch, uint32_t phase, uint32_t number);
  /* Any worker: a border patch has done a phase, and keeps its particles until this returns. */
  void (*publish)(void* context, uint32_t patch, uint32_t phase, uint32_t number);
  /* Only the caller: sends published patches, and receives. `idle`: polls without work before. */
  void (*poll)(void* context, uint32_t idle);
} weft__ghosts;

typedef struct weft__wavefront {
  /* by patch: bits 9 to 31 count completed phases, modulo 2^23; bits 0 to 8: the holding worker +
   * 1, 0: none [patch_count] */
  atomic_uint* state;
  uint32_t* first_patch;  /* first patch of each worker's share, and the end [worker_count + 1] */
  uint32_t begun;         /* completed by all patches when this run began, modulo 2^23 */
  uint32_t level;         /* for spans: 0, or the coarse patches' level */
  atomic_uint unfinished; /* patches */
  const weft__ghosts* ghosts;
  size_t bytes;
} weft__wavefront;

#define WEFT__ALL_FORWARD UINT32_MAX

/* One phase of a patch: step/sweep.c. */
typedef void weft__run_phase(void* context, uint32_t patch, uint32_t phase, uint32_t worker);

/* In lane groups: links and hinges, and a little for particles. */
uint64_t weft__patch_cost(const weft__schedule* schedule, uint32_t patch);

bool weft__wavefront_create(weft__wavefront* wavefront, const weft__schedule* schedule,
                            uint32_t worker_count);
void weft__wavefront_destroy(weft__wavefront* wavefront);

/* Ranges of about equal cost: first patch of each, and the end [part_count + 1]. */
void weft__partition_patches(const weft__schedule* schedule, uint32_t part_count, uint32_t* first);

/* From here on only own patches and ghosts run. Kept: `ghosts`. */
void weft__wavefront_set_ghosts(weft__wavefront* wavefront, const weft__schedule* schedule,
                                uint32_t worker_count, const weft__ghosts* ghosts);

/* Phases 0 to phase_count - 1, backward from `first_backward` on. name: static, for spans. */
void weft__wavefront_run(weft__wavefront* wavefront, const weft__schedule* schedule,
                         weft__worker_pool* pool, uint32_t phase_count, uint32_t first_backward,
                         weft__run_phase* run_phase, const char* name, void* context);

#endif
