/* Builds the frozen schedule of a scene: order, patches, batches and groups, patch colours. */
#ifndef WEFT_SCHEDULE_FREEZE_H
#define WEFT_SCHEDULE_FREEZE_H

#include <stdbool.h>

#include "scene/scene.h"
#include "tables/schedule.h"

/* The result depends only on the scene. False if out of memory. */
bool weft__freeze(weft__schedule* schedule, const weft_scene* scene);

#endif
