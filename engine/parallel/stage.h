/* Context of every stage of a step: the tables it works on, and the workers that share it.
 *
 * All workers call a stage together, after a barrier; a barrier inside a stage is reached by all of
 * them. A stage with too little work for several workers is run by one alone, on a context whose
 * barriers return at once: see weft__stage_alone(). */
#ifndef WEFT_PARALLEL_STAGE_H
#define WEFT_PARALLEL_STAGE_H

#include "parallel/worker_pool.h"
#include "tables/bounds.h"
#include "tables/particles.h"
#include "tables/physics.h"
#include "tables/schedule.h"

struct weft__colliders;
struct weft__contact_log;
struct weft__kernels;
struct weft__materials;

typedef struct weft__stage {
  weft__worker_pool* pool; /* NULL = a worker alone */
  uint32_t worker;
  uint32_t worker_count;
  uint32_t substep; /* index in the step */
  uint32_t substeps;
  float h; /* seconds of a substep */
  const weft__particles* particles;
  const weft__schedule* schedule;
  const weft__bounds* bounds;
  const weft__physics* physics;
  const weft__motion* motion;
  const struct weft__kernels* kernels;
  const struct weft__materials* materials;
  const struct weft__colliders* colliders;
  struct weft__contact_log* log;
} weft__stage;

/* The same stage for one worker alone. */
static inline weft__stage weft__stage_alone(const weft__stage* stage) {
  weft__stage alone = *stage;
  alone.pool = NULL;
  alone.worker = 0;
  alone.worker_count = 1;
  return alone;
}

/* Range of `count` items that this worker processes. */
static inline weft__range weft__stage_share(const weft__stage* stage, uint32_t count) {
  return weft__share(count, stage->worker, stage->worker_count);
}

/* Patches of this worker in stages without dependencies between patches, and their particles. */
static inline weft__range weft__stage_patches(const weft__stage* stage) {
  return weft__stage_share(stage, stage->schedule->patch_count);
}

static inline weft__range weft__stage_patch_particles(const weft__stage* stage) {
  const weft__range patches = weft__stage_patches(stage);
  const uint32_t* first = stage->schedule->patch_first;
  return (weft__range){first[patches.begin], first[patches.end]};
}

/* Barrier inside a stage: returns after all workers have called it. */
#define weft__stage_barrier(stage) \
  (void)weft__worker_pool_wait((stage)->pool, NULL, NULL, WEFT__CALL_SITE)

/* Collective decision: a barrier whose last worker runs completion(context); returns its result to
 * all workers. See parallel/barrier.h. */
#define weft__stage_decide(stage, completion, context) \
  weft__worker_pool_wait((stage)->pool, completion, context, WEFT__CALL_SITE)

#endif
