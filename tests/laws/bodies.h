/* Builders of bodies that are meshes: see bodies.c. */
#ifndef TESTS_LAWS_BODIES_H
#define TESTS_LAWS_BODIES_H

#include "weft/weft.h"

/* Cone of `size` triangles around a tip. */
void build_cone(weft_scene* scene, uint32_t size);
/* Closed sphere of `size` meridians with two poles. */
void build_poles(weft_scene* scene, uint32_t size);
/* A build_poles() with the first meridian twice, as along a seam of texture coordinates. */
void build_seam(weft_scene* scene, uint32_t size);
/* Two tips joined by a ring of `size`. */
void build_bipyramid(weft_scene* scene, uint32_t size);
/* Square of `size` x `size` vertices, 0.6 m wide. */
void build_grid(weft_scene* scene, uint32_t size);
/* A build_grid() with displaced vertices and random diagonals. */
void build_irregular(weft_scene* scene, uint32_t size);
/* A build_grid() held by its upper border. */
void build_border(weft_scene* scene, uint32_t size);
void build_membrane(weft_scene* scene, uint32_t size);
void build_plates(weft_scene* scene, uint32_t size);
/* Two rows of vertices whose triangles all meet in two corners. */
void build_fans(weft_scene* scene, uint32_t size);
/* Cells beside cells of half the width, triangles without area between them. */
void build_slivers(weft_scene* scene, uint32_t size);

#endif
