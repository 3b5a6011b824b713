/* Closest points of points, segments and triangles, in double precision. Degenerate input
 * (triangles without area, segments without length) is treated as the lower-dimensional feature it
 * collapses to. */
#ifndef WEFT_GEOMETRY_CLOSEST_POINTS_H
#define WEFT_GEOMETRY_CLOSEST_POINTS_H

#include <stdbool.h>

#include "base/vec3.h"

/* Fraction from a to b, 0 to 1, of the point of a segment nearest to `point`; 0 if it has no
 * length. */
double weft__nearest_on_segment(weft__vec3 point, weft__vec3 a, weft__vec3 b);

/* Fractions, 0 to 1, of the nearest points along segments a and b. Returns the squared distance. */
double weft__closest_on_segments(const weft__vec3 a[2], const weft__vec3 b[2], double along[2]);

/* Barycentric coordinates, >= 0 and adding up to 1, of the point of a triangle nearest to `point`.
 * Returns the squared distance. */
double weft__closest_on_triangle(weft__vec3 point, const weft__vec3 corner[3], double share[3]);

/* Mean of three vectors by barycentric coordinates. */
static inline weft__vec3 weft__blend(const weft__vec3 corner[3], const double share[3]) {
  return weft__plus(
      weft__plus(weft__scaled(share[0], corner[0]), weft__scaled(share[1], corner[1])),
      weft__scaled(share[2], corner[2]));
}

typedef struct weft__triangle {
  weft__vec3 a, b, c;
} weft__triangle;

/* (b - a) x (c - a): its length is twice the triangle's area. */
static inline weft__vec3 weft__triangle_normal(const weft__triangle* triangle) {
  return weft__cross(weft__minus(triangle->b, triangle->a), weft__minus(triangle->c, triangle->a));
}

/* Point of a triangle nearest to a query point. */
typedef struct weft__triangle_point {
  double distance; /* metres */
  weft__vec3 point;
  double shares[3]; /* barycentric coordinates of a, b and c */
  bool inside;      /* interior of the face: the query point projects onto it */
} weft__triangle_point;

/* For surfaces of triangles, thin and degenerate ones included: areas decide on which side of an
 * edge the point is, and a foot within the face is computed along the normal. Rounds otherwise than
 * weft__closest_on_triangle(). */
weft__triangle_point weft__nearest_on_triangle(weft__vec3 point, const weft__triangle* triangle);

#endif
