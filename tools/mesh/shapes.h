/* Meshes that can be made. Vertices are numbered as by a mesher, edges first and the rest as
 * scattered, not sorted for the engine. */
#ifndef WEFT_TOOLS_MESH_SHAPES_H
#define WEFT_TOOLS_MESH_SHAPES_H

#include "mesh.h"
#include "random.h"

typedef struct shape_result {
  mesh cloth;
  bool made;               /* false: the reason is on stderr */
  uint32_t expected_loops; /* open boundaries */
} shape_result;

/* A disc of radius 1 m around the origin, facing +z, y up, with a dome of 2 mm against perfect
 * flatness. */
shape_result shape_disc(uint32_t vertex_count, random_source* source);

/* A T-shirt of adult size: front and back panel sewn along shoulders, sleeves and sides, open at
 * neck, hem and cuffs. y up, the front faces +z. */
shape_result shape_garment(uint32_t vertex_count, random_source* source);

/* Distance between scattered points for about `point_count` points on `area` square metres bordered
 * by `border` metres of cut edge. */
double shape_spacing(double area, double border, uint32_t point_count);

/* Step along a cut edge: about the distance of neighbours in the scattered part. */
#define SHAPE_EDGE_STEP 1.3 /* times the spacing */

#endif
