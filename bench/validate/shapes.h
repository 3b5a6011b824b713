/* Triangle meshes of the tests, and their measurement. */
#ifndef BENCH_VALIDATE_SHAPES_H
#define BENCH_VALIDATE_SHAPES_H

#include "validate/validate.h"

typedef enum shape_kind {
  SHAPE_SHEET,     /* weft_scene_add_sheet(): strips along its columns */
  SHAPE_RIGHT,     /* cells cut along one diagonal */
  SHAPE_CROSS,     /* the same triangles, turned by 45 degrees */
  SHAPE_IRREGULAR, /* cells cut at random, inner vertices moved by a quarter of a cell */
  SHAPE_ROWS,      /* weft_scene_add_sheet(): strips along its rows; not for shape_make_strip() */
} shape_kind;

const char* shape_name(shape_kind kind);

typedef struct shape_mesh {
  float* positions; /* metres, [vertex_count][3] */
  uint32_t* triangles;
  uint32_t vertex_count, triangle_count;
} shape_mesh;

/* Rectangle of columns x rows cells in the plane y = 0, from the origin along x and z. Vertex
 * (column, row) is row * (columns + 1) + column; the centres of SHAPE_CROSS follow. The first two
 * rows and the border of an irregular mesh stay in place. */
bool shape_make_strip(validate_run* run, shape_kind kind, uint32_t columns, uint32_t rows,
                      double spacing, shape_mesh* mesh);

/* Annulus in the plane y = 0 around the origin: `rings` rings, `spacing` apart, the inner one
 * first. */
bool shape_make_annulus(validate_run* run, double inner, uint32_t rings, double spacing,
                        shape_mesh* mesh);

void shape_free(shape_mesh* mesh);

/* Adds the mesh to the scene; `warp_angle` is in radians from x, NaN = no warp. */
void shape_add(validate_run* run, const shape_mesh* mesh, const weft_material_def* material,
               double warp_angle);

/* Area of the projection of triangles along y and of a disc around the origin, square metres, by
 * pixels of half a millimetre. */
double shape_projected_area(validate_run* run, const shape_mesh* mesh, const float* positions,
                            double disc_radius);

/* Stretch along x and z, and shear, against the mesh at rest: the right stretch tensor of the best
 * affine fit, less 1. */
typedef struct shape_strain {
  double along, across, shear; /* shear: the change of a right angle, radians */
} shape_strain;
shape_strain shape_fit_strain(const shape_mesh* mesh, const float* positions);

#endif
