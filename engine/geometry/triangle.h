/* Sphere casts at triangles, and their overlap with boxes, in double precision, with no libm
 * function but sqrt. Watertight at shared edges and corners. */
#ifndef WEFT_GEOMETRY_TRIANGLE_H
#define WEFT_GEOMETRY_TRIANGLE_H

#include "geometry/closest_points.h"

/* Degenerate to a few digits of double precision; collinear points rounded to float are thicker. */
bool weft__triangle_is_degenerate(const weft__triangle* triangle);

typedef struct weft__triangle_hit {
  double fraction; /* displacement's */
  weft__vec3 point;
  weft__vec3 normal; /* unit, towards the sphere's centre at the hit */
} weft__triangle_hit;

/* Two-sided: the centre is at from + fraction * displacement, fractions from 0 to `limit`, which
 * may be infinite; radius >= 0 in metres. Initial overlap: fraction 0. An edge passed within
 * rounding counts as a hit. False if there is none. */
bool weft__sphere_cast_triangle(weft__vec3 from, weft__vec3 displacement, double radius,
                                double limit, const weft__triangle* triangle,
                                weft__triangle_hit* hit);

/* Separating axis test with oriented boxes, beside the box's face normals: `normals`, and the cross
 * products of `edges` with the box's edges. */
typedef struct weft__polyhedron {
  weft__vec3 corners[8];
  weft__vec3 normals[12];
  weft__vec3 edges[9];
  int corner_count, normal_count, edge_count;
} weft__polyhedron;

bool weft__polyhedron_meets_box(const weft__polyhedron* body, weft__vec3 center,
                                const weft__vec3 half_edges[3]);

/* Exact up to rounding; also for flat boxes and degenerate triangles. */
bool weft__triangle_meets_box(const weft__triangle* triangle, weft__vec3 center,
                              const weft__vec3 half_edges[3]);

#endif
