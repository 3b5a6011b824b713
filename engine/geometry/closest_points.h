/* Closest points in double precision. Triangles without area and segments without length count as
 * the lower-dimensional feature that they collapse to. */
#ifndef WEFT_GEOMETRY_CLOSEST_POINTS_H
#define WEFT_GEOMETRY_CLOSEST_POINTS_H

#include <stdbool.h>

#include "base/vec3.h"

/* Fraction from a to b, 0 to 1; 0 if the segment has no length. */
double weft__nearest_on_segment(weft__vec3 point, weft__vec3 a, weft__vec3 b);

/* Fractions 0 to 1 along segments a and b. Returns the squared distance. */
double weft__closest_on_segments(const weft__vec3 a[2], const weft__vec3 b[2], double along[2]);

/* Barycentric coordinates, >= 0 and adding up to 1. Returns the squared distance. */
double weft__closest_on_triangle(weft__vec3 point, const weft__vec3 corner[3], double share[3]);

static inline weft__vec3 weft__blend(const weft__vec3 corner[3], const double share[3]) {
  return weft__plus(
      weft__plus(weft__scaled(share[0], corner[0]), weft__scaled(share[1], corner[1])),
      weft__scaled(share[2], corner[2]));
}

typedef struct weft__triangle {
  weft__vec3 a, b, c;
} weft__triangle;

/* Length: twice the triangle's area. */
static inline weft__vec3 weft__triangle_normal(const weft__triangle* triangle) {
  return weft__cross(weft__minus(triangle->b, triangle->a), weft__minus(triangle->c, triangle->a));
}

typedef struct weft__triangle_point {
  double distance; /* metres */
  weft__vec3 point;
  double shares[3]; /* barycentric coordinates of a, b and c */
  bool inside;      /* the query point projects onto the face */
} weft__triangle_point;

/* Nearest point robust on thin and degenerate triangles: areas decide on which side of an edge the
 * point is, and a foot within the face is computed along the normal. Rounds otherwise than
 * weft__closest_on_triangle(). */
weft__triangle_point weft__nearest_on_triangle(weft__vec3 point, const weft__triangle* triangle);

#endif
