#ifndef WEFT_SCENE_MESH_HINGES_H
#define WEFT_SCENE_MESH_HINGES_H

#include <stdbool.h>
#include <stdint.h>

#include "tables/hinges.h"
#include "weft/weft.h"

/* Hinge of edge corners[0] corners[1] and third corners [2], [3]; the def has a material. angle: at
 * rest, radians, negative: of the positions. False if a triangle is too thin. */
bool weft__mesh_hinge(const weft_mesh_def* def, const uint32_t corners[4], float angle,
                      weft__hinge* hinge);

#endif
