/* The meshes that can be made. Vertices are numbered as a mesher would number them, edges first and
 * the rest as scattered: nothing is sorted for the engine's benefit. */
#ifndef WEFT_TOOLS_MESH_SHAPES_H
#define WEFT_TOOLS_MESH_SHAPES_H

#include "mesh.h"
#include "random.h"

typedef struct shape_result {
  mesh cloth;
  bool made;               /* false: the reason stands on stderr */
  uint32_t expected_loops; /* the open boundaries that it must have */
} shape_result;

/* A disc of radius 1 m around the origin, facing +z, y up, with a dome of 2 mm, so that it is not
 * perfectly flat. */
shape_result shape_disc(uint32_t vertex_count, random_source* source);

/* A T-shirt of adult size: a front and a back panel sewn together along shoulders, sleeves and
 * sides, open at neck, hem and cuffs. y up, the front faces +z. */
shape_result shape_garment(uint32_t vertex_count, random_source* source);

/* The distance between scattered points that gives about `point_count` points on `area` square
 * metres bordered by `border` metres of cut edge. */
double shape_spacing(double area, double border, uint32_t point_count);

/* The distance between points along a cut edge: about that of neighbours in the scattered part. */
#define SHAPE_EDGE_STEP 1.3 /* times the spacing */

#endif
