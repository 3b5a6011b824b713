/* What every stage of contacts is given. All workers call a stage together, and have met before; where it lets
 * them meet in between, all of them do. */
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

/* What a room of contacts is made ready from, outside of steps, whenever contacts or limits are set.
 *
 * A caller may set a million particles one by one: where there is room already, a room is made ready in a
 * moment, by the counts of weft__materials, and sorts particles by kind in the next step, as it finds another
 * version there. And a room keeps the memory that it has, whatever it is made ready for next: so what it was ready
 * for before it can be made ready for again without fail, where another room found no memory. */
typedef struct weft__contact_setup {
  const weft__particles* particles;
  const weft__schedule* schedule;
  const weft__faces* faces; /* with a count of 0 where the world keeps none */
  const weft__materials* materials;
  weft_contact_limits limits;
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
  float h;          /* seconds of a substep */
  uint32_t substep; /* of the step */
  uint32_t substeps;
  uint32_t worker;
  uint32_t worker_count;
} weft__contact_stage;

#endif
