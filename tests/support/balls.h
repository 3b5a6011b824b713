/* Closed meshes. */
#ifndef TESTS_SUPPORT_BALLS_H
#define TESTS_SUPPORT_BALLS_H

#include "weft/weft.h"

/* Vertices and outward faces of a sphere around a centre: an octahedron whose edges are cut into
 * `cuts` parts. */
typedef struct ball {
  uint32_t vertex_count, triangle_count;
  float* positions;
  uint32_t* triangles;
} ball;

ball new_ball(uint32_t cuts, float radius, const float center[3]);
weft_mesh_def mesh_of_ball(const ball* b);

weft_body add_ball(weft_scene* scene, uint32_t cuts, float radius, const float center[3]);

/* Volume enclosed by the faces: sum of the prisms between each face and the plane z = 0. */
double volume_of_faces(const float* positions, const uint32_t* triangles, uint32_t triangle_count);

#endif
