/* Points, segments, triangles and balls: what is nearest to what, and what meets what first. In double precision,
 * with no libm function but sqrt. Nothing here passes between two triangles that share an edge or a corner. */
#ifndef WEFT_GEOMETRY_TRIANGLE_H
#define WEFT_GEOMETRY_TRIANGLE_H

#include <stdbool.h>

#include "base/vec3.h"

typedef struct weft__triangle {
  weft__vec3 a, b, c;
} weft__triangle;

/* The share of the way from a to b, 0 to 1, at which a segment is nearest to a point. 0 where it has no length. */
double weft__nearest_on_segment(weft__vec3 point, weft__vec3 a, weft__vec3 b);

/* (b - a) x (c - a): of twice the triangle's area in length. */
weft__vec3 weft__triangle_normal(const weft__triangle* triangle);

/* Whether it is flatter than a few digits of double precision can tell. What single precision makes of three places on
 * a line is thicker by far. */
bool weft__has_no_area(const weft__triangle* triangle);

/* A triangle's place nearest to a point. */
typedef struct weft__triangle_point {
  double distance; /* metres */
  weft__vec3 point;
  double shares[3]; /* of a, b and c in it: 0 to 1, 1 in all */
  bool inside;      /* it is of the face, and straight below or above: of no edge */
} weft__triangle_point;

/* Thin triangles, and those of no area, too. */
weft__triangle_point weft__nearest_on_triangle(weft__vec3 point, const weft__triangle* triangle);

/* What a ball on its way meets first of a triangle. */
typedef struct weft__triangle_hit {
  double fraction; /* of the way */
  weft__vec3 point;
  weft__vec3 normal; /* of length 1, towards the ball's centre at the hit */
} weft__triangle_hit;

/* Where a ball of `radius` metres, >= 0, first touches a triangle, from both sides, with its centre at
 * from + fraction * way, for fractions of 0 to `limit`, which may be infinite. Where it begins within the radius that is 0.
 * Whatever comes near an edge by no more than rounding hits. False if it does not. */
bool weft__ball_meets_triangle(weft__vec3 from, weft__vec3 way, double radius, double limit,
                               const weft__triangle* triangle, weft__triangle_hit* hit);

/* Whether a convex body of a few corners meets a box, which need not lie along the axes. The axes are those that
 * may separate them beyond the box's own faces: the body's normals, and what `edges`, its directions, make with the
 * box's edges. */
typedef struct weft__body {
  weft__vec3 corners[8];
  weft__vec3 normals[12];
  weft__vec3 edges[9];
  int corner_count, normal_count, edge_count;
} weft__body;

bool weft__body_meets_box(const weft__body* body, weft__vec3 center,
                          const weft__vec3 half_edges[3]);

/* Exact but for rounding, of flat boxes and of triangles of no area, too. */
bool weft__triangle_meets_box(const weft__triangle* triangle, weft__vec3 center,
                              const weft__vec3 half_edges[3]);

#endif
