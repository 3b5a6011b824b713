#ifndef WEFT_SCENE_MESH_MEMBRANES_H
#define WEFT_SCENE_MESH_MEMBRANES_H

#include "base/result.h"
#include "base/vec3.h"
#include "tables/membranes.h"
#include "weft/weft.h"

/* The mesh resists strain by its triangles and not by its edges. */
static inline bool weft__mesh_has_membranes(const weft_mesh_def* def) {
  return def->material != NULL && def->material->membrane;
}

/* Unit vectors along warp and weft in the triangle's plane; false if they or it are degenerate. */
bool weft__mesh_frame(const weft_mesh_def* def, uint32_t triangle, weft__vec3 frame[2]);

/* Each triangle has a shape and a frame. */
weft_result weft__check_mesh_membranes(const weft_mesh_def* def);

/* Checked triangle; particles are vertex numbers. */
weft__membrane weft__mesh_membrane(const weft_mesh_def* def, uint32_t triangle);

#endif
