/* Faces of a scene: triangles, in the order of its parts. A mesh has its own triangles in their
 * order; a sheet has two for each cell, row by row,
 *
 *     o---o     the diagonal goes from the next column to the next row; all have the same winding,
 *     | / |     with normals along down x across: +z for default directions
 *     o---o
 *
 * and none if it has a single row or column. */
#ifndef WEFT_SCENE_FACES_H
#define WEFT_SCENE_FACES_H

#include "scene/scene.h"

/* Parts [first, end): less than 2^30 in total. */
uint32_t weft__scene_face_count(const weft_scene* scene, size_t first, size_t end);

/* Parts [first, end), in scene numbers. */
void weft__scene_list_faces(const weft_scene* scene, size_t first, size_t end,
                            uint32_t (*corner)[3]);

#endif
