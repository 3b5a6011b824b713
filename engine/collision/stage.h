/* Context of every collision stage. All workers call a stage together, after a barrier; a barrier
 * inside a stage is reached by all of them. */
#ifndef WEFT_COLLISION_STAGE_H
#define WEFT_COLLISION_STAGE_H

#include "collision/event_log.h"
#include "collision/materials.h"
#include "kernels/kernels.h"
#include "parallel/worker_pool.h"
#include "tables/bounds.h"
#include "tables/faces.h"
#include "tables/particles.h"
#include "tables/schedule.h"

/* Input for preparing a collision stage, outside of steps, whenever contacts or limits are set.
 *
 * A caller may set a million particles one by one: with enough capacity, a stage is prepared in
 * constant time from the counts in weft__materials, and classifies particles in the next step, when
 * it sees a new version. A stage never gives memory back, so it can be prepared for its former
 * state again without fail if another stage could not allocate. */
typedef struct weft__contact_setup {
  const weft__particles* particles;
  const weft__schedule* schedule;
  const weft__faces* faces; /* count 0 if the world has none */
  const weft__materials* materials;
  weft_contact_limits_def limits;
  uint32_t worker_count;
} weft__contact_setup;

struct weft__colliders;

typedef struct weft__contact_stage {
  const weft__particles* particles;
  const weft__schedule* schedule;
  const weft__materials* materials;
  const weft__kernels* kernels;
  const weft__motion* motion;
  const weft__bounds* bounds;
  const struct weft__colliders* colliders;
  weft__contact_log* log;
  weft__worker_pool* pool;
  float h;          /* seconds */
  uint32_t substep; /* index in the step */
  uint32_t substeps;
  uint32_t worker;
  uint32_t worker_count;
} weft__contact_stage;

#endif
