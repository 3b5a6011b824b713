/* Construction of the direct solver of bending: see tables/mesh_bends.h. */
#ifndef WEFT_SCHEDULE_MESH_BENDS_H
#define WEFT_SCHEDULE_MESH_BENDS_H

#include <stdbool.h>

#include "scene/scene.h"
#include "tables/schedule.h"

/* Fills schedule->mesh_bends, whose order is known, and marks its hinges. It takes meshes of at
 * most scene->direct_bends vertices, whose edges have two triangles at most and neither break nor
 * crease, and sheets of at most scene->direct_sheets particles that do not tear. `is_taken`: all
 * false [hinges->count]. False if out of memory. */
bool weft__mesh_bends_create(weft__schedule* schedule, const weft_scene* scene, bool* is_taken);

#endif
