/* Triangle meshes to test on: flat ones, lattices among them, closed ones, and one that has no two
 * sides. */
#ifndef TESTS_SUPPORT_SHAPES_H
#define TESTS_SUPPORT_SHAPES_H

#include <stdint.h>

#include "support/random.h"

typedef struct mesh_shape {
  uint32_t vertex_count, face_count;
  float (*place)[3];   /* metres */
  uint32_t (*face)[3]; /* vertices */
} mesh_shape;

/* columns x rows vertices in the plane y = 0; each square is cut along a diagonal by chance. */
mesh_shape new_lattice(random_source* random, uint32_t columns, uint32_t rows, float spacing);

/* A lattice of side x side whose vertices are moved about in the plane, with a hole, and a bay at
 * its rim. */
mesh_shape new_holed_cloth(random_source* random, uint32_t side, float spacing);

/* A sphere of 20 x 4^levels faces. */
mesh_shape new_icosphere(uint32_t levels, float radius);

/* A strip of rows vertices across that is turned over once on its way round. */
mesh_shape new_moebius_strip(uint32_t columns, uint32_t rows, float spacing);

/* Adds another shape, moved, that shares nothing with it. */
void add_shape(mesh_shape* to, const mesh_shape* from, const float by[3]);

/* Turns it about its origin, any way. */
void turn_shape(mesh_shape* shape, random_source* random);

void free_shape(mesh_shape* shape);

#endif
