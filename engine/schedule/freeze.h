#ifndef WEFT_SCHEDULE_FREEZE_H
#define WEFT_SCHEDULE_FREEZE_H

#include <stdbool.h>

#include "scene/scene.h"
#include "tables/schedule.h"

/* Solvers beside the sweeps. */
typedef struct weft__hinge_claim {
  void* context;
  /* Marks their hinges, once particles and patches are set. is_solved: false [scene's hinges] */
  bool (*take)(void* context, weft__schedule* schedule, const weft_scene* scene, bool* is_solved);
} weft__hinge_claim;

/* Frozen schedule: order, patches, batches and groups, patch colours. Depends only on the scene and
 * the claim; NULL: all hinges are swept. */
bool weft__freeze(weft__schedule* schedule, const weft_scene* scene,
                  const weft__hinge_claim* claim);

#endif
