#ifndef WEFT_COLLISION_SETUP_H
#define WEFT_COLLISION_SETUP_H

#include "collision/event_log.h"
#include "collision/materials.h"
#include "kernels/kernels.h"
#include "parallel/step_context.h"
#include "tables/faces.h"

/* Input for preparing a stage, whenever contacts or limits are set.
 *
 * A caller may set a million particles one by one: with enough capacity a stage is prepared in
 * constant time from the counts in weft__materials, and classifies particles in the next step. A
 * stage never gives memory back: it can be prepared for its former state again without fail if
 * another stage could not allocate. */
typedef struct weft__contact_setup {
  const weft__particles* particles;
  const weft__schedule* schedule;
  const weft__faces* faces; /* count 0: none */
  const weft__materials* materials;
  const struct weft__colliders* colliders;
  weft_contact_limits_def limits;
  uint32_t worker_count;
} weft__contact_setup;

#endif
