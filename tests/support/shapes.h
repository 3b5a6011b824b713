/* Triangle meshes for tests: flat ones, lattices among them, closed ones, and a non-orientable one.
 */
#ifndef TESTS_SUPPORT_SHAPES_H
#define TESTS_SUPPORT_SHAPES_H

#include <stdint.h>

#include "support/random.h"

typedef struct mesh_shape {
  uint32_t vertex_count, face_count;
  float (*place)[3];   /* metres */
  uint32_t (*face)[3]; /* vertex indices */
} mesh_shape;

/* Room for so many vertices and faces; none yet. */
mesh_shape new_shape(uint32_t most_vertices, uint32_t most_faces);

/* columns x rows vertices in the plane y = 0; each square is cut along a diagonal by chance. */
mesh_shape new_lattice(random_source* random, uint32_t columns, uint32_t rows, float spacing);

/* A lattice of side x side whose vertices are jittered in the plane, with a hole, and a bay at its
 * rim. */
mesh_shape new_holed_cloth(random_source* random, uint32_t side, float spacing);

/* A sphere of 20 x 4^levels faces. */
mesh_shape new_icosphere(uint32_t levels, float radius);

/* A Moebius strip: `rows` vertices across, half a twist on its way round. */
mesh_shape new_moebius_strip(uint32_t columns, uint32_t rows, float spacing);

/* Appends another shape, translated, without shared vertices. */
void add_shape(mesh_shape* to, const mesh_shape* from, const float by[3]);

/* Random rotation about its origin. */
void turn_shape(mesh_shape* shape, random_source* random);

#endif
