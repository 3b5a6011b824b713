/* Context that a step passes to its stages: the tables they work on, and the workers that help.
 *
 * The caller runs stages one after another, and shares out their loops by weft__step_for(). */
#ifndef WEFT_PARALLEL_STEP_CONTEXT_H
#define WEFT_PARALLEL_STEP_CONTEXT_H

#include "parallel/worker_pool.h"
#include "tables/bounds.h"
#include "tables/particles.h"
#include "tables/physics.h"
#include "tables/schedule.h"

struct weft__colliders;
struct weft__contact_log;
struct weft__kernels;
struct weft__materials;

typedef struct weft__step_context {
  weft__worker_pool* pool;
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
} weft__step_context;

/* Calls task(context, items, worker) for [0, count): see weft__worker_pool_for(). */
static inline void weft__step_for(const weft__step_context* step, uint32_t count, uint32_t grain,
                                  weft__range_task* task, void* context) {
  weft__worker_pool_for(step->pool, count, grain, task, context);
}

/* The same over all patches, for stages without dependencies between them. */
static inline void weft__step_for_patches(const weft__step_context* step, weft__range_task* task,
                                          void* context) {
  weft__worker_pool_for(step->pool, step->schedule->patch_count, 1, task, context);
}

/* Particles of patches. */
static inline weft__range weft__step_particles(const weft__step_context* step,
                                               weft__range patches) {
  const uint32_t* first = step->schedule->patch_first;
  return (weft__range){first[patches.begin], first[patches.end]};
}

#endif
