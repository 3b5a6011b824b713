/* The faces of a scene: triangles, in the order of its parts. A mesh has those that it was given, in their
 * order; a sheet has two for each cell, row by row,
 *
 *     o---o     the diagonal goes from the next column to the next row; all turn the same way round,
 *     | / |     so that their normals point along down x across: with default directions to +z
 *     o---o
 *
 * and what has one row or one column has none. */
#ifndef WEFT_SCENE_FACES_H
#define WEFT_SCENE_FACES_H

#include "scene/scene.h"

/* How many faces parts [first, end) have: less than 2^30 in all. */
uint32_t weft__scene_face_count(const weft_scene* scene, size_t first, size_t end);

/* Fills corner with the faces of parts [first, end), in the scene's numbers. */
void weft__scene_list_faces(const weft_scene* scene, size_t first, size_t end,
                            uint32_t (*corner)[3]);

#endif
