#ifndef WEFT_SCHEDULE_MESH_BENDS_H
#define WEFT_SCHEDULE_MESH_BENDS_H

#include <stdbool.h>

#include "scene/scene.h"
#include "tables/schedule.h"

/* Fills schedule->mesh_bends, whose order is known, and marks its hinges: see
 * weft__bend_elements_find(). is_taken: all false [hinges->count] */
bool weft__mesh_bends_create(weft__schedule* schedule, const weft_scene* scene, bool* is_taken);

#endif
