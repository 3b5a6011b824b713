/* Queries on points, segments, triangles and spheres: nearest points, sphere casts, overlap with
 * boxes. In double precision, with no libm function but sqrt. Watertight: no cast passes between
 * two triangles that share an edge or a corner. */
#ifndef WEFT_GEOMETRY_TRIANGLE_H
#define WEFT_GEOMETRY_TRIANGLE_H

#include <stdbool.h>

#include "base/vec3.h"

typedef struct weft__triangle {
  weft__vec3 a, b, c;
} weft__triangle;

/* Fraction from a to b, 0 to 1, of the point of a segment nearest to `point`; 0 if it has no
 * length. */
double weft__nearest_on_segment(weft__vec3 point, weft__vec3 a, weft__vec3 b);

/* (b - a) x (c - a): its length is twice the triangle's area. */
weft__vec3 weft__triangle_normal(const weft__triangle* triangle);

/* True if the triangle is degenerate to within a few digits of double precision. Three collinear
 * points rounded to single precision are thicker by far. */
bool weft__triangle_is_degenerate(const weft__triangle* triangle);

/* Point of a triangle nearest to a query point. */
typedef struct weft__triangle_point {
  double distance; /* metres */
  weft__vec3 point;
  double shares[3]; /* barycentric coordinates of a, b and c */
  bool inside;      /* interior of the face: the query point projects onto it */
} weft__triangle_point;

/* Handles thin and degenerate triangles. */
weft__triangle_point weft__nearest_on_triangle(weft__vec3 point, const weft__triangle* triangle);

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
