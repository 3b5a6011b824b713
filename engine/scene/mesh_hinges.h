#ifndef WEFT_SCENE_MESH_HINGES_H
#define WEFT_SCENE_MESH_HINGES_H

#include <stdbool.h>
#include <stdint.h>

#include "tables/hinges.h"
#include "weft/weft.h"

/* Hinge of edge corners[0] corners[1] and the triangles' third corners [2] and [3]; the def has a
 * material. angle: at rest, radians, negative: as in the positions. False if a triangle is too thin
 * to have a normal. */
bool weft__mesh_hinge(const weft_mesh_def* def, const uint32_t corners[4], float angle,
                      weft__hinge* hinge);

#endif
