#ifndef WEFT_SCHEDULE_FREEZE_H
#define WEFT_SCHEDULE_FREEZE_H

#include <stdbool.h>

#include "scene/scene.h"
#include "tables/schedule.h"

/* Frozen schedule: order, patches, batches and groups, patch colours. Depends only on the scene. */
bool weft__freeze(weft__schedule* schedule, const weft_scene* scene);

#endif
