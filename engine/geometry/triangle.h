/* Sphere casts at triangles, and their overlap with boxes, in double precision, with no libm
 * function but sqrt. Watertight: no cast passes between two triangles that share an edge or a
 * corner. */
#ifndef WEFT_GEOMETRY_TRIANGLE_H
#define WEFT_GEOMETRY_TRIANGLE_H

#include "geometry/closest_points.h"

/* True if the triangle is degenerate to within a few digits of double precision. Three collinear
 * points rounded to single precision are thicker by far. */
bool weft__triangle_is_degenerate(const weft__triangle* triangle);

/* First hit of a sphere cast at a triangle. */
typedef struct weft__triangle_hit {
  double fraction; /* fraction of the displacement */
  weft__vec3 point;
  weft__vec3 normal; /* unit, towards the sphere's centre at the hit */
} weft__triangle_hit;

/* Sphere cast, two-sided: the centre is at from + fraction * displacement, fractions from 0 to
 * `limit`, which may be infinite; radius >= 0 in metres. Initial overlap gives fraction 0. Passing
 * an edge by no more than rounding counts as a hit. False if there is none. */
bool weft__sphere_cast_triangle(weft__vec3 from, weft__vec3 displacement, double radius,
                                double limit, const weft__triangle* triangle,
                                weft__triangle_hit* hit);

/* Convex polyhedron for overlap tests with oriented boxes (separating axis test). Axes besides the
 * box's face normals: `normals`, and the cross products of `edges` with the edges of the box. */
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
